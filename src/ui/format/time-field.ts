import { clockOffset } from './time.ts';

/** A time as it is written by hand, by the clock that is shown: `2026-11-23 14:09:41`. */
export function fieldText(at: number): string {
  return new Date(at + clockOffset(at)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Without seconds or with them; a day alone is its beginning. */
const WRITTEN = /^\s*(\d{4}-\d\d-\d\d)(?:[T\s]\s*(\d\d:\d\d)(:\d\d)?)?\s*$/;

/** The instant that such a text means, by the same clock; NaN for what is no time. */
export function instantIn(text: string): number {
  const [, day = '', minute = '00:00', second = ':00'] = WRITTEN.exec(text) ?? [];
  const clock = Date.parse(`${day}T${minute}${second}Z`);
  // Some engines take the 31st of a short month for a day of the next.
  if (Number.isNaN(clock) || !new Date(clock).toISOString().startsWith(day)) return Number.NaN;
  return clock - clockOffset(clock - clockOffset(clock));
}
