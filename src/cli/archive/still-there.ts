import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../protocol/call.ts';
import { parseJson } from '../../protocol/values/json.ts';

/** Has a service the call that was exported? Both are JSON as a service sends it. */
export function isStillThere(exported: string, there: string): boolean {
  return there === exported || hasEndedSince(exported, there);
}

/** Programs go on while what they have recorded is moved. */
function hasEndedSince(exported: string, there: string): boolean {
  // Both were written by services.
  const [before, now] = [parseJson(exported), parseJson(there)] as unknown as [Call, Call];
  return before.ended_at === null && now.ended_at !== null && isDeepStrictEqual(begunOf(before), begunOf(now));
}

/** A call without what its end says. */
function begunOf(call: Call): Partial<Call> {
  const { ended_at: _time, exception: _exception, output: _output, summary: _summary, ...begun } = call;
  const { svc_run_step_end: _step, storage_size_bytes: _size, total_storage_size_bytes: _total, ...rest } = begun;
  return rest;
}
