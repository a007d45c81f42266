import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react';
import { useToast } from '../../controls/toast.tsx';
import type { CallRow, CallsSelection } from '../../data/answers.ts';
import { useCallChanges } from '../../data/call-changes.ts';
import { rowsKey, type Sorting, useCallRows } from '../../data/call-rows.ts';
import { useStillRunning } from '../use-still-running.ts';
import { baseOf } from './list-base.ts';
import { countAbove, hasGap, newestOf, rowsOf, waitingOf } from './live-rows.ts';
import { LiveList } from './live-list.ts';
import { useMore } from './use-more.ts';
import { usePageWindow } from './use-page-window.ts';
import { useRefresh } from './use-refresh.ts';
import { useTouched } from './use-touched.ts';

export interface CallList {
  readonly rows: readonly CallRow[];
  /** Rows of the list above those: they were read, and are kept no more. */
  readonly above: number;
  /** Reads those above again, as far as a row by its number; `undefined` while nothing is to be read. */
  readonly loadBefore: ((row: number) => void) | undefined;
  /** Rows that came and are not shown yet, as far as they are kept. */
  readonly waiting: readonly CallRow[];
  /** More wait than are kept. */
  readonly hasMoreWaiting: boolean;
  /** The rows from the top on, as far as they are there: at least the first; undefined where they are in another order. */
  readonly newest: readonly CallRow[] | undefined;
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
  /** The calls that its sums are of. */
  readonly sums: CallsSelection | undefined;
  readonly sorting: Sorting;
  readonly isLive: boolean;
  /** Something is being read or is selected: new rows wait. */
  readonly isHeld: boolean;
  /** A call is looked at, or some are selected: what got feedback stays. */
  readonly isLookedAt: boolean;
  /** The rows that are looked at, by their numbers. */
  readonly sight: () => { readonly first: number; readonly focused: number };
  /** No page may leave. */
  readonly keepsAll: boolean;
}

/** The order that is asked for; the newest first needs no word. */
export function orderOf(sorting: Sorting): Sorting | undefined {
  const { field, direction } = sorting;
  return field === 'started_at' && direction === 'desc' ? undefined : { field, direction };
}

/** The rows of a list with all that came since: changed ones in their place, new ones on top or waiting. */
export function useList(options: ListOptions): CallList {
  const { project, selection, sums, sorting, isLive, isHeld, isLookedAt, sight, keepsAll } = options;
  const { field, direction } = sorting;
  const order = useMemo(() => orderOf({ field, direction }), [field, direction]);
  const isNewestFirst = order === undefined;
  const query = useCallRows(selection, order);
  const client = useQueryClient();
  const toast = useToast();
  const pages = query.data?.pages;
  const places = query.data?.pageParams;
  const base = useMemo(() => baseOf(pages ?? [], isNewestFirst, places), [pages, isNewestFirst, places]);
  const key = useMemo(() => rowsKey(selection, order), [selection, order]);
  const list = useMemo(
    () => new LiveList({ client, selection, key, isByTime: order === undefined }),
    [client, selection, key, order],
  );
  const was = useSyncExternalStore(list.subscribe, list.told);
  const told = useMemo(() => list.on(base, was), [list, base, was]);
  // In another order nobody can say here where a new row belongs.
  const isWaiting = isHeld || !isNewestFirst;
  useEffect(() => list.read(base, isWaiting), [list, base, isWaiting]);
  const isFollowing = isLive && selection !== undefined && pages !== undefined;
  const refreshSums = useRefresh(['stats', sums], sums?.where === undefined ? STATS_MS : LOOKED_STATS_MS);
  const settle = useTouched(project, { list, key, selection, sums, isLookedAt, refreshSums });
  const isOpen = useChangesOf(project, { list, refreshSums, settle, isFollowing });
  const rows = useMemo(() => rowsOf(told.rows, base), [told, base]);
  useStillRunning(rows, isFollowing, async () => {
    if (await list.readRunning()) refreshSums();
  });
  const waiting = useMemo(() => waitingOf(told.rows), [told]);
  const { isFetchingNextPage, refetch } = query;
  const readBefore = useCallback(() => void query.fetchPreviousPage(), [query.fetchPreviousPage]);
  const loadBefore = usePageWindow({
    key,
    data: query.data,
    selection,
    order,
    sight,
    keepsAll,
    isFetching: query.isFetching,
    readBefore,
  });
  const { loadMore, retry } = useMore(query);
  return {
    rows,
    above: countAbove(told.rows, base),
    loadBefore: query.isFetchPreviousPageError ? undefined : loadBefore,
    waiting,
    hasMoreWaiting: hasGap(told.rows, base),
    newest: isNewestFirst ? newestOf(told.rows, base, rows) : undefined,
    showWaiting: () => {
      if (isNewestFirst)
        list.show().catch((error: Error) => toast({ text: `The newest calls could not be read: ${error.message}` }));
      // Where its top is not there, that is read as soon as one is there.
      else if (base.above === 0) void refetch();
    },
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

interface ChangesOptions {
  readonly list: LiveList;
  readonly refreshSums: () => void;
  readonly settle: () => void;
  readonly isFollowing: boolean;
}

/** Tells the list what changes, and has its sums read again. */
function useChangesOf(project: string, { list, refreshSums, settle, isFollowing }: ChangesOptions): boolean {
  const hasFollowed = useRef(false);
  const { isOpen } = useCallChanges(project, isFollowing, {
    onChanges: (changes) => {
      list.take(changes);
      refreshSums();
    },
    onReturn: () => {
      // What was read right before is as it was; while a page was hidden, calls were deleted and renamed, too.
      void list.catchUp(hasFollowed.current);
      hasFollowed.current = true;
      settle();
      refreshSums();
    },
  });
  const followed = useRef<LiveList>(undefined);
  const catchUp = useEffectEvent(() => {
    void list.catchUp(true);
    settle();
    refreshSums();
  });
  // The stream goes on where the pages of another list are there at once: what it told since they were read, it told to the former one.
  useEffect(() => {
    const former = followed.current;
    followed.current = isFollowing ? list : undefined;
    if (isFollowing && former !== undefined && former !== list) catchUp();
  }, [list, isFollowing]);
  return isOpen;
}
