import { shownZone } from './time.ts';

/** A time as a field for date and time wants it: by the clock that is shown, without a zone. */
export function fieldText(at: number): string {
  const aheadMs = isUtc() ? 0 : -new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at + aheadMs).toISOString().slice(0, 19);
}

/** The instant that such a field holds, by the same clock; NaN for what is no time. */
export function instantIn(text: string): number {
  return Date.parse(isUtc() ? `${text}Z` : text);
}

function isUtc(): boolean {
  return shownZone() === 'UTC';
}
