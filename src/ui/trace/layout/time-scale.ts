import type { IdleGap } from './idle-gaps.ts';

/** A folded gap is as wide as this share of everything. */
const GAP_WIDTH = 0.025;

/** Instants, in microseconds since the first start, against places from 0 to 1; idle gaps may take less than their share. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
  /** The folded gaps within. */
  readonly gaps: readonly IdleGap[];
  placeOf(instant: number): number;
  instantAt(place: number): number;
}

export function timeScale(from: number, to: number, gaps: readonly IdleGap[] = []): TimeScale {
  const end = Math.max(to, from + 1);
  const folded = gaps.filter((gap) => gap.from >= from && gap.to <= end);
  const [instants, places] = cornersOf(from, end, folded);
  return {
    from,
    to: end,
    gaps: folded,
    placeOf: (instant) => interpolate(instants, places, instant),
    instantAt: (place) => interpolate(places, instants, place),
  };
}

/** Between two corners time runs evenly. */
function cornersOf(from: number, to: number, gaps: readonly IdleGap[]): [number[], number[]] {
  const idle = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const busyWidth = (1 - gaps.length * GAP_WIDTH) / Math.max(1, to - from - idle);
  const instants = [from];
  const places = [0];
  let [instant, place] = [from, 0];
  for (const gap of gaps) {
    place += (gap.from - instant) * busyWidth;
    instants.push(gap.from, gap.to);
    places.push(place, place + GAP_WIDTH);
    place += GAP_WIDTH;
    instant = gap.to;
  }
  return [
    [...instants, to],
    [...places, 1],
  ];
}

function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let corner = 1;
  while (corner < xs.length - 1 && x > (xs[corner] ?? 0)) corner++;
  const [x0 = 0, x1 = 1] = [xs[corner - 1], xs[corner]];
  const [y0 = 0, y1 = 1] = [ys[corner - 1], ys[corner]];
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
