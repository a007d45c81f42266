import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** Now in microseconds since 1970, moving while something runs. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now() * 1000);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => document.hidden || setNow(Date.now() * 1000), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
