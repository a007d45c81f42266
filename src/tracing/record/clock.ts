import { Date, performance } from '../../host/clock.ts';
import { keptGlobal } from '../../host/kept-global.ts';

/** Where times come from. Tests put their own in. */
export interface ClockSource {
  /** Milliseconds that never go back. */
  monotonicMs(): number;
  /** Milliseconds since 1970; may jump. */
  wallMs(): number;
}

/** Microseconds: `at` counts from any point and never goes back, `at + offset` counts from 1970. */
export interface Clock {
  /** Microseconds of the monotonic clock. */
  now(): number;
  /** Wall time less monotonic, once `now` was asked. A call keeps that of its start: no jump changes its duration. */
  readonly offset: number;
  /** Looks at the wall clock at the next reading, as the process may be stopped before it. */
  checkNext(): void;
}

/** The wall clock is looked at once per second. */
const CHECK_INTERVAL_MICROS = 1_000_000;

/** Smaller differences are the resolution of the wall clock and the time between two readings. */
const TOLERANCE_MICROS = 50_000;

export function createClock(source: ClockSource = SYSTEM): Clock {
  // Node loads its clock when somebody first asks it the time, which is not when a program is loaded.
  let offset = Number.NaN;
  let checkAt = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const at = Math.round(source.monotonicMs() * 1000);
      if (at < checkAt) return at;
      checkAt = at + CHECK_INTERVAL_MICROS;
      const wall = source.wallMs() * 1000;
      if (!(Math.abs(wall - (at + offset)) <= TOLERANCE_MICROS)) offset = Math.round(wall) - at;
      return at;
    },
    get offset() {
      return offset;
    },
    checkNext() {
      checkAt = Number.NEGATIVE_INFINITY;
    },
  };
}

const SYSTEM: ClockSource = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};

/** Changes when the shape of `Clock` changes, so that unlike copies do not meet. */
const CLOCK_KEY = Symbol.for('spoor.clock.2');

/** The clock of this process: times of two copies of this package are in the order of events, too. */
export const clock: Clock = ((globalThis as { [CLOCK_KEY]?: Clock })[CLOCK_KEY] ??= keptGlobal(createClock()));

let textOfMs = '';
let lastMs = Number.NaN;

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. Neighbouring calls share a millisecond, whose text is made once. */
export function isoText(micros: number): string {
  const ms = Math.floor(micros / 1000);
  if (ms !== lastMs) {
    textOfMs = new Date(ms).toISOString().slice(0, -1);
    lastMs = ms;
  }
  return textOfMs + (LAST_DIGITS[micros - ms * 1000] ?? lastDigits(micros - ms * 1000));
}

/** Filled when the first text is made. */
const LAST_DIGITS: string[] = [];

function lastDigits(micros: number): string {
  for (let n = LAST_DIGITS.length; n < 1000; n++) LAST_DIGITS.push(`${String(n).padStart(3, '0')}Z`);
  return LAST_DIGITS[micros] ?? '000Z';
}
