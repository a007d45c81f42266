import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChangeAddress, TraceAddress, Zoom } from './trace-address.ts';

/** Browsers refuse addresses that change more often than a hundred times in some seconds. */
const PAUSE_MS = 100;

/** The zoom counts at once; it is written into the address at most every 100 ms, and when it stays. */
export function useCalmZoom(address: TraceAddress, change: ChangeAddress): readonly [TraceAddress, ChangeAddress] {
  const [ahead, setAhead] = useState<{ readonly zoom: Zoom | undefined }>();
  const unwritten = useRef<typeof ahead>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const rest = useCallback(() => {
    timer.current = undefined;
    const zoom = unwritten.current;
    unwritten.current = undefined;
    setAhead(undefined);
    if (zoom === undefined) return;
    latest.current(zoom, 'replace');
    timer.current = setTimeout(rest, PAUSE_MS);
  }, []);
  const calm = useCallback<ChangeAddress>(
    (part, step) => {
      const isZoom = step === 'replace' && Object.keys(part).join() === 'zoom';
      if (isZoom && timer.current !== undefined) {
        unwritten.current = { zoom: part.zoom };
        setAhead(unwritten.current);
        return;
      }
      // What is not written yet goes with whatever else is.
      latest.current({ ...unwritten.current, ...part }, step);
      unwritten.current = undefined;
      setAhead(undefined);
      if (isZoom) timer.current = setTimeout(rest, PAUSE_MS);
    },
    [rest],
  );
  return [useMemo(() => (ahead === undefined ? address : { ...address, ...ahead }), [address, ahead]), calm];
}
