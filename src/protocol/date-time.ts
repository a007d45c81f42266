const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Microseconds since 1970 of an RFC 3339 date-time; without an offset it is UTC, finer digits are cut off.
 * `undefined` when the text is not one, is only a date, or lies outside the years that microseconds in a
 * double can tell apart (1685 to 2255).
 */
export function parseDateTime(text: string): number | undefined {
  const micros = microsOf(text);
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/**
 * Like `parseDateTime`, in every year, and a date alone is its midnight in UTC: the form allowed in query
 * literals, where `9999-12-31` is later than everything.
 */
export function parseDateOrDateTime(text: string): number | undefined {
  return microsOf(DATE.test(text) ? `${text}T00:00:00Z` : text);
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

/** `YYYY-MM-DDTHH:MM:SS[.ffffff]Z` of microseconds since 1970; the fraction is left out when it is zero. */
export function formatDateTime(micros: number): string {
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const text = new Date((micros - fraction) / 1000).toISOString();
  const whole = text.slice(0, -5);
  return fraction === 0 ? `${whole}Z` : `${whole}.${String(fraction).padStart(6, '0')}Z`;
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
