import { type ReactElement, useEffect, useState } from 'react';
import { formatRunning } from '../../format/latency.ts';

const TICK_MS = 200;

/** How long a call has been running, going on. */
export function RunningTime({ startedAt }: { readonly startedAt: number }): ReactElement {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <span className="num run">{formatRunning(now - startedAt)}</span>;
}
