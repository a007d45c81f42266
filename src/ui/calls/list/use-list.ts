import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { CallRow, CallsSelection } from '../../data/answers.ts';
import { useCallChanges } from '../../data/call-changes.ts';
import { rowsKey, type Sorting, useCallRows } from '../../data/call-rows.ts';
import { baseOf } from './list-base.ts';
import { hasGap, rowsOf } from './live-rows.ts';
import { LiveList } from './live-list.ts';
import { useMore } from './use-more.ts';
import { useRefresh } from './use-refresh.ts';
import { useWaitingCount, type Waiting } from './use-waiting-count.ts';

export interface CallList {
  readonly rows: readonly CallRow[];
  /** Rows that came and are not shown yet. */
  readonly waiting: Waiting;
  readonly showWaiting: () => void;
  readonly isLoading: boolean;
  /** The first page was asked for and is not wanted any more. */
  readonly isStopped: boolean;
  readonly stop: () => void;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly loadMore: (() => void) | undefined;
  readonly isLoadingMore: boolean;
  readonly isLive: boolean;
}

export interface ListOptions {
  readonly project: string;
  readonly selection: CallsSelection | undefined;
  /** What its sums are of. */
  readonly sums: CallsSelection | undefined;
  readonly sorting: Sorting;
  readonly isLive: boolean;
  /** Something is being read or is selected: new rows wait. */
  readonly isHeld: boolean;
}

/** The rows of a list with all that came since: changed ones in their place, new ones on top or waiting. */
export function useList({ project, selection, sums, sorting, isLive, isHeld }: ListOptions): CallList {
  const isNewestFirst = sorting.field === 'started_at' && sorting.direction === 'desc';
  const order = isNewestFirst ? undefined : sorting;
  const query = useCallRows(selection, order);
  const client = useQueryClient();
  const pages = query.data?.pages;
  const base = useMemo(() => baseOf(pages ?? [], isNewestFirst), [pages, isNewestFirst]);
  const list = useMemo(
    () => new LiveList({ client, selection, key: rowsKey(selection, order), isByTime: order === undefined }),
    [client, selection, order?.field, order?.direction],
  );
  const was = useSyncExternalStore(list.subscribe, list.told);
  const told = useMemo(() => list.on(base, was), [list, base, was]);
  // In another order nobody can say here where a new row belongs.
  const isWaiting = isHeld || !isNewestFirst;
  useEffect(() => list.read(base, isWaiting), [list, base, isWaiting]);
  const isFollowing = isLive && selection !== undefined && pages !== undefined;
  const isOpen = useChangesOf(project, list, sums, isFollowing);
  const rows = useMemo(() => rowsOf(told.rows, base), [told, base]);
  const waiting = useWaitingCount({
    selection,
    kept: told.rows.waiting.length,
    hasMore: hasGap(told.rows, base),
    newest: isNewestFirst ? rows : undefined,
  });
  const { isFetchingNextPage, refetch } = query;
  const { loadMore, retry } = useMore(query);
  return {
    rows,
    waiting,
    showWaiting: () => (isNewestFirst ? list.show() : void refetch()),
    isLoading: query.isPending && query.isFetching,
    isStopped: query.isPending && !query.isFetching && selection !== undefined,
    stop: () => void client.cancelQueries({ queryKey: ['rows', selection] }),
    error: query.error,
    retry,
    loadMore,
    isLoadingMore: isFetchingNextPage,
    isLive: isOpen,
  };
}

/** Sums are read again at most so often, and those for which the service looks at each call more rarely. */
const STATS_MS = 2000;
const LOOKED_STATS_MS = 10_000;

/** Tells the list what changes, and has its sums read again. */
function useChangesOf(
  project: string,
  list: LiveList,
  sums: CallsSelection | undefined,
  isFollowing: boolean,
): boolean {
  const refreshStats = useRefresh(['stats', sums], sums?.where === undefined ? STATS_MS : LOOKED_STATS_MS);
  const { isOpen } = useCallChanges(project, isFollowing, {
    onChanges: (changes) => {
      list.take(changes);
      refreshStats();
    },
    onReturn: () => {
      void list.catchUp();
      refreshStats();
    },
  });
  return isOpen;
}
