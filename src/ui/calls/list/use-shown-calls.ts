import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { CALLS, type CallsState } from '../../address/pages.ts';
import { type ChangeAddress, useAddress } from '../../address/use-address.ts';
import type { CallRow, CallsStats } from '../../data/answers.ts';
import { readTop } from '../../data/call-rows.ts';
import { readStats, useCallsStats } from '../../data/calls-stats.ts';
import { type GridState, useGrid } from '../../grid/use-grid.ts';
import { type ListSorting, sortingOf } from '../sorting.ts';
import { useHiddenCalls } from '../works.tsx';
import { steadyNow, takeNow } from './steady-now.ts';
import { type CallList, orderOf, useList } from './use-list.ts';
import { type Look, useLook } from './use-look.ts';
import { useRangeNow } from './use-range-now.ts';
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
  /** The instant that a range begins with which has not gone on with the time, as something is looked at. */
  readonly since: number | undefined;
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
  const { q, t, roots, sel, why, live, sort } = state;
  const key = JSON.stringify([project, q, t, roots]);
  const [now, setNow] = useNowOf(key);
  const wanted = useWanted({ project, q, t, roots, now });
  const sorting = sortingOf(sort);
  const [isScrolled, setIsScrolled] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const seen = useRef({ first: 0, focused: -1 });
  const sight = useCallback(() => seen.current, []);
  const onScroll = useCallback((first: number) => {
    seen.current.first = first;
    setIsScrolled(first > 0);
  }, []);
  const isLookedAt = isChoosing || sel !== '' || why;
  const isHeld = isLookedAt || isScrolled;
  const client = useQueryClient();
  // What was looked through row by row, page after page, would be looked through once more.
  const isLookedThrough = wanted.beyond.length > 0;
  const isBehind = useRangeNow({
    key: `${key} ${sort}`,
    now,
    after: startOfRange(wanted, now),
    // Of a filter that makes no sense yet nothing can be asked.
    isHeld: isHeld || !live || isLookedThrough || wanted.errors.length > 0,
    read: async (next, signal) => {
      const { selection, sums } = wanted.at(next);
      // The rows and sums are there when the list becomes that of another time: nobody sees it without any. Sums that take
      // too long are told in their place, and keep no rows back.
      const kept = await Promise.all([
        readTop(client, selection, orderOf(sorting), signal),
        readStats(client, sums, signal).catch(() => () => undefined),
      ]);
      return () => {
        for (const keep of kept) keep();
        takeNow(next);
        setNow(next);
      };
    },
  });
  const list = useList({
    project,
    selection: wanted.selection,
    sums: wanted.sums,
    sorting,
    isLive: live,
    isHeld,
    isLookedAt,
    sight,
    keepsAll: isChoosing || isLookedThrough,
  });
  const waiting = useWaitingCount({ project, list, wanted, isPaused: !live });
  const met = useRowsBeyond({ project, rows: list.rows, conditions: wanted.beyond, isHeld: isLookedAt });
  const look = useLook({
    key: JSON.stringify([wanted.selection, wanted.beyond, sort]),
    isLooking: isLookedThrough,
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
    since: isBehind ? startOfRange(wanted, now) : undefined,
    look,
    rows,
    grid,
    chosen,
    stats: {
      data: withoutHidden(stats.data, met.rows.length - rows.length),
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

/** Calls that are about to be deleted are shown no more, and not counted. */
function withoutHidden(stats: CallsStats | undefined, hidden: number): CallsStats | undefined {
  return stats === undefined || hidden === 0 ? stats : { ...stats, count: Math.max(0, stats.count - hidden) };
}

/** The time that ranges are counted from; for other calls it is taken anew. */
function useNowOf(key: string): readonly [number, (now: number) => void] {
  const [taken, setTaken] = useState(() => ({ key, now: steadyNow() }));
  const current = taken.key === key ? taken : { key, now: steadyNow() };
  if (current !== taken) setTaken(current);
  return [current.now, (now) => setTaken({ key, now })];
}

/** Where a range begins that goes on with the time; undefined where it stays. */
function startOfRange({ selection, at }: WantedCalls, now: number): number | undefined {
  const after = selection?.started_after;
  if (after == null || at(now + 1000).selection?.started_after === after) return undefined;
  return Date.parse(after);
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
