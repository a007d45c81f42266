import { type ReactElement, useMemo } from 'react';
import { KindBox } from '../controls/signs/kind-box.tsx';
import { formatCost } from '../format/cost.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { showControls } from '../json/show-controls.ts';
import type { PairTable } from './answer/answer.ts';
import { type ChangeWords, costChange, latencyChange } from './change-words.ts';
import classes from './compare-page.module.css';
import { moneyOfOp, type OpSide, type OpSums, opSums, timeOfOp } from './op-sums.ts';
import tableClasses from './op-table.module.css';

/** More are counted, not drawn. */
const MAX_OPS = 300;

/** The numbers of each op on both sides, those that changed most first. */
export function OpTable({ pairs }: { readonly pairs: PairTable }): ReactElement {
  const sums = useMemo(() => opSums(pairs), [pairs]);
  return (
    <div className={classes.scrolled} role="region" aria-label="Numbers" tabIndex={0}>
      <table className={tableClasses.table} aria-label="Numbers of each op">
        <thead>
          <tr>
            <th scope="col">Op</th>
            <th scope="col">Calls</th>
            <th scope="col">Errors</th>
            <th scope="col" title="Time of all calls together">
              Time
            </th>
            <th scope="col">Change</th>
            <th scope="col">p50</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {sums.slice(0, MAX_OPS).map((each) => (
            <OpLine key={`${each.kind} ${each.op}`} sums={each} />
          ))}
        </tbody>
      </table>
      {sums.length > MAX_OPS && (
        <p className={classes.more}>{countOf(sums.length - MAX_OPS, 'more op')}, of which the time changed less.</p>
      )}
      <p className={classes.more}>
        Time, tokens and cost of an op are those of all of its calls together, with what they called. One run tells
        little: amber is what is slower by 10% and 0.2 s, or dearer by 10%.
      </p>
    </div>
  );
}

function OpLine({ sums: { op, kind, a, b } }: { readonly sums: OpSums }): ReactElement {
  return (
    <tr>
      <th scope="row">
        <span className={tableClasses.name}>
          <KindBox kind={kind} />
          <bdi className="cut" title={showControls(op)}>
            {showControls(op)}
          </bdi>
        </span>
      </th>
      <FromTo a={formatCount(a.calls)} b={formatCount(b.calls)} />
      <FromTo a={formatCount(a.errors)} b={formatCount(b.errors)} isError={b.errors > a.errors} />
      <FromTo a={timeOf(a)} b={timeOf(b)} />
      <Change change={latencyChange(timeOfOp(a), timeOfOp(b))} />
      <FromTo a={medianOf(a)} b={medianOf(b)} />
      <FromTo a={tokensOf(a)} b={tokensOf(b)} />
      <FromTo a={costOf(a)} b={costOf(b)} />
      <Change change={costChange(moneyOfOp(a), moneyOfOp(b))} />
    </tr>
  );
}

interface FromToProps {
  readonly a: string;
  readonly b: string;
  readonly isError?: boolean;
}

function FromTo({ a, b, isError = false }: FromToProps): ReactElement {
  return (
    <td>
      {a !== b && <span className="muted">{a} → </span>}
      <span className={isError ? 'err' : a === b ? 'muted' : undefined}>{b}</span>
    </td>
  );
}

function Change({ change }: { readonly change: ChangeWords | undefined }): ReactElement {
  return <td className={change?.isWorse === true ? 'warn' : 'muted'}>{change?.text}</td>;
}

/** That of calls without an end comes on top. */
function timeOf({ calls, open, totalMs }: OpSide): string {
  if (calls === 0) return '–';
  if (calls === open) return 'no end';
  return `${open > 0 ? '≥ ' : ''}${formatLatency(totalMs)}`;
}

function medianOf({ medianMs }: OpSide): string {
  return Number.isNaN(medianMs) ? '–' : formatLatency(medianMs);
}

function tokensOf({ tokens }: OpSide): string {
  return Number.isNaN(tokens) ? '–' : formatCount(tokens);
}

function costOf({ cost, isUnpriced }: OpSide): string {
  return formatCost({ usd: Number.isNaN(cost) ? null : cost, isUnpriced }) ?? '–';
}
