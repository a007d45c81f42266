import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** How often it is looked whether a range has to go on. */
const LOOK_MS = 10_000;

/** A range is so many times longer than what it may lag behind. */
const STEPS = 15;
const LEAST_STEP_MS = 60_000;
const MOST_STEP_MS = 5 * 60_000;

export interface RangeNowOptions {
  /** Names the list of the range: for another one everything begins anew. */
  readonly key: string;
  /** The time that the range was counted from. */
  readonly now: number;
  /** Where it began then; absent where it does not go on: all time, or two instants. */
  readonly after: number | undefined;
  /** Something is read or selected: then it stays. */
  readonly isHeld: boolean;
  /** Reads what the range holds at another time. Returns what has it shown. */
  readonly read: (now: number, signal: AbortSignal) => Promise<() => void>;
}

/**
 * Has a range that ends now go on with the time, while nothing is held. Returns whether it lags behind: as something is held, or
 * as what it holds now cannot be read, which is tried again ever more rarely.
 */
export function useRangeNow({ key, now, after, isHeld, read }: RangeNowOptions): boolean {
  const [isBehind, setIsBehind] = useState(false);
  const refused = useRef<Refused>(undefined);
  const look = useEffectEvent(async (signal: AbortSignal) => {
    const at = Date.now();
    if (after === undefined || at - now < stepOf(now - after)) return setIsBehind(false);
    if (isHeld) return setIsBehind(true);
    const before = refused.current?.key === key ? refused.current : undefined;
    if (document.visibilityState === 'hidden' || at < (before?.until ?? 0)) return undefined;
    const late = setTimeout(() => setIsBehind(true), LOOK_MS);
    signal.addEventListener('abort', () => clearTimeout(late));
    try {
      const show = await read(at, signal);
      // What was selected or scrolled to meanwhile stays under the reader's eyes.
      if (signal.aborted) return undefined;
      refused.current = undefined;
      show();
    } catch {
      if (signal.aborted) return undefined;
      // A service that is gone is told by others; that this one question was refused is not, but that the list is old.
      setIsBehind(true);
      const pauseMs = Math.min(stepOf(now - after), 2 * (before?.pauseMs ?? LOOK_MS));
      refused.current = { key, pauseMs, until: Date.now() + pauseMs };
    } finally {
      clearTimeout(late);
    }
    return undefined;
  });
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lookOn = async (): Promise<void> => {
      await look(abort.signal);
      if (!abort.signal.aborted) timer = setTimeout(() => void lookOn(), LOOK_MS);
    };
    void lookOn();
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isHeld, now, key]);
  return isBehind;
}

/** A list that could not be read, and until when it is not asked for again. */
interface Refused {
  readonly key: string;
  readonly pauseMs: number;
  readonly until: number;
}

function stepOf(span: number): number {
  return Math.min(MOST_STEP_MS, Math.max(LEAST_STEP_MS, span / STEPS));
}
