import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { THREADS } from '../address/pages.ts';
import { useAddress } from '../address/use-address.ts';
import { useRefresh } from '../calls/list/use-refresh.ts';
import { rangeOf } from '../calls/filter/range.ts';
import { RangeMenu } from '../calls/filter/range-menu.tsx';
import { LiveButton } from '../calls/live-button.tsx';
import { Foot } from '../controls/foot/foot.tsx';
import { Button, IconButton } from '../controls/button.tsx';
import { Failure, Unread } from '../controls/failure.tsx';
import pageHead from '../controls/page-head.module.css';
import { Icon } from '../controls/signs/icon.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import { WaitingBars, WaitingWords } from '../controls/waiting.tsx';
import { useCallChanges } from '../data/call-changes.ts';
import { isSaidOfPage } from '../data/page-error.ts';
import { LISTED_THREADS, type ListedThread, threadsKey, useThreads } from '../data/threads.ts';
import { countOf, formatCount } from '../format/count.ts';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import { ThreadBones, ThreadHeads, ThreadTable } from './thread-table.tsx';
import classes from './threads-page.module.css';
import { useMinute } from './use-minute.ts';

/** Conversations that go on are read again, at most so often: it is all of them. */
const FRESH_MS = 3000;

/** The conversations of a project. */
export function ThreadsPage({ project }: { readonly project: string }): ReactElement {
  const [{ q, t, live }, change] = useAddress(THREADS);
  const now = useMinute(live);
  const { before } = useMemo(() => rangeOf(t, now), [t, now]);
  const key = useMemo(() => threadsKey(project, { name: t }), [project, t]);
  const [come, setCome] = useState(0);
  const { data, error, refetch, isFetching } = useThreads(
    project,
    { name: t, after: () => rangeOf(t, Date.now()).after },
    setCome,
  );
  const refresh = useRefresh(key, FRESH_MS, !live);
  const { isOpen } = useCallChanges(project, live && data !== undefined, { onChanges: refresh, onReturn: refresh });
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const threads = useMemo(
    () => data?.filter((thread) => isWanted(thread, q, before) && isInRange(thread, t, now)),
    [data, q, before, t, now],
  );
  useEffect(() => {
    document.title = `Threads · ${project.split('/').at(-1) ?? project} · spoor`;
  }, [project]);
  const pause = () => change({ live: !live }, { isReplacing: true });
  useKeys('Threads', [
    { ...command('Threads', '/'), run: () => field.current?.select() },
    { ...command('Threads', 'Mod+.'), isEverywhere: true, run: pause },
  ]);
  const hidden = { byWords: q !== '', byTime: t !== 'all' };
  return (
    <>
      <header className={`${pageHead.head} ${classes.head}`}>
        <h1>Threads</h1>
        <label className={classes.find}>
          <Icon name="search" />
          <input
            ref={field}
            aria-label="Find in the id and the first words"
            placeholder="Find in the id and the first words"
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
        <RangeMenu value={t} onChange={(next) => change({ t: next })} />
        <LiveButton isOn={live} isOpen={isOpen} isIdle={error !== null && data === undefined} onToggle={pause} />
      </header>
      {error !== null && !isSaidOfPage(error, data) && (
        <Failure what="Threads could not be read" error={error} onRetry={() => void refetch()} />
      )}
      <div className={threads === undefined ? `${classes.list} ${classes.still}` : classes.list}>
        {threads?.length === 0 && <NoThreads {...hidden} onShowAll={() => change({ q: '', t: 'all' })} />}
        {threads === undefined && error === null && (
          <WaitingBars isStopped={!isFetching}>
            <ThreadBones />
          </WaitingBars>
        )}
        {threads === undefined && error !== null && (
          <>
            <ThreadHeads />
            <Unread what="Threads" />
          </>
        )}
        {threads !== undefined && threads.length > 0 && <ThreadTable project={project} threads={threads} />}
      </div>
      <Foot>
        {threads !== undefined && (
          <>
            <span className="grow" />
            {footText(threads.length, (data?.length ?? 0) >= LISTED_THREADS)}
          </>
        )}
        {threads === undefined && error === null && (
          <WaitingWords
            what="threads"
            count={<span className="num">{formatCount(come)}</span>}
            isStopped={!isFetching}
            onStop={() => void client.cancelQueries({ queryKey: key })}
            onGoOn={() => void refetch()}
          />
        )}
      </Foot>
    </>
  );
}

function isWanted({ thread_id: id, start_time: began, first }: ListedThread, q: string, before?: number): boolean {
  if (before !== undefined && Date.parse(began) >= before) return false;
  return `${id}\n${first?.input ?? ''}`.toLowerCase().includes(q.trim().toLowerCase());
}

/** Conversations that nothing was said in since leave a range that ends now. */
function isInRange({ last_updated: last }: ListedThread, t: string, now: number): boolean {
  const { after } = rangeOf(t, now);
  return after === undefined || Date.parse(last) >= after;
}

function footText(count: number, isCut: boolean): string {
  return isCut ? `${countOf(count, 'thread')} of the ${formatCount(LISTED_THREADS)} newest` : countOf(count, 'thread');
}

interface NoThreadsProps {
  readonly byWords: boolean;
  readonly byTime: boolean;
  readonly onShowAll: () => void;
}

/** Advice for a project without any conversation is given as long as nobody has looked for a word. */
function NoThreads({ byWords, byTime, onShowAll }: NoThreadsProps): ReactElement {
  return (
    <div className={classes.none}>
      <b>{byWords ? 'No thread matches' : `No threads${byTime ? ' in this time range' : ''}`}</b>
      {!byWords && (
        <p>
          Calls within <code>withThread(id, …)</code> belong to a conversation.
        </p>
      )}
      {(byWords || byTime) && <Button onClick={onShowAll}>Show all threads</Button>}
    </div>
  );
}
