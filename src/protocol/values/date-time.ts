// docs/decisions/0004-range-of-date-times.md says why.
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Microseconds since 1970 of an RFC 3339 date-time; without an offset it is UTC, finer digits are cut off.
 * `undefined` when the text is not one, is only a date, or lies outside the years that microseconds in a
 * double can tell apart (1685 to 2255).
 */
export function parseDateTime(text: string): number | undefined {
  const micros = parseDateTimeOfAnyYear(text);
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** Like `parseDateTime`, in every year from 0001 to 9999; far from 1970 only to a few microseconds. */
export function parseDateTimeOfAnyYear(text: string): number | undefined {
  return microsOfUtc(text) ?? microsOf(text);
}

/**
 * Like `parseDateTime`, in every year, and a date alone is its midnight in UTC: the form allowed in query
 * literals, where `9999-12-31` is later than everything.
 */
export function parseDateOrDateTime(text: string): number | undefined {
  return microsOf(DATE.test(text) ? `${text}T00:00:00Z` : text);
}

const ZERO = 0x30;

/**
 * The form in which nearly all instants come, `YYYY-MM-DDTHH:MM:SS[.ffffff]Z` of four-digit years since 1970, ten
 * times faster than by the pattern; `undefined` leaves the text to it.
 */
function microsOfUtc(text: string): number | undefined {
  const { length } = text;
  if (length < 20 || length > 27 || length === 21 || text.charCodeAt(length - 1) !== 0x5a) return undefined;
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return undefined;
  if (length > 20 && text[19] !== '.') return undefined;
  const days = daysSince1970(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const fraction = length === 20 ? 0 : digits(text, 20, length - 1) * 10 ** (27 - length);
  // A character that is no digit has made a number that is none, and no comparison with it holds.
  const isInstant = days >= 0 && hour < 24 && minute < 60 && second < 60 && fraction >= 0;
  return isInstant ? (days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000 + fraction : undefined;
}

/** NaN where there is no digit. */
function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Days before each month of a year that is no leap year, and before the next year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;

/** NaN of a day that does not exist, and of all before. */
function daysSince1970(year: number, month: number, day: number): number {
  const before = DAYS_BEFORE[month - 1];
  const beforeNext = DAYS_BEFORE[month];
  if (before === undefined || beforeNext === undefined || !(year >= 1970)) return Number.NaN;
  const isLeapDay = month === 2 && day === 29 && leapDaysUntil(year) > leapDaysUntil(year - 1);
  if (!((day >= 1 && day <= beforeNext - before) || isLeapDay)) return Number.NaN;
  // Until March the leap day of the year is still to come.
  const leapDays = leapDaysUntil(month > 2 ? year : year - 1) - leapDaysUntil(1969);
  return (year - 1970) * 365 + leapDays + before + day - 1;
}

/** Leap days of the calendar from its year 1 to the end of a year. */
function leapDaysUntil(year: number): number {
  return Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
}

function microsOf(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, offset] = match;
  const days = daysOf(Number(year), Number(month), Number(day));
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const offsetMinutes = offset === undefined ? 0 : parseOffset(offset);
  if (offsetMinutes === undefined) return undefined;
  const seconds = days * 86_400 + Number(hour) * 3600 + (Number(minute) - offsetMinutes) * 60 + Number(second);
  return seconds * 1_000_000 + Number((fraction ?? '').slice(0, 6).padEnd(6, '0'));
}

let knownSecondMs = Number.NaN;
let knownText = '';

/** `YYYY-MM-DDTHH:MM:SS[.ffffff]Z` of microseconds since 1970; the fraction is left out when it is zero. */
export function formatDateTime(micros: number): string {
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const secondMs = (micros - fraction) / 1000;
  // Calls of one answer often share a second, and the text of a date takes half a microsecond.
  if (secondMs !== knownSecondMs) {
    knownText = new Date(secondMs).toISOString().slice(0, -5);
    knownSecondMs = secondMs;
  }
  return fraction === 0 ? `${knownText}Z` : `${knownText}.${String(fraction).padStart(6, '0')}Z`;
}

function daysOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 86_400_000 : undefined;
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
