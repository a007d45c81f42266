import { at } from '../tree/numbers.ts';
import type { CallColumns, PairTable } from './answer/answer.ts';

/** The pairs with a text in the name, the op, the model, the error or the id of one of their calls, in order. */
export function findPairs(pairs: PairTable, wanted: string): Int32Array {
  const word = wanted.trim().toLowerCase();
  if (word === '') return new Int32Array();
  // Each text is looked through once, however many calls have it.
  const holds = Uint8Array.from(pairs.texts, (text) => Number(text.toLowerCase().includes(word)));
  const has = (column: Int32Array, pair: number): boolean => at(column, pair) >= 0 && holds[at(column, pair)] === 1;
  const isIn = ({ ids, name, model, error }: CallColumns, pair: number): boolean =>
    has(name, pair) || has(model, pair) || has(error, pair) || (ids[pair] ?? '').toLowerCase() === word;
  const found: number[] = [];
  for (let pair = 0; pair < pairs.count; pair++) {
    if (has(pairs.op, pair) || isIn(pairs.a, pair) || isIn(pairs.b, pair)) found.push(pair);
  }
  return Int32Array.from(found);
}
