import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CallRow, CallsSelection } from '../../data/answers.ts';
import { useCallChanges } from '../../data/call-changes.ts';
import type { Changes } from '../../data/change-stream.ts';
import { newestRows, type Sorting, useCallRows } from '../../data/call-rows.ts';

export interface CallList {
  readonly rows: readonly CallRow[];
  /** Rows that came and are not shown yet. */
  readonly waiting: number;
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
  readonly sorting: Sorting;
  readonly isLive: boolean;
  /** Something is being read or is selected: new rows wait. */
  readonly isHeld: boolean;
}

/** New rows that are asked for at a time, where a filter decides which of the changed calls belong to the list. */
const NEWEST = 50;
/** Sums are read again at most so often. */
const STATS_MS = 2000;

/** The rows of a list with all that came since: changed ones in their place, new ones on top or waiting. */
export function useList({ project, selection, sorting, isLive, isHeld }: ListOptions): CallList {
  const isNewestFirst = sorting.field === 'started_at' && sorting.direction === 'desc';
  const query = useCallRows(selection, isNewestFirst ? undefined : sorting);
  const client = useQueryClient();
  const [changed, setChanged] = useState<ReadonlyMap<string, CallRow>>(new Map());
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [arrived, setArrived] = useState<readonly CallRow[]>([]);
  const [shownCount, setShownCount] = useState(0);
  useEffect(() => {
    setChanged(new Map());
    setGone(new Set());
    setArrived([]);
    setShownCount(0);
  }, [selection, sorting.field, sorting.direction]);

  const pages = query.data?.pages;
  const loaded = useMemo(() => (pages ?? []).flatMap(({ rows }) => rows), [pages]);
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    known.current = new Set([...loaded, ...arrived].map(({ id }) => id));
  }, [loaded, arrived]);

  const refreshStats = useThrottled(() => void client.invalidateQueries({ queryKey: ['stats', selection] }), STATS_MS);
  const arrive = useCallback((rows: readonly CallRow[]) => {
    const fresh = rows.filter(({ id }) => !known.current.has(id));
    if (fresh.length === 0) return;
    setArrived((was) => [...fresh, ...was].sort(newestFirst));
  }, []);
  const catchUp = useCallback(async () => {
    if (selection === undefined) return;
    arrive(await newestRows(selection, NEWEST));
    refreshStats();
  }, [selection, arrive, refreshStats]);
  const live = useCallChanges(project, isLive && selection !== undefined && pages !== undefined, {
    onChanges: ({ rows, gone: left, hasMissed }: Changes) => {
      const isAsked = selection?.query !== undefined || selection?.filter !== undefined;
      setChanged((was) => withRows(was, rows));
      if (left.length > 0) setGone((was) => new Set([...was, ...left]));
      if (isAsked || hasMissed) void catchUp().catch(() => undefined);
      else arrive(rows.filter((row) => belongs(row, selection)));
      refreshStats();
    },
    onReturn: () => void catchUp().catch(() => undefined),
  });

  const isShowing = !isHeld && isNewestFirst;
  useEffect(() => {
    if (isShowing) setShownCount(arrived.length);
  }, [isShowing, arrived.length]);
  const waiting = arrived.length - Math.min(shownCount, arrived.length);
  const rows = useMemo(() => {
    const top = isNewestFirst ? arrived.slice(waiting) : [];
    const all = [...top, ...loaded].filter(({ id }) => !gone.has(id));
    return all.map((row) => changed.get(row.id) ?? row);
  }, [isNewestFirst, arrived, waiting, loaded, changed, gone]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const loadMore = useMemo(
    () => (hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined),
    [hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return {
    rows,
    waiting,
    showWaiting: () => (isNewestFirst ? setShownCount(arrived.length) : void query.refetch()),
    isLoading: query.isPending && query.isFetching,
    isStopped: query.isPending && !query.isFetching && selection !== undefined,
    stop: () => void client.cancelQueries({ queryKey: ['rows', selection] }),
    error: query.error,
    retry: () => void query.refetch(),
    loadMore,
    isLoadingMore: isFetchingNextPage,
    isLive: live.isOpen,
  };
}

function belongs(row: CallRow, selection: CallsSelection | undefined): boolean {
  if (selection?.roots_only === true && row.parent_id !== null) return false;
  const at = Date.parse(row.started_at);
  const { started_after: after, started_before: before } = selection ?? {};
  return at >= (after == null ? -Infinity : Date.parse(after)) && at < (before == null ? Infinity : Date.parse(before));
}

function newestFirst(a: CallRow, b: CallRow): number {
  return b.started_at.localeCompare(a.started_at) || b.id.localeCompare(a.id);
}

function withRows(was: ReadonlyMap<string, CallRow>, rows: readonly CallRow[]): ReadonlyMap<string, CallRow> {
  return new Map([...was, ...rows.map((row) => [row.id, row] as const)]);
}

/** At once, then at most every `ms`, and once more after the last call. */
function useThrottled(run: () => void, ms: number): () => void {
  const latest = useRef(run);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, ms);
  }, [ms]);
}
