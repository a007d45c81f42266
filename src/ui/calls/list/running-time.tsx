import { type ReactElement, useEffect, useState } from 'react';
import { useAsOf } from '../../data/as-of.ts';
import { formatRunning } from '../../format/latency.ts';

const TICK_MS = 200;

/** How long a call has been running, going on; in a file, until that was written. */
export function RunningTime({ startedAt }: { readonly startedAt: number }): ReactElement {
  const asOf = useAsOf();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (asOf !== undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [asOf]);
  return <span className="num run">{formatRunning((asOf ?? now) - startedAt)}</span>;
}
