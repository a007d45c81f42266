import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
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
  const wanted = useRef({ skeleton, attempt });
  const underway = useRef<AbortController>(undefined);
  const start = useEffectEvent(async () => {
    const abort = new AbortController();
    underway.current = abort;
    const asked = wanted.current;
    setError(undefined);
    try {
      const layout = await layOutInThread(layoutInputOf(asked.skeleton), (asOf ?? Date.now()) * 1000, abort.signal);
      if (!abort.signal.aborted) setTrace({ skeleton: asked.skeleton, layout });
    } catch (reason) {
      if (!abort.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
    }
    if (abort.signal.aborted) return;
    underway.current = undefined;
    if (wanted.current !== asked) void start();
  });
  useEffect(() => {
    // One that is under way comes to its end: where a trace grows faster than it is laid out, none ever would.
    wanted.current = { skeleton, attempt };
    if (underway.current === undefined) void start();
  }, [skeleton, attempt, asOf]);
  useEffect(
    () => () => {
      underway.current?.abort();
      underway.current = undefined;
    },
    [],
  );
  return { trace, error, retry: useCallback(() => setAttempt((count) => count + 1), []) };
}
