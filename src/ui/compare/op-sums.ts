import { at } from '../tree/numbers.ts';
import type { CallColumns, PairTable, Sides } from './answer/answer.ts';
import { PAIR_STATES } from './answer/pair-kinds.ts';
import { isOpenAt, moneyOf } from './known-numbers.ts';

/** All calls of one op on one side. */
export interface OpSide {
  readonly calls: number;
  readonly errors: number;
  /** Calls without an end: times are without theirs. */
  readonly open: number;
  /** Milliseconds of all of them; what runs at the same time counts for each. */
  readonly totalMs: number;
  /** NaN: none has an end. */
  readonly medianMs: number;
  /** With those of calls below; NaN: no model was used. */
  readonly tokens: number;
  readonly cost: number;
  readonly isUnpriced: boolean;
}

export interface OpSums extends Sides<OpSide> {
  readonly op: string;
  readonly kind: string;
}

const ERROR = PAIR_STATES.indexOf('error');

/** Time that all of them took, to hold against the other side; NaN: nobody knows. */
export function timeOfOp({ open, totalMs }: OpSide): number {
  return open === 0 ? totalMs : Number.NaN;
}

/** Cost of all of them, likewise. */
export function moneyOfOp({ open, isUnpriced, cost, tokens }: OpSide): number {
  return moneyOf({ cost, tokens, isWhole: open === 0 && !isUnpriced });
}

/** The numbers of each op, those with the largest change of time first. */
export function opSums({ count, op, opKind, texts, a, b }: PairTable): readonly OpSums[] {
  const pairsOf = new Map<number, number[]>();
  for (let pair = 0; pair < count; pair++) {
    const known = pairsOf.get(at(op, pair));
    if (known) known.push(pair);
    else pairsOf.set(at(op, pair), [pair]);
  }
  const sums = [...pairsOf].map(([name, pairs]) => ({
    op: texts[name] ?? '',
    kind: texts[at(opKind, pairs[0] ?? 0)] ?? 'other',
    a: sideOf(a, pairs),
    b: sideOf(b, pairs),
  }));
  const changeOf = (each: OpSums): number => Math.abs(each.b.totalMs - each.a.totalMs);
  return sums.sort((one, other) => changeOf(other) - changeOf(one));
}

function sideOf(columns: CallColumns, pairs: readonly number[]): OpSide {
  const { ids, state, durationMs, tokens, cost, isUnpriced } = columns;
  const own = pairs.filter((pair) => ids[pair] !== '');
  const times = own.map((pair) => at(durationMs, pair)).filter((ms) => !Number.isNaN(ms));
  return {
    calls: own.length,
    errors: own.filter((pair) => at(state, pair) === ERROR).length,
    open: own.filter((pair) => isOpenAt(columns, pair)).length,
    totalMs: times.reduce((sum, ms) => sum + ms, 0),
    medianMs: times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)] ?? Number.NaN,
    tokens: sumOf(tokens, own),
    cost: sumOf(cost, own),
    isUnpriced: own.some((pair) => at(isUnpriced, pair) === 1),
  };
}

/** NaN where none of them has a number. */
function sumOf(column: Float64Array, pairs: readonly number[]): number {
  const known = pairs.map((pair) => at(column, pair)).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0);
}
