import { type ReactElement, useEffect, useState } from 'react';
import { useIsPaused } from '../data/as-of.ts';
import { formatAgo } from '../format/time.ts';

const TICK_MS = 1000;

/** How long ago something was, going on unless the page is paused. Not for live regions, which would say each second of it. */
export function Ago({ at }: { readonly at: number }): ReactElement {
  const [now, setNow] = useState(() => Date.now());
  const isPaused = useIsPaused();
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isPaused]);
  return <>{formatAgo(at, Math.max(at, now))}</>;
}
