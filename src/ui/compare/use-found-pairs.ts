import { useMemo } from 'react';
import type { Find } from '../controls/find-field.tsx';
import type { PairTable } from './answer/answer.ts';
import { findPairs } from './find-pairs.ts';

interface FoundOptions {
  readonly text: string;
  /** The one that is selected. */
  readonly pair: number;
  readonly onText: (text: string) => void;
  readonly onPair: (pair: number) => void;
}

interface FoundPairs {
  readonly find: Find;
  readonly found: ReadonlySet<number>;
}

/** Finds among the pairs of a comparison. */
export function useFoundPairs(pairs: PairTable, { text, pair, onText, onPair }: FoundOptions): FoundPairs {
  const list = useMemo(() => findPairs(pairs, text), [pairs, text]);
  const found = useMemo(() => new Set(list), [list]);
  const find: Find = {
    text,
    count: list.length,
    position: list.indexOf(pair) + 1,
    set: onText,
    step: (step) => {
      const behind = list.findIndex((each) => (step === 1 ? each > pair : each >= pair));
      const next = step === 1 ? list[Math.max(0, behind)] : list.at(behind === -1 ? -1 : behind - 1);
      if (next !== undefined) onPair(next);
    },
  };
  return { find, found };
}
