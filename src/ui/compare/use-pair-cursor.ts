import { useEffect, useRef, useState } from 'react';
import type { CompareState } from '../address/pages.ts';
import type { ChangeAddress } from '../address/use-address.ts';
import { type TreeCursor, useSteadyCursor } from '../tree/tree-cursor.ts';
import type { ComparedAnswer } from './answer/answer.ts';
import { foldsOfWords, idOfPair, pairOfId, wordsOfFolds } from './tree/fold-words.ts';
import { type PairTree, pairOfCode } from './tree/pair-tree.ts';
import { revealed, toggledTo } from './tree/visible-pairs.ts';

/** The selected line and what is folded; both are in the address. */
export interface PairCursor extends TreeCursor {
  readonly toggled: ReadonlySet<number>;
  /** The pair that is selected, or the first of a run. */
  readonly pair: number;
}

export function usePairCursor(
  { pairs, origins }: ComparedAnswer,
  tree: PairTree,
  [state, change]: readonly [CompareState, ChangeAddress<CompareState>],
): PairCursor {
  /** Where no call is named, the first cause is selected. */
  const first = origins[0]?.pairs[0] ?? 0;
  const [{ toggled, code }, setCursor] = useState(() => {
    const named = pairOfId(pairs, state.call);
    const line = named < 0 ? first : named;
    return { code: line, toggled: revealed(pairs, tree, foldsOfWords(pairs, tree, state.fold), line) };
  });
  const written = useRef(state.call);
  useEffect(() => {
    // Back and forward, and links within the page.
    if (state.call === written.current) return;
    written.current = state.call;
    const named = pairOfId(pairs, state.call);
    const line = state.call === '' ? first : named;
    if (line >= 0) setCursor((was) => ({ code: line, toggled: revealed(pairs, tree, was.toggled, line) }));
  }, [state.call, pairs, tree, first]);

  const select = (line: number, step: 'push' | 'replace' = 'push'): void => {
    const next = revealed(pairs, tree, toggled, line);
    setCursor({ code: line, toggled: next });
    const id = idOfPair(pairs, pairOfCode(tree, line));
    if (id === written.current && next === toggled) return;
    written.current = id;
    change(
      { call: id, ...(next !== toggled && { fold: wordsOfFolds(pairs, tree, next) }) },
      { isReplacing: step === 'replace' },
    );
  };
  const toggle = (line: number, isOpen: boolean, isDeep: boolean): void => {
    const next = toggledTo(pairs, tree, toggled, { code: line, isOpen, isDeep });
    setCursor({ code, toggled: next });
    change({ fold: wordsOfFolds(pairs, tree, next) }, { isReplacing: true });
  };
  return useSteadyCursor({ toggled, code, pair: pairOfCode(tree, code), select, toggle });
}
