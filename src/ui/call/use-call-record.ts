import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useAsOf } from '../data/as-of.ts';
import { type CallRecord, readCallAnswer } from './call-record.ts';
import { useCallSource } from './call-source.ts';

/** How often a call that runs is asked for its end. */
const RUNNING_MS = 2000;

/** A call, read once when it has ended, will not end, or stands in a file; `null` where there is none of that id. */
export function useCallRecord(callId: string, isOver: boolean): UseQueryResult<CallRecord | null> {
  const source = useCallSource();
  const mayEnd = useAsOf() === undefined && !isOver;
  return useQuery({
    queryKey: ['call record', source.projectId, callId],
    // What was read for a list without costs is another question.
    queryFn: async ({ signal }) => readCallAnswer(await source.readCall(callId, signal)) ?? null,
    refetchInterval: ({ state: { data } }) =>
      mayEnd && data !== undefined && data !== null && data.endedAt === undefined ? RUNNING_MS : false,
  });
}
