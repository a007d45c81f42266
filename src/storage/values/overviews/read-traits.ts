import { parsePlainJson } from '../../../protocol/values/json.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { StoredCall } from '../../contract/calls.ts';
import type { CallSelection } from '../../contract/plan.ts';
import type { CallTraits, TraitPlan } from '../../contract/traits.ts';
import { startPatience } from '../patience.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import { compareCodePoints } from '../../../protocol/values/canonical-json.ts';
import { IdSample } from '../sample.ts';
import { MAX_LOOKED_INTO_BYTES, MAX_TRAIT_BYTES, type TraitedCall, TraitMaker } from './trait-maker.ts';

/** Calls that are read together: of large ones not all may be wanted. */
const CALLS_AT_ONCE = 2000;

/** Where calls are read whose traits are found here. */
export interface TraitSource {
  /** The ids of a selection, each once, in the order of their code points. */
  ids(selection: CallSelection): AsyncIterable<readonly string[]>;
  /** The calls of a selection with attributes, inputs and summary. */
  calls(selection: CallSelection): AsyncIterable<readonly StoredCall[]>;
}

/** Finds the traits of calls that are read whole. However many there are, little more is held than what is looked at. */
export async function readTraits(source: TraitSource, plan: TraitPlan, options: ReadOptions): Promise<CallTraits> {
  const { projectId, without, limit } = plan;
  const { check, rest } = startPatience(options);
  const sample = new IdSample(limit);
  const all = source.ids(selectionOf(plan));
  for await (const ids of without === undefined ? all : idsBut(all, source.ids(selectionOf(without)), check)) {
    for (const id of ids) {
      check();
      sample.add(id);
    }
    await rest();
  }
  const maker = new TraitMaker(sample.count);
  const chosen = sample.ids();
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

function selectionOf({ projectId, filter, condition }: CallSelection): CallSelection {
  return { projectId, filter, ...(condition && { condition }) };
}

/** The ids that are not among others, both of which come in one order: so none of them need be held. */
async function* idsBut(
  ids: AsyncIterable<readonly string[]>,
  others: AsyncIterable<readonly string[]>,
  check: () => void,
): AsyncGenerator<readonly string[]> {
  const left = others[Symbol.asyncIterator]();
  let next = await left.next();
  let at = 0;
  try {
    for await (const chunk of ids) {
      const kept: string[] = [];
      for (const id of chunk) {
        while (next.done !== true && compareCodePoints(next.value[at] ?? '', id) < 0) {
          check();
          at += 1;
          if (at >= next.value.length) [next, at] = [await left.next(), 0];
        }
        if (next.done === true || next.value[at] !== id) kept.push(id);
      }
      yield kept;
    }
  } finally {
    await left.return?.();
  }
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
