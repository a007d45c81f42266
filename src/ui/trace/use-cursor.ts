import { useEffect, useRef, useState } from 'react';
import { carryFolds, foldsOfWords, foldWords } from './tree/fold-words.ts';
import { type Folds, foldCall, foldRun, foldSubtree, reveal } from './layout/folds.ts';
import { runOfCode } from '../tree/row-code.ts';
import { type TreeCursor, useSteadyCursor } from '../tree/tree-cursor.ts';
import type { ChangeAddress, TraceAddress } from './trace-address.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

/** The selected line of the tree and what is folded; both are in the address, and survive that the trace grows. */
export interface Cursor extends TreeCursor {
  readonly folds: Folds;
  /** The call that is selected, or was before a line that is none. */
  readonly call: number;
}

export function useCursor(trace: LaidOutTrace, address: TraceAddress, change: ChangeAddress): Cursor {
  const { layout, skeleton } = trace;
  const { tree } = layout;
  const [state, setState] = useState(() => initialState(trace, address));
  // A grown trace has other numbers for the same calls: what is kept by number is carried over before it is drawn.
  const current = state.trace === trace ? state : carry(state, trace);
  if (current !== state) setState(current);

  // What the address said when it was last followed; a call that is still on its way is followed when it is here.
  const [first] = useState(() => (skeleton.ids.includes(address.call ?? '') ? address.call : undefined));
  const written = useRef(first);
  useEffect(() => {
    // Back and forward, and links within the page.
    if (address.call === written.current) return;
    const call = address.call === undefined ? (tree.order[0] ?? 0) : skeleton.ids.indexOf(address.call);
    if (call < 0) return;
    written.current = address.call;
    setState((before) => ({ ...before, code: call, call, folds: reveal(before.folds, layout, call) }));
  }, [address.call, layout, skeleton, tree]);

  const write = (folds: Folds): string[] => foldWords(folds, layout, skeleton.ids);
  return useSteadyCursor({
    folds: current.folds,
    code: current.code,
    call: current.call,
    select: (code, step = 'push') => {
      const isCall = code >= 0 && code < tree.count;
      const folds = isCall ? reveal(current.folds, layout, code) : current.folds;
      setState({ trace, folds, code, call: isCall ? code : current.call });
      // Whoever is there already takes no step.
      if (!isCall || (skeleton.ids[code] === written.current && folds === current.folds)) return;
      written.current = skeleton.ids[code];
      change({ call: skeleton.ids[code], ...(folds !== current.folds && { fold: write(folds) }) }, step);
    },
    toggle: (code, isOpen, isDeep) => {
      const folds = toggled(current.folds, trace, { code, isOpen, isDeep });
      setState({ ...current, folds });
      change({ fold: write(folds) }, 'replace');
    },
  });
}

interface CursorState {
  readonly trace: LaidOutTrace;
  readonly folds: Folds;
  readonly code: number;
  readonly call: number;
}

function initialState(trace: LaidOutTrace, address: TraceAddress): CursorState {
  const { skeleton, layout } = trace;
  const named = address.call === undefined ? -1 : skeleton.ids.indexOf(address.call);
  const call = named >= 0 ? named : (layout.tree.order[0] ?? 0);
  const folds = reveal(foldsOfWords(address.fold, layout, skeleton.ids), layout, call);
  return { trace, folds, code: call, call };
}

function carry(state: CursorState, trace: LaidOutTrace): CursorState {
  const [before, after] = [laid(state.trace), laid(trace)];
  const call = Math.max(0, after.ids.indexOf(before.ids[state.call] ?? ''));
  const folds = carryFolds(state.folds, before, after);
  // Runs and groups have no id: from one of those the selection goes back to its call.
  return { trace, folds: reveal(folds, trace.layout, call), code: call, call };
}

function laid({ layout, skeleton }: LaidOutTrace): { layout: LaidOutTrace['layout']; ids: readonly string[] } {
  return { layout, ids: skeleton.ids };
}

interface Toggle {
  readonly code: number;
  readonly isOpen: boolean;
  readonly isDeep: boolean;
}

function toggled(folds: Folds, { layout }: LaidOutTrace, { code, isOpen, isDeep }: Toggle): Folds {
  const run = runOfCode(code);
  if (run >= 0) return foldRun(folds, run, isOpen);
  if (code === layout.tree.detached) return { ...folds, isDetachedOpen: isOpen };
  return isDeep ? foldSubtree(folds, layout.tree, code, isOpen) : foldCall(folds, code, isOpen);
}
