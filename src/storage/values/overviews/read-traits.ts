import { parsePlainJson } from '../../../protocol/values/json.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { StoredCall } from '../../contract/calls.ts';
import type { CallSelection } from '../../contract/plan.ts';
import type { CallTraits, TraitPlan } from '../../contract/traits.ts';
import { startPatience } from '../patience.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import { sampleOf } from '../sample.ts';
import { MAX_LOOKED_INTO_BYTES, MAX_TRAIT_BYTES, type TraitedCall, TraitMaker } from './trait-maker.ts';

/** Calls that are read together: of large ones not all may be wanted. */
const CALLS_AT_ONCE = 2000;

/** Where calls are read whose traits are found here. */
export interface TraitSource {
  /** The ids of a selection, in an order that is the same each time. */
  ids(selection: CallSelection): AsyncIterable<readonly string[]>;
  /** The calls of a selection with attributes, inputs and summary. */
  calls(selection: CallSelection): AsyncIterable<readonly StoredCall[]>;
}

/** Finds the traits of calls that are read whole. */
export async function readTraits(source: TraitSource, plan: TraitPlan, options: ReadOptions): Promise<CallTraits> {
  const { projectId, without, limit } = plan;
  const left = new Set(without === undefined ? [] : await idsOf(source, without));
  const ids = (await idsOf(source, plan)).filter((id) => !left.has(id));
  const maker = new TraitMaker(ids.length);
  const { check, rest } = startPatience(options);
  const chosen = sampleOf(ids, limit);
  let bytes = 0;
  for (let place = 0; place < chosen.length && bytes < MAX_TRAIT_BYTES; place += CALLS_AT_ONCE) {
    const callIds = chosen.slice(place, place + CALLS_AT_ONCE);
    for await (const calls of source.calls({ projectId, filter: { callIds } })) {
      for (const call of calls) {
        maker.add(traitedCall(call));
        bytes += lengthOf(call.attributes) + lengthOf(call.inputs);
        check();
        await rest();
      }
    }
  }
  return maker.finish();
}

async function idsOf(source: TraitSource, { projectId, filter, condition }: CallSelection): Promise<string[]> {
  const ids: string[] = [];
  for await (const chunk of source.ids({ projectId, filter, ...(condition && { condition }) })) ids.push(...chunk);
  return ids;
}

function traitedCall(call: StoredCall): TraitedCall {
  return {
    traceId: call.trace_id,
    opName: call.op_name,
    isRoot: call.parent_id === null,
    hasThread: call.thread_id !== null,
    startedAt: call.started_at,
    endedAt: call.ended_at,
    exception: call.exception,
    attributes: bodyOf(call.attributes),
    inputs: bodyOf(call.inputs),
    inputBytes: call.inputs === null ? 0 : Buffer.byteLength(call.inputs),
    summary: call.summary === null ? null : parsePlainJson(call.summary),
  };
}

/** The body where it is looked into. */
function bodyOf(text: string | null): JsonValue {
  if (text === null || Buffer.byteLength(text) > MAX_LOOKED_INTO_BYTES) return null;
  return parsePlainJson(text);
}

function lengthOf(text: string | null): number {
  return text?.length ?? 0;
}
