import { useEffect, useMemo, useState } from 'react';
import { NONE } from './layout/call-tree.ts';
import { at } from '../tree/numbers.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

/** Reads the inputs of calls, as texts that are equal where the inputs are. */
export type ReadInputs = (callIds: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;

/** Calls whose inputs are compared; those behind them are numbered as nothing. */
const MAX_COMPARED = 50;

/**
 * The trace with those attempts only that were given the same inputs: a loop over things, the first of which failed, looks like
 * somebody who tried again until it went well. As long as nobody knows the inputs, nothing is said to be an attempt.
 */
export function useAttempts(trace: LaidOutTrace | undefined, readInputs: ReadInputs | undefined): typeof trace {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(NOTHING);
  const runs = useMemo(() => (trace === undefined ? [] : runsIn(trace)), [trace]);
  const wanted = runs.flatMap((run) => run.flatMap((call) => trace?.skeleton.ids[call] ?? []));
  const asked = wanted.filter((id) => !known.has(id)).join('\n');
  useEffect(() => {
    const abort = new AbortController();
    if (asked !== '')
      readInputs?.(asked.split('\n'), abort.signal).then(
        (inputs) => abort.signal.aborted || setKnown((was) => new Map([...was, ...inputs])),
        // They are asked for again when the trace grows; without them nothing wrong is said.
        () => undefined,
      );
    return () => abort.abort();
  }, [asked, readInputs]);
  return useMemo(() => trace && withAttempts(trace, runs, known), [trace, runs, known]);
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The calls that may have been tried again, run by run. */
function runsIn({ layout: { attempts, tree } }: LaidOutTrace): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let count = 0;
  for (let first = attempts.indexOf(1); first >= 0 && count < MAX_COMPARED; first = attempts.indexOf(1, first + 1)) {
    const run = [first];
    for (let call = next(first); call !== NONE && at(attempts, call) > 1; call = next(call)) run.push(call);
    runs.push(run);
    count += run.length;
  }
  return runs;

  function next(call: number): number {
    return at(tree.nextSibling, call);
  }
}

function withAttempts(
  trace: LaidOutTrace,
  runs: readonly (readonly number[])[],
  inputs: ReadonlyMap<string, string>,
): LaidOutTrace {
  if (runs.length === 0) return trace;
  const attempts = new Uint8Array(trace.layout.attempts.length);
  for (const run of runs) numberAlike(run, (call) => inputs.get(trace.skeleton.ids[call] ?? ''), attempts);
  return { ...trace, layout: { ...trace.layout, attempts } };
}

/** Numbers calls of a run that follow one another with the same inputs. */
function numberAlike(
  run: readonly number[],
  inputOf: (call: number) => string | undefined,
  attempts: Uint8Array,
): void {
  let number = 0;
  for (const [index, call] of run.entries()) {
    const isLike = (other: number | undefined): boolean =>
      other !== undefined && inputOf(call) !== undefined && inputOf(other) === inputOf(call);
    const [isAgain, hasNext] = [isLike(run[index - 1]), isLike(run[index + 1])];
    number = isAgain ? number + 1 : 1;
    attempts[call] = isAgain || hasNext ? number : 0;
  }
}
