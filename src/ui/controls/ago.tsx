import { type ReactElement, useEffect, useState } from 'react';
import { formatAgo } from '../format/time.ts';

const TICK_MS = 1000;

/** How long ago something was, going on. Not for live regions, which would say each second of it. */
export function Ago({ at }: { readonly at: number }): ReactElement {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{formatAgo(at, Math.max(at, now))}</>;
}
