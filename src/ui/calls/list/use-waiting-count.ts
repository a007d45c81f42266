import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countCalls } from '../../data/calls-stats.ts';
import { microsOf } from '../../data/page-place.ts';
import type { CallList } from './use-list.ts';
import { useRowsBeyond } from './use-rows-beyond.ts';
import type { WantedCalls } from './use-wanted.ts';

/** Rows that came and are not shown yet. */
export interface Waiting {
  readonly count: number;
  /** There may be more: the service has not said yet how many. */
  readonly isAtLeast: boolean;
}

export interface WaitingOptions {
  readonly project: string;
  readonly list: Pick<CallList, 'waiting' | 'hasMoreWaiting' | 'newest'>;
  readonly wanted: Pick<WantedCalls, 'sums' | 'beyond'>;
  /** It is not asked again. @default false */
  readonly isPaused?: boolean;
}

/** How often it is asked how many wait. */
const COUNT_MS = 1000;

/**
 * How many calls wait to be shown, as far as the filter means them. Of more than are kept here the service knows the number.
 */
export function useWaitingCount({ project, list, wanted, isPaused = false }: WaitingOptions): Waiting {
  const { sums, beyond } = wanted;
  const { hasMoreWaiting: hasMore, newest } = list;
  const { rows: kept } = useRowsBeyond({ project, rows: list.waiting, conditions: beyond });
  const top = newest?.[0];
  const atTop = useMemo(() => newest?.filter((row) => top && microsOf(row) === microsOf(top)) ?? [], [newest, top]);
  const { rows: shown } = useRowsBeyond({ project, rows: atTop, conditions: beyond });
  const isAsked = hasMore && sums !== undefined && top !== undefined;
  const { data } = useQuery({
    queryKey: ['waiting', sums, top?.started_at],
    enabled: isAsked,
    gcTime: 0,
    refetchInterval: isPaused ? false : COUNT_MS,
    queryFn: ({ signal }) => countCalls({ ...sums, started_after: top?.started_at }, signal),
  });
  if (!hasMore) return { count: kept.length, isAtLeast: false };
  if (!isAsked || data === undefined) return { count: kept.length, isAtLeast: kept.length > 0 };
  return { count: Math.max(kept.length, data - shown.length), isAtLeast: false };
}
