import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { RUNS } from '../address/pages.ts';
import { useAddress } from '../address/use-address.ts';
import { LiveButton } from '../calls/live-button.tsx';
import { useRefresh } from '../calls/list/use-refresh.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Failure, Unread } from '../controls/failure.tsx';
import { Foot } from '../controls/foot/foot.tsx';
import pageHead from '../controls/page-head.module.css';
import { Icon } from '../controls/signs/icon.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import { WaitingBars, WaitingWords } from '../controls/waiting.tsx';
import type { Run, RunList } from '../data/answers.ts';
import { useCallChanges } from '../data/call-changes.ts';
import { isSaidOfPage } from '../data/page-error.ts';
import { countOf } from '../format/count.ts';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import { RunBones, RunHeads, RunTable } from './run-table.tsx';
import classes from './runs-page.module.css';
import { runsKey, useRuns } from './use-runs.ts';

/** Runs that go on are read again, at most so often: it is all of them, and the service may take a second for their sums. */
const FRESH_MS = 10_000;

const FIND = 'Find an op, a commit or a machine';

/** The runs of the programs of a project. */
export function RunsPage({ project }: { readonly project: string }): ReactElement {
  const [{ q, live }, change] = useAddress(RUNS);
  const key = useMemo(() => runsKey(project), [project]);
  const { data, error, refetch, isFetching } = useRuns(project);
  const refresh = useRefresh(key, FRESH_MS, !live);
  const { isOpen } = useCallChanges(project, live && data !== undefined, { onChanges: refresh, onReturn: refresh });
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const runs = useMemo(() => data?.runs.filter((run) => isWanted(run, q)), [data, q]);
  useEffect(() => {
    document.title = `Runs · ${project.split('/').at(-1) ?? project} · spoor`;
  }, [project]);
  const pause = () => change({ live: !live }, { isReplacing: true });
  useKeys('Runs', [
    { ...command('Runs', '/'), run: () => field.current?.select() },
    { ...command('Runs', 'Mod+.'), isEverywhere: true, run: pause },
  ]);
  return (
    <>
      <header className={`${pageHead.head} ${classes.head}`}>
        <h1>Runs</h1>
        <label className={classes.find}>
          <Icon name="search" />
          <input
            ref={field}
            aria-label={FIND}
            placeholder={FIND}
            spellCheck={false}
            value={q}
            onChange={({ target }) => change({ q: target.value }, { isReplacing: true })}
          />
          {q === '' ? (
            <span className="wide">
              <KeyCap keys="/" />
            </span>
          ) : (
            <IconButton
              icon="close"
              label="Clear"
              isSmall
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                change({ q: '' }, { isReplacing: true });
                field.current?.focus();
              }}
            />
          )}
        </label>
        <LiveButton isOn={live} isOpen={isOpen} isIdle={error !== null && data === undefined} onToggle={pause} />
      </header>
      {error !== null && !isSaidOfPage(error, data) && (
        <Failure what="Runs could not be read" error={error} onRetry={() => void refetch()} />
      )}
      <div className={runs === undefined ? `${classes.list} ${classes.still}` : classes.list}>
        {runs?.length === 0 && <NoRuns byWords={q !== ''} onShowAll={() => change({ q: '' })} />}
        {runs === undefined && error === null && (
          <WaitingBars isStopped={!isFetching}>
            <RunBones />
          </WaitingBars>
        )}
        {runs === undefined && error !== null && (
          <>
            <RunHeads />
            <Unread what="Runs" />
          </>
        )}
        {runs !== undefined && runs.length > 0 && <RunTable project={project} runs={runs} />}
      </div>
      <Foot>
        {runs !== undefined && (
          <>
            <span className="grow" />
            {footText(runs.length, data)}
          </>
        )}
        {runs === undefined && error === null && (
          <WaitingWords
            what="runs"
            isStopped={!isFetching}
            onStop={() => void client.cancelQueries({ queryKey: key })}
            onGoOn={() => void refetch()}
          />
        )}
      </Foot>
    </>
  );
}

function isWanted({ id, entry_op: op, commit, host }: Run, q: string): boolean {
  return [op, id, commit, host].join('\n').toLowerCase().includes(q.trim().toLowerCase());
}

function footText(count: number, list: RunList | undefined): string {
  const isCut = (list?.next_cursor ?? null) !== null;
  return isCut ? `${countOf(count, 'run')} of the ${list?.runs.length} newest` : countOf(count, 'run');
}

interface NoRunsProps {
  readonly byWords: boolean;
  readonly onShowAll: () => void;
}

/** Advice for a project without any run is given as long as nobody has looked for a word. */
function NoRuns({ byWords, onShowAll }: NoRunsProps): ReactElement {
  return (
    <div className={classes.none}>
      <b>{byWords ? 'No run matches' : 'No runs'}</b>
      {byWords ? (
        <Button onClick={onShowAll}>Show all runs</Button>
      ) : (
        <p>Each program that records calls is a run. Calls of older versions and of other clients belong to none.</p>
      )}
    </div>
  );
}
