import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { callPath } from '../../address/paths.ts';
import { CostSign } from '../../controls/signs/cost-sign.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { StatusSign } from '../../controls/signs/status-sign.tsx';
import type { CallRow } from '../../data/answers.ts';
import { formatCount } from '../../format/count.ts';
import { formatLatency } from '../../format/latency.ts';
import { previewText } from '../../format/preview.ts';
import { showControls } from '../../json/show-controls.ts';
import { formatInstant, formatTime } from '../../format/time.ts';
import type { Column } from '../../grid/column.ts';
import classes from './columns.module.css';
import { RunningTime } from './running-time.tsx';

export interface ColumnContext {
  readonly project: string;
  /** Where latency bars end. */
  readonly p95: number | undefined;
  /** Rows of other days need room for their day. */
  readonly hasDates: boolean;
  /** Some instant of this day: rows of others say theirs. */
  readonly now: number;
  /** Beside a panel names give way, too. */
  readonly isNarrow: boolean;
}

/** Columns of a list without a choice, in their order. */
export const USUAL_COLUMNS = ['op', 'status', 'input', 'output', 'latency', 'tokens', 'cost', 'started'] as const;

/** Columns leave in this order where there is no room. */
export const LEAVING = [
  'output',
  'thread',
  'model',
  'feedback',
  'cached',
  'out',
  'in',
  'tokens',
  'cost',
  'kind',
  'input',
  'started',
];

const NONE = <span className="faint">–</span>;

/** All columns there are. Parts of what is left add up to more than one whatever leaves: what they do not take would be empty. */
export function columnsOf({ project, p95, hasDates, now, isNarrow }: ColumnContext): readonly Column<CallRow>[] {
  return [
    {
      id: 'op',
      head: 'Op',
      width: isNarrow ? 'minmax(136px, 6fr)' : 'minmax(208px, 5fr)',
      minPx: isNarrow ? 136 : 208,
      className: classes.op,
      cell: (row) => (
        <>
          <KindBox kind={row.kind} />
          <Link
            className="cut"
            href={callPath(project, row.trace_id, row.id)}
            title={showControls(row.name)}
            tabIndex={-1}
          >
            {showControls(row.name)}
          </Link>
        </>
      ),
    },
    {
      id: 'status',
      head: 'Status',
      width: isNarrow ? '120px' : '132px',
      minPx: isNarrow ? 120 : 132,
      className: classes.status,
      cell: (row) => <StatusSign state={row.state} word={row.state === 'error' ? row.error_type : null} />,
    },
    {
      id: 'input',
      head: 'Input',
      width: 'minmax(120px, 10fr)',
      minPx: 120,
      className: 'cut',
      cell: ({ input }) => (input === null ? NONE : <Text of={input}>{previewText(input)}</Text>),
    },
    {
      id: 'output',
      head: 'Output',
      width: 'minmax(120px, 10fr)',
      minPx: 120,
      className: 'cut muted',
      cell: (row) => outputOf(row),
    },
    {
      id: 'latency',
      head: 'Latency',
      width: '116px',
      minPx: 116,
      isNumber: true,
      sortField: 'summary.svc.latency_ms',
      className: classes.latency,
      cell: (row) => <Latency row={row} p95={p95} />,
    },
    numberColumn('tokens', 'Tokens', ({ tokens }) => tokens),
    numberColumn('in', 'Tokens in', ({ tokens_in: count }) => count),
    numberColumn('out', 'Tokens out', ({ tokens_out: count }) => count),
    numberColumn('cached', 'Cached', ({ tokens_cached: count }) => count),
    {
      id: 'cost',
      head: 'Cost',
      width: '84px',
      minPx: 84,
      isNumber: true,
      className: 'num',
      title: 'US dollars, with all calls below',
      cell: (row) => <Cost row={row} />,
    },
    textColumn('model', 'Model', 140, ({ model }) => model),
    textColumn('thread', 'Thread', 120, ({ thread_id: thread }) => thread),
    textColumn('kind', 'Kind', 84, ({ kind }) => kind),
    numberColumn('feedback', 'Feedback', ({ feedback }) => (feedback === 0 ? null : feedback)),
    {
      id: 'started',
      head: 'Started',
      width: hasDates ? '108px' : '80px',
      minPx: hasDates ? 108 : 80,
      isNumber: true,
      sortField: 'started_at',
      className: 'num faint',
      cell: ({ started_at: at }) => (
        <span title={formatInstant(Date.parse(at))}>{formatTime(Date.parse(at), now)}</span>
      ),
    },
  ];
}

/** Without its type, which stands beside it. */
export function messageOf({ error, error_type: type }: CallRow): string | null {
  return type !== null && error?.startsWith(`${type}: `) === true ? error.slice(type.length + 2) : error;
}

function outputOf(row: CallRow): ReactElement {
  const { state, output } = row;
  const text = state === 'error' ? (messageOf(row) ?? output) : output;
  return text === null ? NONE : <Text of={text}>{text}</Text>;
}

/** Cut at its end, also where it runs from right to left, but at the left of its column like all others. */
function Text({ of, children }: { readonly of: string; readonly children: string }): ReactElement {
  return (
    <bdi className={classes.text} title={showControls(of)}>
      {showControls(children)}
    </bdi>
  );
}

function numberColumn(id: string, head: string, read: (row: CallRow) => number | null): Column<CallRow> {
  return {
    id,
    head,
    width: head.length > 6 ? '88px' : '68px',
    minPx: head.length > 6 ? 88 : 68,
    isNumber: true,
    className: 'num',
    cell: (row) => {
      const value = read(row);
      return value === null ? NONE : formatCount(value);
    },
  };
}

function textColumn(id: string, head: string, px: number, read: (row: CallRow) => string | null): Column<CallRow> {
  return {
    id,
    head,
    width: `minmax(${px}px, 4fr)`,
    minPx: px,
    className: 'cut muted',
    cell: (row) => {
      const value = read(row);
      return value === null ? NONE : <Text of={value}>{value}</Text>;
    },
  };
}

function Latency({ row, p95 }: { readonly row: CallRow; readonly p95: number | undefined }): ReactElement {
  if (row.state === 'running') return <RunningTime startedAt={Date.parse(row.started_at)} />;
  const { latency_ms: ms } = row;
  if (ms === null) return <span className="num">–</span>;
  return (
    <>
      {p95 !== undefined && <LatencyBar share={p95 === 0 ? 0 : ms / p95} />}
      <span className="num">{formatLatency(ms)}</span>
    </>
  );
}

/** Ends at the p95 of the list; what took longer is full and amber. */
function LatencyBar({ share }: { readonly share: number }): ReactElement {
  return (
    <i className={share > 1 ? classes.slow : classes.bar} aria-hidden="true">
      <i style={{ width: `${Math.min(1, share) * 100}%` }} />
    </i>
  );
}

/** The cost of a call with all below it. */
export function Cost({ row: { cost, unpriced_models: unpriced } }: { readonly row: CallRow }): ReactElement {
  return cost === null && unpriced.length === 0 ? NONE : <CostSign usd={cost} unpriced={unpriced} />;
}
