import { type ReactElement, useRef } from 'react';
import { Link } from 'wouter';
import { CALLS } from '../address/pages.ts';
import { paths } from '../address/paths.ts';
import { Bone } from '../controls/signs/bones.tsx';
import { CostSign } from '../controls/signs/cost-sign.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import { useToast } from '../controls/toast.tsx';
import type { Run } from '../data/answers.ts';
import { formatCount, formatSum } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { formatInstant, formatTime } from '../format/time.ts';
import { useLinkKeys } from '../grid/use-link-keys.ts';
import { copyText, NOT_COPIED } from '../json/copy-text.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './runs-page.module.css';

export interface RunTableProps {
  readonly project: string;
  readonly runs: readonly Run[];
}

/** A line for each run, which leads to its calls. */
export function RunTable({ project, runs }: RunTableProps): ReactElement {
  const now = Date.now();
  const table = useRef<HTMLTableElement>(null);
  const toast = useToast();
  useLinkKeys('Runs', table, (link) => {
    void copyText(link).then((isCopied) => toast({ text: isCopied ? 'Link copied' : NOT_COPIED }));
  });
  return (
    <table ref={table} className={classes.table}>
      <Names />
      <tbody>
        {runs.map((run) => (
          <RunLine key={run.id} project={project} run={run} now={now} />
        ))}
      </tbody>
    </table>
  );
}

const SUMS = ['Calls', 'Errors', 'Tokens', 'Cost'];

/** In the place of what a run does not have. */
const NONE = <span className="faint">–</span>;

const NAMES = ['Entry op', 'Commit', 'Host', ...SUMS, 'Duration', 'Began'];

/** By it runs come in their order. */
const NEWEST_FIRST = 'Began';

function Names(): ReactElement {
  return (
    <thead>
      <tr>
        {NAMES.map((name) => (
          <th key={name} scope="col" aria-sort={name === NEWEST_FIRST ? 'descending' : undefined}>
            {name}
            {name === NEWEST_FIRST && <Icon name="arrow-down" size={12} />}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Widths of bars where names of ops will be, in percent. */
const BARS = [36, 28, 46, 32, 40, 26, 44, 30, 38, 34];
/** Of all else, in pixels. */
const OTHER_BARS = [64, 72, 24, 16, 48, 48, 48, 56];
/** Lines down to the foot of any window; those below it are not seen. */
const BONE_LINES = 80;

/** The table without a line: those could not be read. */
export function RunHeads(): ReactElement {
  return (
    <table className={classes.table}>
      <Names />
    </table>
  );
}

/** The table as it will be: nothing moves when its lines are there. */
export function RunBones(): ReactElement {
  return (
    <table className={classes.table} aria-hidden="true">
      <Names />
      <tbody>
        {Array.from({ length: BONE_LINES }, (_, line) => (
          <tr key={line}>
            <th>
              <Bone width={`${BARS[line % BARS.length] ?? 0}%`} />
            </th>
            {OTHER_BARS.map((px, column) => (
              <td key={NAMES[column + 1]}>
                <Bone width={px} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  readonly project: string;
  readonly run: Run;
  readonly now: number;
}

function RunLine({ project, run, now }: LineProps): ReactElement {
  const op = showControls(run.entry_op);
  const began = Date.parse(run.first_call_at);
  const calls = CALLS.write('', { q: `run:${run.id}`, t: 'all', roots: false });
  return (
    <tr>
      <th scope="row" className="cut">
        <Link href={`${paths.calls(project)}?${calls}`} title={`${op}, run ${run.id}`}>
          <bdi>{op}</bdi>
        </Link>
      </th>
      <Commit run={run} />
      <td className="cut" title={hostTitle(run)}>
        {run.host === null ? NONE : <bdi>{showControls(run.host)}</bdi>}
      </td>
      <Sums run={run} />
      <td>{formatLatency(run.duration_ms)}</td>
      <td title={formatInstant(began)}>{formatTime(began, now)}</td>
    </tr>
  );
}

/** A service that cannot add up the calls of a run soon does not say them. */
function Sums({
  run: { calls, errors, tokens, cost, unpriced_models: unpriced },
}: {
  readonly run: Run;
}): ReactElement {
  if (calls === null || errors === null || tokens === null) {
    return (
      <>
        {SUMS.map((name) => (
          <td key={name} className="faint" title={`${name}: too many calls to add them up now`}>
            ?
          </td>
        ))}
      </>
    );
  }
  return (
    <>
      <td>{formatCount(calls)}</td>
      <td className={errors > 0 ? 'err' : 'faint'}>{formatCount(errors)}</td>
      <td>{tokens === 0 ? NONE : formatSum(tokens)}</td>
      <td>{cost === null && unpriced.length === 0 ? NONE : <CostSign usd={cost} unpriced={unpriced} />}</td>
    </>
  );
}

/** With a word where files were changed, and one where nobody knows. */
function Commit({ run: { commit, is_dirty: isDirty } }: { readonly run: Run }): ReactElement {
  if (commit === null) return <td className="cut">{NONE}</td>;
  const state = isDirty === null ? 'unknown if changed' : isDirty ? 'changed' : undefined;
  return (
    <td className="cut" title={state === undefined ? commit : `${commit}, ${state}`}>
      {commit.slice(0, 8)}
      {state !== undefined && (
        <>
          {' '}
          {isDirty === true ? (
            <span className="warn">
              +<span className="wide"> changed</span>
            </span>
          ) : (
            <span className="faint">?</span>
          )}
        </>
      )}
    </td>
  );
}

function hostTitle({ host, pid }: Run): string | undefined {
  if (host === null) return undefined;
  return pid === null ? showControls(host) : `${showControls(host)}, process ${pid}`;
}
