import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useAsOf, useIsPaused } from '../data/as-of.ts';
import { type CallRecord, readCallAnswer } from './call-record.ts';
import { recordKey } from '../data/call-changes.ts';
import { lookAgain } from '../data/call-rows.ts';
import { useCallSource } from './call-source.ts';

/** How often a call that runs is asked for its end, beside what is told of it; a large one costs more than a late end. */
const RUNNING_MS = 2000;
const LARGE_MS = 30_000;
const LARGE_CHARACTERS = 200_000;

/** A call, read once when it has ended, will not end, or stands in a file; `null` where there is none of that id. */
export function useCallRecord(callId: string, isOver: boolean): UseQueryResult<CallRecord | null> {
  const source = useCallSource();
  const isPaused = useIsPaused();
  const isLive = useAsOf() === undefined && !isPaused;
  return useQuery({
    queryKey: recordKey(source.projectId, callId),
    // What was read for a list without costs is another question.
    queryFn: async ({ signal }) => readCallAnswer(await source.readCall(callId, signal)) ?? null,
    refetchInterval: (query) => {
      const { data } = query.state;
      if (!isLive || data === undefined) return false;
      return data === null ? lookAgain(query) : pauseOf(data, isOver);
    },
  });
}

function pauseOf(record: CallRecord, isOver: boolean): number | false {
  if (isOver || record.endedAt !== undefined) return false;
  return record.text.length > LARGE_CHARACTERS ? LARGE_MS : RUNNING_MS;
}
