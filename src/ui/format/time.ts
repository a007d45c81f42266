const DAY_MS = 24 * 60 * 60 * 1000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let isUtc = false;

/** Shows times by the clock of UTC, or by the one here. */
export function showInUtc(isWanted: boolean): void {
  isUtc = isWanted;
}

/** IANA name of the zone whose clock is shown. */
export function shownZone(): string {
  return isUtc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The clock that is shown, as if it were that of UTC. */
function clockAt(at: number): Date {
  return new Date(at + clockOffset(at));
}

/** How far the clock that is shown is ahead of UTC, in ms. */
export function clockOffset(at: number): number {
  return zoneMinutes(at) * 60_000;
}

/** {@link clockOffset} in minutes. */
function zoneMinutes(at: number): number {
  return isUtc ? 0 : -new Date(at).getTimezoneOffset();
}

/**
 * When something happened, as it stands in a row: `14:09:41` today, `23 Nov 14:09` within half a year, else the date: of a
 * clock alone nobody sees that it is that of another day. Local time, as the logs beside it, unless UTC is chosen; never
 * relative, as nobody finds a log line by "1 hour ago".
 */
export function formatTime(at: number, now: number): string {
  const date = clockAt(at);
  if (dayOf(at) === dayOf(now)) return formatClock(at);
  if (Math.abs(now - at) < 180 * DAY_MS) return `${formatDay(at)} ${hoursAndMinutes(date)}`;
  return isoDay(date);
}

/** The number of the day, from midnight to midnight by the clock that is shown. */
export function dayOf(at: number): number {
  return Math.floor((at + clockOffset(at)) / DAY_MS);
}

/** `14:09:41`. */
export function formatClock(at: number): string {
  const date = clockAt(at);
  return `${hoursAndMinutes(date)}:${twoDigits(date.getUTCSeconds())}`;
}

/** `14:09`. */
export function formatMinute(at: number): string {
  return hoursAndMinutes(clockAt(at));
}

/** `23 Nov`. */
export function formatDay(at: number): string {
  const date = clockAt(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** In full, for tooltips: `2026-11-23 14:09:41.204 UTC+1`. */
export function formatInstant(at: number): string {
  const date = clockAt(at);
  const ms = String(date.getUTCMilliseconds()).padStart(3, '0');
  return `${isoDay(date)} ${formatClock(at)}.${ms} ${zoneOf(at)}`;
}

/** How long ago, for tooltips and live lines: `4 s ago`. */
export function formatAgo(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86_400)} days ago`;
}

function isoDay(date: Date): string {
  return `${date.getUTCFullYear()}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

function hoursAndMinutes(date: Date): string {
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

function zoneOf(at: number): string {
  const minutes = zoneMinutes(at);
  if (minutes === 0) return 'UTC';
  const sign = minutes < 0 ? '−' : '+';
  const rest = Math.abs(minutes) % 60;
  return `UTC${sign}${Math.floor(Math.abs(minutes) / 60)}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
