import { send } from './ask.ts';
import { readLines } from './read-lines.ts';

/** The inputs of calls by their ids, as texts that are equal where the inputs are. */
export async function inputsOf(
  projectId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const body = { project_id: projectId, filter: { call_ids: ids }, columns: ['inputs'] };
  const calls = await readLines<CallInputs>(await send('/x/api/calls/stream_query', body, { signal }));
  return new Map(calls.map(({ id, inputs }) => [id, JSON.stringify(inputs)]));
}

interface CallInputs {
  readonly id: string;
  readonly inputs: unknown;
}
