import { clockOffset, formatClock, formatDay, formatMinute } from './time.ts';

export interface ClockTick {
  /** Ms since 1970. */
  readonly at: number;
  readonly label: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7, 14, 28].map((days) => days * DAY),
];
/** From such steps on a midnight is said by its day. */
const DAYS_FROM = 6 * HOUR;

/** Round times by the clock that is shown, at most so many, with what stands at each. */
export function clockTicks(from: number, to: number, most: number): readonly ClockTick[] {
  const span = Math.max(1, to - from);
  const step = STEPS.find((each) => span / each < most) ?? (Math.floor(span / most / DAY) + 1) * DAY;
  const ticks: ClockTick[] = [];
  for (let clock = Math.ceil((from + clockOffset(from)) / step) * step; ; clock += step) {
    const at = instantAt(clock);
    if (at > to) return ticks;
    // Where clocks go forward two of them are one instant.
    if (at >= Math.max(from, (ticks.at(-1)?.at ?? -Infinity) + 1))
      ticks.push({ at, label: tickLabel(at, clock, step) });
  }
}

/** When the shown clock says so; the offset may change in between. */
function instantAt(clock: number): number {
  return clock - clockOffset(clock - clockOffset(clock));
}

function tickLabel(at: number, clock: number, step: number): string {
  if (step < MINUTE) return formatClock(at);
  return step >= DAYS_FROM && clock % DAY === 0 ? formatDay(at) : formatMinute(at);
}
