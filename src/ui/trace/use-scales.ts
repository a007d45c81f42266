import { useMemo, useState } from 'react';
import { type TimeScale, timeScale } from './layout/time-scale.ts';
import type { Zoom } from './trace-address.ts';
import { useNow } from './use-now.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

export interface Scales {
  /** Microseconds since the first start. */
  readonly now: number;
  /** Of the whole trace. */
  readonly whole: TimeScale;
  /** Of what is looked at. */
  readonly shown: TimeScale;
  /** `undefined`: no time is idle. */
  readonly isIdleFolded: boolean | undefined;
  readonly toggleIdle: () => void;
}

/** Time as the views lay it out: to the last end, or to now while something runs. */
export function useScales(
  { layout }: LaidOutTrace,
  zoom: Zoom | undefined,
  { isRunning, isPaused }: { readonly isRunning: boolean; readonly isPaused: boolean },
): Scales {
  const [isFolded, setFolded] = useState(true);
  const now = useNow(isRunning && !isPaused) - layout.times.origin;
  const end = isRunning ? Math.max(layout.times.span, now) : layout.times.span;
  const gaps = isFolded ? layout.gaps : NO_GAPS;
  const whole = useMemo(() => timeScale(0, end, gaps), [end, gaps]);
  // By its numbers: an address that changes elsewhere has another object for the same stretch.
  const { from, to } = zoom ?? {};
  const shown = useMemo(
    () => (from === undefined || to === undefined ? whole : timeScale(from, Math.min(to, end), gaps)),
    [from, to, whole, end, gaps],
  );
  const isIdleFolded = layout.gaps.length > 0 ? isFolded : undefined;
  return { now, whole, shown, isIdleFolded, toggleIdle: () => setFolded(!isFolded) };
}

const NO_GAPS = [] as const;
