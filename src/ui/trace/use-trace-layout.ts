import { useCallback, useEffect, useState } from 'react';
import { useAsOf } from '../data/as-of.ts';
import type { TraceSkeleton } from './layout/skeleton.ts';
import { layOutInThread } from './layout/lay-out-in-thread.ts';
import { layoutInputOf, type TraceLayout } from './layout/trace-layout.ts';

/** A skeleton with its layout: the two always belong together. */
export interface LaidOutTrace {
  readonly skeleton: TraceSkeleton;
  readonly layout: TraceLayout;
}

export interface TraceLayouting {
  /** While a newer skeleton is being laid out, and when that failed, the one before it. */
  readonly trace: LaidOutTrace | undefined;
  readonly error: Error | undefined;
  readonly retry: () => void;
}

/** The trace laid out. */
export function useTraceLayout(skeleton: TraceSkeleton): TraceLayouting {
  const [trace, setTrace] = useState<LaidOutTrace>();
  const [error, setError] = useState<Error>();
  const asOf = useAsOf();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setError(undefined);
    layOutInThread(layoutInputOf(skeleton), (asOf ?? Date.now()) * 1000, abort.signal).then(
      (layout) => abort.signal.aborted || setTrace({ skeleton, layout }),
      (reason: unknown) =>
        abort.signal.aborted || setError(reason instanceof Error ? reason : new Error(String(reason))),
    );
    return () => abort.abort();
  }, [skeleton, attempt, asOf]);
  return { trace, error, retry: useCallback(() => setAttempt((count) => count + 1), []) };
}
