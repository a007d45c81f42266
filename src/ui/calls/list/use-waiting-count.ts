import { useQuery } from '@tanstack/react-query';
import type { CallRow, CallsSelection } from '../../data/answers.ts';
import { countCalls } from '../../data/calls-stats.ts';
import { microsOf } from '../../data/page-place.ts';

/** Rows that came and are not shown yet. */
export interface Waiting {
  readonly count: number;
  /** There may be more: the service has not said yet how many. */
  readonly isAtLeast: boolean;
}

export interface WaitingOptions {
  readonly selection: CallsSelection | undefined;
  /** Rows that wait here. */
  readonly kept: number;
  /** More wait than are kept. */
  readonly hasMore: boolean;
  /** The rows that are shown, the newest first; undefined where they are in another order. */
  readonly newest: readonly CallRow[] | undefined;
}

/** How often it is asked how many wait. */
const COUNT_MS = 1000;

/** How many calls wait to be shown. Of more than are kept here the service knows the number. */
export function useWaitingCount({ selection, kept, hasMore, newest }: WaitingOptions): Waiting {
  const top = newest?.[0];
  const isAsked = hasMore && selection !== undefined && top !== undefined;
  const { data } = useQuery({
    queryKey: ['waiting', selection, top?.started_at],
    enabled: isAsked,
    gcTime: 0,
    refetchInterval: COUNT_MS,
    queryFn: ({ signal }) => countCalls({ ...selection, started_after: top?.started_at }, signal),
  });
  if (!hasMore) return { count: kept, isAtLeast: false };
  if (!isAsked || data === undefined) return { count: kept, isAtLeast: true };
  const shown = newest?.filter((row) => microsOf(row) === microsOf(top)).length ?? 0;
  return { count: Math.max(kept, data - shown), isAtLeast: false };
}
