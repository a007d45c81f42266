import { at } from '../../tree/numbers.ts';
import { type Folds, initialFolds } from '../layout/folds.ts';
import type { TraceLayout } from '../layout/trace-layout.ts';

/** Enough to tell calls of one trace apart; an address holds only so much. */
const ID_TAIL = 8;
const MAX_NAMED = 100;
const DETACHED = 'd';

/**
 * Differences from how the trace opens, as text: tails of call ids, those of repeats by their first call with `r` in
 * front. Numbers of calls would not do: a late record moves them all.
 */
export function foldWords(folds: Folds, layout: TraceLayout, ids: readonly string[]): string[] {
  const initial = initialFolds(layout);
  const names: string[] = folds.isDetachedOpen ? [] : [DETACHED];
  for (let call = 0; call < folds.calls.length && names.length < MAX_NAMED; call++) {
    if (folds.calls[call] !== initial.calls[call]) names.push(tailOf(ids[call]));
  }
  for (let run = 0; run < folds.runs.length && names.length < MAX_NAMED; run++) {
    if (folds.runs[run] === 1) names.push(`r${tailOf(ids[at(layout.repeats.first, run)])}`);
  }
  return names;
}

export function foldsOfWords(words: readonly string[], layout: TraceLayout, ids: readonly string[]): Folds {
  const folds = initialFolds(layout);
  if (words.length === 0) return folds;
  const names = new Set(words);
  const toggled = folds.calls.map((isOpen, call) => (names.has(tailOf(ids[call])) ? 1 - isOpen : isOpen));
  const runs = folds.runs.map((_, run) => Number(names.has(`r${tailOf(ids[at(layout.repeats.first, run)])}`)));
  return { calls: toggled, runs, isDetachedOpen: !names.has(DETACHED) };
}

/** The same folds for a trace that has grown: calls are found again by id. */
export function carryFolds(folds: Folds, from: Laid, to: Laid): Folds {
  const fresh = initialFolds(to.layout);
  const calls = fresh.calls.slice();
  const known = new Map(from.ids.map((id, call) => [id, call]));
  const runs = fresh.runs.slice();
  to.ids.forEach((id, call) => {
    const before = known.get(id);
    if (before === undefined) return;
    calls[call] = at(folds.calls, before);
    const [run, runBefore] = [at(to.layout.repeats.runOf, call), at(from.layout.repeats.runOf, before)];
    if (run >= 0 && runBefore >= 0 && folds.runs[runBefore] === 1) runs[run] = 1;
  });
  return { calls, runs, isDetachedOpen: folds.isDetachedOpen };
}

interface Laid {
  readonly layout: TraceLayout;
  readonly ids: readonly string[];
}

function tailOf(id = ''): string {
  return id.slice(-ID_TAIL);
}
