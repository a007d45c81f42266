import { type ReactElement, useEffect } from 'react';
import { useLocation } from 'wouter';
import { comparePath } from '../address/compare-path.ts';
import { Unread } from '../controls/failure.tsx';
import { latePart } from '../controls/late-part.tsx';
import type { CallRow, CallsSelection, Histogram as CallCounts } from '../data/answers.ts';
import { microsOf } from '../data/page-place.ts';
import type { Column } from '../grid/column.ts';
import { VirtualGrid } from '../grid/virtual-grid.tsx';
import { printSpan } from './filter/range.ts';
import { CallsFoot } from './calls-foot.tsx';
import classes from './calls-page.module.css';
import { Histogram, HistogramPlace } from './filter/histogram.tsx';
import { PhoneRow } from './list/phone-row.tsx';
import { Reading } from './list/reading.tsx';
import type { Going } from './list/use-going.ts';
import type { ScrollMemory } from './list/use-scroll-memory.ts';
import { idOf, type ShownCalls } from './list/use-shown-calls.ts';
import { nextSort } from './sorting.ts';
import { type Actions, SelectionBar } from './use-actions.tsx';
import type { Why } from './why/use-why.ts';

const NothingFound = latePart(
  async () => (await import('./filter/nothing-found.tsx')).NothingFound,
  () => <div className={classes.list} />,
);

export interface CallsBodyProps {
  readonly project: string;
  readonly calls: ShownCalls;
  readonly going: Going;
  readonly actions: Actions;
  readonly why: Pick<Why, 'toggle'>;
  readonly columns: readonly Column<CallRow>[];
  readonly scroll: ScrollMemory;
  readonly isPhone: boolean;
  readonly rowPx: number;
}

/** The list, when its calls happened above it and what they add up to below. */
export function CallsBody(props: CallsBodyProps): ReactElement {
  const { project, calls } = props;
  const { state, change, stats } = calls;
  const { q, t, roots } = state;
  const total = stats.isOld ? undefined : stats.data?.count;
  return (
    <>
      <Counts calls={calls} />
      {isNothing(calls) ? (
        <NothingFound
          {...{ project, q, t, roots }}
          isUnreadable={calls.wanted.selection === undefined}
          onChange={(next) => change(next)}
        />
      ) : (
        <div className={isUnread(calls) ? classes.heads : classes.rows}>
          <Rows {...props} />
        </div>
      )}
      {isUnread(calls) && (
        <div className="grow">
          <Unread what="Calls" />
        </div>
      )}
      <CallsFoot
        project={project}
        stats={isUnread(calls) ? undefined : stats.data}
        isOld={stats.isOld}
        shown={calls.wanted.sums ?? {}}
        actions={<Doing {...props} total={total} />}
      />
    </>
  );
}

interface DoingProps extends Pick<CallsBodyProps, 'project' | 'calls' | 'going' | 'actions' | 'why'> {
  readonly total: number | undefined;
}

/** The actions for the rows that are selected, or whether the list is being read. */
function Doing({ project, calls, going, actions, why, total }: DoingProps): ReactElement {
  const { chosen, grid, list } = calls;
  const [, navigate] = useLocation();
  if (chosen.length === 0) return <Reading list={list} total={total} />;
  return (
    <SelectionBar
      count={chosen.length}
      total={total}
      actions={actions}
      onWhy={why.toggle}
      onCompare={compareTwo(project, chosen, navigate)}
      onClear={grid.clear}
      onLeave={going.comeBack}
    />
  );
}

/** Of two calls the earlier one is A. */
function compareTwo(
  project: string,
  chosen: readonly CallRow[],
  navigate: (path: string) => void,
): (() => void) | undefined {
  const [a, b] = chosen.toSorted((one, other) => microsOf(one) - microsOf(other));
  if (chosen.length !== 2 || a === undefined || b === undefined) return undefined;
  return () => navigate(comparePath(project, a.id, b.id));
}

function Counts({ calls }: { readonly calls: ShownCalls }): ReactElement | null {
  const { stats, change, wanted } = calls;
  if (isUnread(calls)) return null;
  if (stats.data === undefined) return stats.error === null && !isNothing(calls) ? <HistogramPlace /> : null;
  const counts = stats.data.count === 0 ? nothingSince(wanted.sums) : stats.data.histogram;
  if (counts === undefined) return null;
  return <Histogram counts={counts} onSelect={(from, to) => change({ t: printSpan(from, to) })} />;
}

/** An axis without bars, so that nothing moves while a filter is written that leaves no calls; none of all time. */
function nothingSince(calls: CallsSelection | undefined): CallCounts | undefined {
  const { started_after: after, started_before: before } = calls ?? {};
  if (after == null) return undefined;
  const to = before ?? new Date().toISOString();
  const none = Array.from({ length: EMPTY_BARS }, () => 0);
  return { from: after, to, bucket_ms: (Date.parse(to) - Date.parse(after)) / EMPTY_BARS, counts: none, errors: none };
}

const EMPTY_BARS = 96;

/** Of a list that could not be read nothing is counted: numbers over no rows would say that there are none. */
function isUnread({ failure, rows }: ShownCalls): boolean {
  return failure !== undefined && rows.length === 0;
}

function isNothing({ isLoading, list, failure, rows }: ShownCalls): boolean {
  return (
    !isLoading &&
    !list.isStopped &&
    failure === undefined &&
    rows.length === 0 &&
    list.loadMore === undefined &&
    !list.isLoadingMore
  );
}

/** Rows of a list before the first page has come, and below it while the next one is on its way. */
const FIRST_BONES = 40;
const NEXT_BONES = 3;

function bonesOf({ isLoading, list, look }: ShownCalls): number {
  if (isLoading) return FIRST_BONES;
  return list.isLoadingMore || look.loadMore ? NEXT_BONES : 0;
}

function Rows({ calls, going, columns, scroll, isPhone, rowPx }: CallsBodyProps): ReactElement {
  const { state, change, sorting, list, rows, grid, stats, look, onLeave } = calls;
  useEffect(() => onLeave, [onLeave]);
  return (
    <VirtualGrid
      label="Calls"
      rows={rows}
      above={list.above}
      idOf={idOf}
      columns={columns}
      rowCount={Math.max(stats.isOld || isUnread(calls) ? 0 : (stats.data?.count ?? 0), list.above + rows.length)}
      rowPx={rowPx}
      grid={grid}
      openId={state.sel}
      sorting={sorting}
      onSort={(field) => change({ sort: nextSort(state.sort, field) })}
      onPeek={isPhone ? going.open : going.peek}
      onOpen={going.open}
      onStart={list.loadBefore}
      onEnd={look.loadMore}
      bones={bonesOf(calls)}
      phoneRow={isPhone ? (row, isSelected) => <PhoneRow row={row} isSelected={isSelected} /> : undefined}
      scroller={scroll.ref}
      onScroll={(top) => {
        scroll.keep(top);
        calls.onScroll(Math.floor(top / rowPx));
      }}
    />
  );
}
