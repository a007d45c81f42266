import type { TimeScale } from './time-scale.ts';

export interface Tick {
  readonly place: number;
  readonly label: string;
}

/** The last place of a tick with such a label. */
type LastPlace = (label: string) => number;

const PX_PER_TICK = 64;
const LEAST_TICKS = 2;
const SECOND = 1_000_000;
const STEPS_US = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  1e3,
  2e3,
  5e3,
  10e3,
  20e3,
  50e3,
  100e3,
  200e3,
  500e3,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200].map((seconds) => seconds * SECOND),
];
const DAY_US = 86_400 * SECOND;
/** No tick is nearer than this to the end, where its label would be cut off, unless it is told how far ticks may go. */
const END_MARGIN = 0.03;
/** Before a label, and of a letter of it. */
const BEFORE_LABEL_PX = 4;
const LETTER_PX = 7;

/** Round instants on a scale, at most so many; in front of and behind a folded gap as dense as elsewhere. */
export function ticksOf(scale: TimeScale, most: number, lastOf: LastPlace = () => 1 - END_MARGIN): Tick[] {
  const idle = scale.gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const busy = scale.to - scale.from - idle;
  const step = Math.min(stepFor(busy / Math.max(1, most)), stepBelow(busy));
  const ticks: Tick[] = [];
  for (let instant = Math.ceil(scale.from / step) * step; instant <= scale.to; instant += step) {
    const gap = scale.gaps.find(({ from, to }) => instant > from && instant < to);
    // Straight over it: a gap may be longer than a million steps.
    if (gap) instant = Math.floor(gap.to / step) * step;
    const place = scale.placeOf(instant);
    const label = tickLabel(instant, step);
    if (!gap && place <= lastOf(label)) ticks.push({ place, label });
  }
  return ticks;
}

/** So many labels stand beside each other without touching. */
export function mostTicks(widthPx: number): number {
  return Math.max(LEAST_TICKS, Math.floor(widthPx / PX_PER_TICK));
}

/** Ticks whose labels have so much room behind the scale end within it. */
export function lastPlace(widthPx: number, roomPx: number): LastPlace {
  return (label) => (widthPx <= 0 ? 1 : Math.min(1, 1 + (roomPx - widthOf(label)) / widthPx));
}

/** Of a label and what is before it, in pixels; somewhat more than it is. */
export function widthOf({ length }: string): number {
  return BEFORE_LABEL_PX + LETTER_PX * length;
}

function stepFor(least: number): number {
  return STEPS_US.find((step) => step >= least) ?? Math.ceil(least / DAY_US) * DAY_US;
}

/** Zero alone says nothing: the largest step of which there is one. */
function stepBelow(busy: number): number {
  return STEPS_US.findLast((step) => step < busy * (1 - END_MARGIN)) ?? Infinity;
}

function tickLabel(instant: number, step: number): string {
  if (instant === 0) return '0';
  if (step >= 3600 * SECOND) return `${round(instant / (3600 * SECOND), 0)} h`;
  if (instant >= 60 * SECOND && step >= SECOND) return minutes(Math.round(instant / SECOND));
  if (step >= SECOND) return `${round(instant / SECOND, 0)} s`;
  if (instant >= SECOND) return `${round(instant / SECOND, decimals(step / SECOND))} s`;
  if (step >= 1000 || instant >= 1000) return `${round(instant / 1000, decimals(step / 1000))} ms`;
  return `${round(instant, 0)} µs`;
}

function minutes(seconds: number): string {
  const rest = seconds % 60;
  return rest === 0 ? `${seconds / 60} m` : `${Math.floor(seconds / 60)} m ${String(rest).padStart(2, '0')} s`;
}

function decimals(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step)));
}

function round(value: number, digits: number): string {
  return value.toFixed(digits);
}
