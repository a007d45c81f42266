import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** How often it is looked whether a range has to go on. */
const LOOK_MS = 10_000;

/** A range is so many times longer than what it may lag behind. */
const STEPS = 15;
const LEAST_STEP_MS = 60_000;
const MOST_STEP_MS = 5 * 60_000;

export interface RangeNowOptions {
  /** The time that the range was counted from. */
  readonly now: number;
  /** Where it began then; absent where it does not go on: all time, or two instants. */
  readonly after: number | undefined;
  /** Something is read or selected: then it stays. */
  readonly isHeld: boolean;
  /** Reads what the range holds at another time, and has it shown. */
  readonly goOn: (now: number) => Promise<void>;
}

/** Has a range that ends now go on with the time, while nothing is held. Returns whether it lags behind. */
export function useRangeNow({ now, after, isHeld, goOn }: RangeNowOptions): boolean {
  const [isBehind, setIsBehind] = useState(false);
  const isGoing = useRef(false);
  const look = useEffectEvent(async () => {
    const at = Date.now();
    if (after === undefined || at - now < stepOf(now - after)) return setIsBehind(false);
    setIsBehind(isHeld);
    if (isHeld || isGoing.current || document.visibilityState === 'hidden') return undefined;
    isGoing.current = true;
    try {
      await goOn(at);
    } catch {
      // A service that is gone is told by others; the range goes on once it is back.
    } finally {
      isGoing.current = false;
    }
    return undefined;
  });
  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isHeld, now]);
  return isBehind;
}

function stepOf(span: number): number {
  return Math.min(MOST_STEP_MS, Math.max(LEAST_STEP_MS, span / STEPS));
}
