import { canonicalJson } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { CallPlan, JsonColumn } from '../../../storage/contract/plan.ts';
import type { CallReader, StoredCall } from '../../../storage/contract/calls.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';

const ALL_BODIES: ReadonlySet<JsonColumn> = new Set(['attributes', 'inputs', 'output', 'summary']);

/** Traces summed by one read. */
const TRACES_PER_READ = 500;

/** Sums that one request remembers; an answer rarely comes back to a trace that far behind. */
const MAX_KNOWN_TRACES = 10_000;

/** Bytes of the canonical texts of a call's attributes, inputs, output and the client's summary. */
export function storedBytes(call: StoredCall): number {
  return (
    canonicalBytes(call.attributes) +
    canonicalBytes(call.inputs) +
    canonicalBytes(call.output) +
    canonicalBytes(call.summary)
  );
}

/** Sizes of the traces of one project within one request. */
export interface TraceSizes {
  /** Bytes of all visible calls of each of these traces; a trace without any is missing. */
  of(traceIds: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>;
}

/**
 * Sums each trace once, however many parts of an answer show a root of it: spans without a parent are roots too, so a
 * trace may have thousands, and reading it again for each part would take quadratic time.
 */
export function openTraceSizes(calls: CallReader, projectId: string, options: ReadOptions): TraceSizes {
  const known = new Map<string, number>();
  return {
    async of(traceIds) {
      const missing = [...traceIds].filter((id) => !known.has(id));
      const found = await sumTraces(calls, projectId, missing, options);
      const sizes = new Map(found);
      for (const id of traceIds) {
        const bytes = known.get(id);
        if (bytes !== undefined) sizes.set(id, bytes);
      }
      if (known.size + found.size > MAX_KNOWN_TRACES) known.clear();
      for (const [id, bytes] of found) known.set(id, bytes);
      return sizes;
    },
  };
}

async function sumTraces(
  calls: CallReader,
  projectId: string,
  traceIds: readonly string[],
  options: ReadOptions,
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (let index = 0; index < traceIds.length; index += TRACES_PER_READ) {
    const plan = planOfTraces(projectId, traceIds.slice(index, index + TRACES_PER_READ));
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
