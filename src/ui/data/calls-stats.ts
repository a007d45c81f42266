import { keepPreviousData, type QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CallsSelection, CallsStats, Facet } from './answers.ts';
import { ask } from './ask.ts';

/** Bars of the histogram over a list. */
const BUCKETS = 96;

/** Counts, sums and the histogram of a selection. The former ones stay until the new ones are there. */
export function useCallsStats(selection: CallsSelection | undefined): UseQueryResult<CallsStats> {
  return useQuery({
    queryKey: ['stats', selection],
    enabled: selection !== undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    queryFn: ({ signal }) => askStats(selection, signal),
  });
}

/** Reads the sums of calls that are to be shown. Returns what keeps them for then. */
export async function readStats(
  client: QueryClient,
  selection: CallsSelection | undefined,
  signal: AbortSignal,
): Promise<() => void> {
  const stats = await askStats(selection, signal);
  return () => void client.setQueryData<CallsStats>(['stats', selection], stats);
}

async function askStats(selection: CallsSelection | undefined, signal: AbortSignal): Promise<CallsStats> {
  return await ask<CallsStats>('/x/calls/stats', { ...selection, histogram: { buckets: BUCKETS } }, { signal });
}

/** How many calls a selection holds. */
export function useCallCount(selection: CallsSelection | undefined): UseQueryResult<number> {
  return useQuery({
    queryKey: ['count', selection],
    enabled: selection !== undefined,
    queryFn: ({ signal }) => countCalls(selection, signal),
  });
}

export async function countCalls(selection: object | undefined, signal: AbortSignal): Promise<number> {
  return (await ask<CallsStats>('/x/calls/stats', selection, { signal })).count;
}

/** The values that a field has most often, for suggestions. */
export function useFacet(
  selection: CallsSelection | undefined,
  field: string | undefined,
): UseQueryResult<Facet | null> {
  return useQuery({
    queryKey: ['facet', selection, field],
    enabled: selection !== undefined && field !== undefined,
    queryFn: async ({ signal }) => {
      const body = { ...selection, facets: [{ field, limit: FACET_VALUES }] };
      return (await ask<CallsStats>('/x/calls/stats', body, { signal })).facets?.[0] ?? null;
    },
  });
}

const FACET_VALUES = 50;
