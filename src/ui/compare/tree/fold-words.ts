import type { PairTable } from '../answer/answer.ts';
import { type PairTree, pairOfCode } from './pair-tree.ts';
import { codeOfRun, runOfCode } from '../../tree/row-code.ts';

/** Behind the id of the first pair of a run; no id has it. */
const RUN = '*';

/** More make no address that one can hand on; a reload shows those as they are at first. */
const MAX_WORDS = 30;

/** The id by which an address names a pair: that of its call in B, or in A where B has none. */
export function idOfPair({ a, b }: PairTable, pair: number): string {
  return b.ids[pair] || (a.ids[pair] ?? '');
}

/** The pair of a call of either side; -1: there is none. */
export function pairOfId({ a, b }: PairTable, id: string): number {
  if (id === '') return -1;
  const inB = b.ids.indexOf(id);
  return inB >= 0 ? inB : a.ids.indexOf(id);
}

/** Words for the address: the lines that are open or folded against the default. */
export function wordsOfFolds(pairs: PairTable, tree: PairTree, toggled: ReadonlySet<number>): readonly string[] {
  if (toggled.size > MAX_WORDS) return [];
  return [...toggled].map((code) => `${idOfPair(pairs, pairOfCode(tree, code))}${runOfCode(code) === -1 ? '' : RUN}`);
}

export function foldsOfWords(pairs: PairTable, tree: PairTree, words: readonly string[]): ReadonlySet<number> {
  const codes = words.flatMap((word) => {
    const isRun = word.endsWith(RUN);
    const pair = pairOfId(pairs, isRun ? word.slice(0, -RUN.length) : word);
    if (pair < 0 || !isRun) return pair < 0 ? [] : [pair];
    const run = tree.runOf[pair] ?? -1;
    return run < 0 ? [] : [codeOfRun(run)];
  });
  return new Set(codes);
}
