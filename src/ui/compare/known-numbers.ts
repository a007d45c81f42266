import { at } from '../tree/numbers.ts';
import type { CallColumns } from './answer/answer.ts';
import { PAIR_STATES } from './answer/pair-kinds.ts';

const OPEN = PAIR_STATES.indexOf('open');

/** Milliseconds of a call to hold against the other one: 0 where this side has no such call, NaN where nobody knows. */
export function timeAt({ ids, durationMs }: CallColumns, pair: number): number {
  return ids[pair] === '' ? 0 : at(durationMs, pair);
}

/** US dollars of a call, likewise. */
export function moneyAt({ ids, state, cost, tokens, isUnpriced }: CallColumns, pair: number): number {
  if (ids[pair] === '') return 0;
  const isWhole = at(state, pair) !== OPEN && at(isUnpriced, pair) === 0;
  return moneyOf({ cost: at(cost, pair), tokens: at(tokens, pair), isWhole });
}

export interface Spent {
  readonly cost: number;
  readonly tokens: number;
  /** All of it is over, and has a price. */
  readonly isWhole: boolean;
}

/** NaN: nobody knows. Who used no model has spent nothing; models that cost no dollars may have cost other money. */
export function moneyOf({ cost, tokens, isWhole }: Spent): number {
  if (!isWhole) return Number.NaN;
  return Number.isNaN(cost) && Number.isNaN(tokens) ? 0 : cost;
}

export function isOpenAt({ ids, state }: CallColumns, pair: number): boolean {
  return ids[pair] !== '' && at(state, pair) === OPEN;
}
