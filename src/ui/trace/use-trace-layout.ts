import { useEffect, useState } from 'react';
import type { TraceSkeleton } from './layout/skeleton.ts';
import { layOutInThread } from './layout/lay-out-in-thread.ts';
import { layoutInputOf, type TraceLayout } from './layout/trace-layout.ts';

/** A skeleton with its layout: the two always belong together. */
export interface LaidOutTrace {
  readonly skeleton: TraceSkeleton;
  readonly layout: TraceLayout;
}

/** The trace laid out; while a newer skeleton is being laid out, the one before it. */
export function useTraceLayout(skeleton: TraceSkeleton): { trace: LaidOutTrace | undefined; error: Error | undefined } {
  const [trace, setTrace] = useState<LaidOutTrace>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const abort = new AbortController();
    layOutInThread(layoutInputOf(skeleton), Date.now() * 1000, abort.signal).then(
      (layout) => abort.signal.aborted || setTrace({ skeleton, layout }),
      (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
    );
    return () => abort.abort();
  }, [skeleton]);
  return { trace, error };
}
