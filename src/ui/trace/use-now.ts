import { useEffect, useState } from 'react';
import { useAsOf } from '../data/as-of.ts';

const TICK_MS = 500;

/** Now in microseconds since 1970, moving while something runs; of a file, when it was written. */
export function useNow(isRunning: boolean): number {
  const asOf = useAsOf();
  const [now, setNow] = useState(() => Date.now() * 1000);
  const isMoving = isRunning && asOf === undefined;
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => document.hidden || setNow(Date.now() * 1000), TICK_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return asOf === undefined ? now : asOf * 1000;
}
