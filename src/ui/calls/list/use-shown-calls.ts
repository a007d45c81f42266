import { useCallback, useMemo, useRef, useState } from 'react';
import { CALLS, type CallsState } from '../../address/pages.ts';
import { type ChangeAddress, useAddress } from '../../address/use-address.ts';
import type { CallRow, CallsStats } from '../../data/answers.ts';
import { useCallsStats } from '../../data/calls-stats.ts';
import { type GridState, useGrid } from '../../grid/use-grid.ts';
import { type ListSorting, sortingOf } from '../sorting.ts';
import { useHiddenCalls } from '../works.tsx';
import { type CallList, useList } from './use-list.ts';
import { type Look, useLook } from './use-look.ts';
import { useRowsBeyond } from './use-rows-beyond.ts';
import { useWaitingCount, type Waiting } from './use-waiting-count.ts';
import { useWanted, type WantedCalls } from './use-wanted.ts';

/** The sums of the calls. */
export interface ShownStats {
  readonly data: CallsStats | undefined;
  /** They are of the filter before this one, until those of this one are there. */
  readonly isOld: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
}

/** The list of a page with all that is known of it. */
export interface ShownCalls {
  readonly state: CallsState;
  readonly change: ChangeAddress<CallsState>;
  readonly wanted: WantedCalls;
  readonly sorting: ListSorting;
  readonly list: CallList;
  /** Rows that came and are not shown yet. */
  readonly waiting: Waiting;
  readonly look: Look;
  readonly rows: readonly CallRow[];
  readonly grid: GridState;
  /** Those that are selected. */
  readonly chosen: readonly CallRow[];
  readonly stats: ShownStats;
  readonly isLoading: boolean;
  /** Why the rows are not all there. */
  readonly failure: Error | undefined;
  readonly retry: () => void;
  /** The list was scrolled to a row, by its number. What comes meanwhile waits. */
  readonly onScroll: (first: number) => void;
  /** The list is shown no more, as when there is nothing in it: the next one begins at its top. */
  readonly onLeave: () => void;
}

export const idOf = (row: CallRow) => row.id;

/** The calls that the address asks for. */
export function useShownCalls(project: string): ShownCalls {
  const [state, change] = useAddress(CALLS);
  const { q, t, roots, sel, live, sort } = state;
  const wanted = useWanted({ project, q, t, roots });
  const sorting = sortingOf(sort);
  const [isScrolled, setIsScrolled] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const seen = useRef({ first: 0, focused: -1 });
  const sight = useCallback(() => seen.current, []);
  const onScroll = useCallback((first: number) => {
    seen.current.first = first;
    setIsScrolled(first > 0);
  }, []);
  const isLookedAt = isChoosing || sel !== '';
  const list = useList({
    project,
    selection: wanted.selection,
    sums: wanted.sums,
    sorting,
    isLive: live,
    isHeld: isLookedAt || isScrolled,
    isLookedAt,
    sight,
    keepsAll: isChoosing || wanted.beyond.length > 0,
  });
  const waiting = useWaitingCount({ project, list, wanted });
  const met = useRowsBeyond({ project, rows: list.rows, conditions: wanted.beyond, isHeld: isLookedAt });
  const look = useLook({
    key: JSON.stringify([wanted.selection, wanted.beyond, sort]),
    isLooking: wanted.beyond.length > 0,
    count: list.rows.length,
    loadMore: list.loadMore,
  });
  const hidden = useHiddenCalls(project);
  const rows = useMemo(() => met.rows.filter((row) => !hidden.has(row.id)), [met.rows, hidden]);
  const grid = useGrid(useMemo(() => rows.map(idOf), [rows]));
  const focusedAt = grid.active === undefined ? -1 : rows.findIndex(({ id }) => id === grid.active);
  seen.current.focused = focusedAt < 0 ? -1 : list.above + focusedAt;
  // Of a list that was read again from its top, rows that were selected may be there no more.
  const chosen = rows.filter((row) => grid.selected.has(row.id));
  if (chosen.length > 0 !== isChoosing) setIsChoosing(chosen.length > 0);
  const [failure, retry] = failureOf(wanted, list, met);
  const stats = useCallsStats(wanted.sums);
  return {
    state,
    change,
    wanted,
    sorting,
    list,
    waiting,
    look,
    rows,
    grid,
    chosen,
    stats: {
      data: stats.data,
      isOld: stats.isPlaceholderData,
      error: stats.error,
      refetch: () => void stats.refetch(),
    },
    isLoading: wanted.isUnread || list.isLoading || (met.isAsking && met.rows.length === 0),
    failure,
    retry,
    onScroll,
    onLeave: useCallback(() => onScroll(0), [onScroll]),
  };
}

type Retryable = Readonly<Record<'retry', () => void>>;

/** The error of a read that failed, and the function that reads again. */
function failureOf(
  wanted: WantedCalls,
  list: CallList,
  met: Retryable & { readonly error: Error | null },
): readonly [Error | undefined, () => void] {
  if (wanted.error !== undefined) return [wanted.error, wanted.retry];
  const of = list.error === null ? met : list;
  return [of.error ?? undefined, of.retry];
}
