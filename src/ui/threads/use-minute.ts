import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time, minute by minute: what a range no longer holds leaves it also where nothing else happens. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
