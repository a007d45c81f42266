import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time, minute by minute: what a range no longer holds leaves it also where nothing else happens. */
export function useMinute(isGoing = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isGoing) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isGoing]);
  return now;
}
