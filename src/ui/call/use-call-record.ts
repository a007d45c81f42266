import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useAsOf } from '../data/as-of.ts';
import { type CallRecord, readCallAnswer } from './call-record.ts';
import { recordKey } from '../data/call-changes.ts';
import { useCallSource } from './call-source.ts';

/** How often a call that runs is asked for its end, beside what is told of it; a large one costs more than a late end. */
const RUNNING_MS = 2000;
const LARGE_MS = 30_000;
const LARGE_CHARACTERS = 200_000;

/** A call that is not there may be on its way. */
const LOOKED_FOR_MS = 5000;

/** A call, read once when it has ended, will not end, or stands in a file; `null` where there is none of that id. */
export function useCallRecord(callId: string, isOver: boolean): UseQueryResult<CallRecord | null> {
  const source = useCallSource();
  const isLive = useAsOf() === undefined;
  return useQuery({
    queryKey: recordKey(source.projectId, callId),
    // What was read for a list without costs is another question.
    queryFn: async ({ signal }) => readCallAnswer(await source.readCall(callId, signal)) ?? null,
    refetchInterval: ({ state: { data } }) => (isLive && data !== undefined ? pauseOf(data, isOver) : false),
  });
}

function pauseOf(record: CallRecord | null, isOver: boolean): number | false {
  if (record === null) return LOOKED_FOR_MS;
  if (isOver || record.endedAt !== undefined) return false;
  return record.text.length > LARGE_CHARACTERS ? LARGE_MS : RUNNING_MS;
}
