import { type ReactElement, useEffect, useState } from 'react';
import { useAsOf, useIsPaused } from '../../data/as-of.ts';
import { formatRunning } from '../../format/latency.ts';

const TICK_MS = 200;

/** How long a call has been running, going on unless the page is paused; in a file, until that was written. */
export function RunningTime({ startedAt }: { readonly startedAt: number }): ReactElement {
  const asOf = useAsOf();
  const [now, setNow] = useState(() => Date.now());
  const isGoing = !useIsPaused() && asOf === undefined;
  useEffect(() => {
    if (!isGoing) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isGoing]);
  return <span className="num run">{formatRunning((asOf ?? now) - startedAt)}</span>;
}
