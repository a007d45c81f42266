import type { Call } from '../../../protocol/call.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import { asJsonObject } from '../../../protocol/values/json-object.ts';
import type { Cost } from '../../../reader/call-cost.ts';
import type { ComparedCall } from '../../../reader/compare/comparison.ts';
import { numbersOf } from '../../../reader/compare/numbers.ts';
import { kindOf as differenceOf } from '../../../reader/compare/origins.ts';
import { kindOf } from '../../call/call-kind.ts';
import type { Cost as ShownCost } from '../../format/cost.ts';
import type { CallColumns, PairTable, ShownCause } from './answer.ts';
import { PAIR_KINDS, PAIR_STATES, type PairState } from './pair-kinds.ts';
import { shownCause } from './shown-cause.ts';

const NONE = -1;
const MAX_ERROR = 200;

/** The calls of a comparison as columns: twenty thousand of them reach the page from their thread at once. */
export function pairTable(calls: readonly ComparedCall[]): PairTable {
  const texts = new Numbering();
  const causes = new Numbering();
  const known: ShownCause[] = [];
  const causeOf = ({ cause }: ComparedCall): number => {
    if (cause === null) return NONE;
    const shown = shownCause(cause);
    const number = causes.numberOf(JSON.stringify(shown));
    known[number] ??= shown;
    return number;
  };
  const either = ({ a, b }: ComparedCall, read: (call: Call) => string): number => {
    const call = b ?? a;
    return call === null ? NONE : texts.numberOf(read(call));
  };
  return {
    count: calls.length,
    parent: Int32Array.from(calls, ({ parent }) => parent ?? NONE),
    kind: Uint8Array.from(calls, (call) => PAIR_KINDS.indexOf(differenceOf(call) ?? 'same')),
    isOrigin: Uint8Array.from(calls, ({ isOrigin }) => Number(isOrigin)),
    isMoved: Uint8Array.from(calls, ({ isMoved }) => Number(isMoved)),
    isCut: Uint8Array.from(calls, ({ isCut }) => Number(isCut)),
    cause: Int32Array.from(calls, causeOf),
    causes: known,
    op: Int32Array.from(calls, (call) => either(call, ({ op_name: name }) => opNameOf(name))),
    opKind: Int32Array.from(calls, (call) => either(call, ({ attributes }) => kindOf(attributes))),
    a: columnsOf(
      calls.map(({ a }) => a),
      texts,
    ),
    b: columnsOf(
      calls.map(({ b }) => b),
      texts,
    ),
    texts: texts.all,
  };
}

function columnsOf(calls: readonly (Call | null)[], texts: Numbering): CallColumns {
  const text = (call: Call | null, read: (of: Call) => string | undefined): number => {
    const found = call === null ? undefined : read(call);
    return found === undefined ? NONE : texts.numberOf(found);
  };
  const numbers = calls.map((call) => call && numbersOf(call));
  const costs = numbers.map((each) => shownCost(each?.cost ?? null));
  return {
    ids: calls.map((call) => call?.id ?? ''),
    name: Int32Array.from(calls, (call) => text(call, nameOf)),
    model: Int32Array.from(calls, (call) => text(call, modelOf)),
    error: Int32Array.from(calls, (call) => text(call, errorOf)),
    state: Uint8Array.from(calls, (call) => (call === null ? 0 : PAIR_STATES.indexOf(stateOf(call)))),
    durationMs: Float64Array.from(numbers, (each) => each?.durationMs ?? Number.NaN),
    tokens: Float64Array.from(numbers, (each) => each?.tokens ?? Number.NaN),
    cost: Float64Array.from(costs, ({ usd }) => usd ?? Number.NaN),
    isUnpriced: Uint8Array.from(costs, ({ isUnpriced }) => Number(isUnpriced)),
  };
}

/** The name that a call is shown under. */
export function nameOf({ display_name: own, op_name: op }: Call): string {
  return own ?? opNameOf(op);
}

/** Of calls that ask a model: which one. Those above them have the usage of many. */
function modelOf({ attributes, summary }: Call): string | undefined {
  const kind = kindOf(attributes);
  if (kind !== 'llm' && kind !== 'embedding') return undefined;
  return Object.keys(asJsonObject(asJsonObject(summary)['usage']))[0];
}

function errorOf({ exception }: Call): string | undefined {
  return exception?.split('\n', 1)[0]?.slice(0, MAX_ERROR).toWellFormed();
}

export function stateOf({ exception, ended_at: end }: Call): PairState {
  if (exception !== null) return 'error';
  return end === null ? 'open' : 'success';
}

/** Money of other currencies is told by the trace itself. */
export function shownCost(cost: Cost | null | undefined): ShownCost {
  return { usd: cost?.amounts['USD'] ?? null, isUnpriced: (cost?.unpricedModels.length ?? 0) > 0 };
}

/** Texts by the order in which they were met. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}
