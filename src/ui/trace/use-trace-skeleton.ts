import { useCallback, useEffect, useRef, useState } from 'react';
import { CallState, type TraceSkeleton } from './layout/skeleton.ts';

/** Where a trace comes from: the service, or the file that holds it. */
export interface TraceSource {
  /** @param progress told how many bytes have come, while they come */
  readonly read: (signal: AbortSignal, progress: (bytes: number) => void) => Promise<TraceSkeleton>;
  /** Tells of changes in this trace, until what it returns is called. Absent: it cannot change. */
  readonly watch?: (listener: TraceListener) => () => void;
  /** Nothing is read by itself now. Who goes on is told of a return. */
  readonly isPaused?: () => boolean;
}

export interface TraceListener {
  readonly onChange: () => void;
  /** Changes are told from now on; there may have been some before. */
  readonly onReturn: () => void;
}

export interface TraceReading {
  /** The newest one read; kept while a newer is on its way, and when that fails. */
  readonly skeleton: TraceSkeleton | undefined;
  readonly error: Error | undefined;
  /** Of the answer that is on its way. */
  readonly bytes: number;
  readonly retry: () => void;
  /** It was being read for the first time, and is not wanted any more. */
  readonly isStopped: boolean;
  readonly stop: () => void;
}

/** However fast a trace grows, it is read again only so often, and a large one takes no more than a fifth of the time. */
const LEAST_PAUSE_MS = 300;
const PAUSES = 4;

/** How often it is asked whether what runs still does, as a program that is gone says so to nobody; a large trace more rarely. */
const RUNNING_MS = 10_000;
const RUNNING_PAUSES = 40;

export function useTraceSkeleton(source: TraceSource): TraceReading {
  const [skeleton, setSkeleton] = useState<TraceSkeleton>();
  const [error, setError] = useState<Error>();
  const [bytes, setBytes] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const [isStopped, setStopped] = useState(false);
  const hasChanged = useRef(false);
  const latest = useRef<TraceSkeleton>(undefined);
  /** The trace of which it was once told that changes are told: another time is a return. */
  const followed = useRef<TraceSource>(undefined);

  useEffect(() => {
    if (isStopped) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let mayHaveChanged = false;
    let readAt = performance.now();
    // Where nothing has come yet there is nothing that could be held.
    const isPaused = (): boolean => source.isPaused?.() === true && latest.current?.count !== 0;
    const read = async (): Promise<void> => {
      isReading = true;
      clearTimeout(asking);
      const beganAt = performance.now();
      hasChanged.current = false;
      mayHaveChanged = false;
      try {
        const newest = await source.read(abort.signal, setBytes);
        if (abort.signal.aborted) return;
        latest.current = newest;
        // What is over is not read again: a long trace would be read twice whenever it is opened.
        if (mayHaveChanged && mayGrow(newest)) hasChanged.current = true;
        setSkeleton(newest);
        setError(undefined);
      } catch (reason) {
        if (!abort.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
      }
      if (abort.signal.aborted) return;
      isReading = false;
      readAt = performance.now();
      const took = readAt - beganAt;
      timer = setTimeout(
        () => {
          timer = undefined;
          if (hasChanged.current && !isPaused()) void read();
        },
        Math.max(LEAST_PAUSE_MS, PAUSES * took),
      );
      askLater(Math.max(RUNNING_MS, RUNNING_PAUSES * took));
    };
    const askLater = (ms: number): void => {
      if (source.watch === undefined || latest.current === undefined || !mayGrow(latest.current)) return;
      asking = setTimeout(() => {
        // A hidden page asks once it is seen, and one that is paused once it goes on.
        if (document.visibilityState === 'hidden' || isPaused()) askLater(ms);
        else if (!isReading && timer === undefined) void read();
      }, ms);
    };
    const onChange = (): void => {
      hasChanged.current = true;
      if (!isReading && timer === undefined) void read();
    };
    const onReturn = (): void => {
      // A page that was hidden or paused, or a connection that was lost, may have missed a call that was added, or deleted.
      const wasAway = followed.current === source || (!isReading && performance.now() - readAt > RUNNING_MS);
      followed.current = source;
      if (wasAway) onChange();
      else if (isReading) mayHaveChanged = true;
      else if (latest.current !== undefined && mayGrow(latest.current)) onChange();
    };
    const stopWatching = source.watch?.({ onChange, onReturn });
    void read();
    return () => {
      abort.abort();
      clearTimeout(timer);
      clearTimeout(asking);
      stopWatching?.();
    };
  }, [source, attempt, isStopped]);

  const retry = useCallback(() => {
    setStopped(false);
    setAttempt((count) => count + 1);
  }, []);
  return { skeleton, error, bytes, retry, isStopped, stop: useCallback(() => setStopped(true), []) };
}

/** Something runs, or nothing has come yet. */
function mayGrow({ count, states }: TraceSkeleton): boolean {
  return count === 0 || states.includes(CallState.running);
}
