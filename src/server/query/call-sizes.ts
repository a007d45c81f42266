import { canonicalJson } from '../../protocol/canonical-json.ts';
import { parseJson } from '../../protocol/json.ts';
import type { CallPlan, JsonColumn } from '../../storage/plan.ts';
import type { CallReader, JsonText, ReadOptions, StoredCall } from '../../storage/storage.ts';

export const ALL_BODIES: ReadonlySet<JsonColumn> = new Set(['attributes', 'inputs', 'output', 'summary']);

/** Traces summed by one read. */
const TRACES_PER_READ = 500;

/** Bytes of the canonical texts of a call's attributes, inputs, output and the client's summary. */
export function storedBytes(call: StoredCall): number {
  return (
    canonicalBytes(call.attributes) +
    canonicalBytes(call.inputs) +
    canonicalBytes(call.output) +
    canonicalBytes(call.summary)
  );
}

/** Bytes of all visible calls of each of these traces. */
export async function traceBytes(
  calls: CallReader,
  projectId: string,
  traceIds: ReadonlySet<string>,
  options: ReadOptions,
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const ids = [...traceIds];
  for (let index = 0; index < ids.length; index += TRACES_PER_READ) {
    const plan = planOfTraces(projectId, ids.slice(index, index + TRACES_PER_READ));
    for await (const chunk of calls.query(plan, options)) {
      for (const call of chunk) sums.set(call.trace_id, (sums.get(call.trace_id) ?? 0) + storedBytes(call));
    }
  }
  return sums;
}

function planOfTraces(projectId: string, traceIds: readonly string[]): CallPlan {
  const sort = [{ field: { kind: 'text', column: 'id' }, isDescending: false }] as const;
  return { projectId, filter: { traceIds }, sort, offset: 0, bodies: ALL_BODIES };
}

/** Canonical text is ASCII, so its length is its size. */
function canonicalBytes(text: JsonText | null): number {
  return text === null ? 0 : canonicalJson(parseJson(text)).length;
}
