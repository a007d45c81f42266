import { parseDateTime, formatDateTime } from '../protocol/values/date-time.ts';

const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

const MICROS = { day: 86_400_000_000, minute: 60_000_000, second: 1_000_000, micro: 1 } as const;
type Precision = keyof typeof MICROS;

/** The meaning of a written time: from its first microsecond to the one after its last. */
export interface Period {
  readonly from: number;
  readonly to: number;
  readonly precision: Precision;
}

/** Is this a date, or a date and a time of day, that exists? */
export function isTime(text: string): boolean {
  const read = readTime(text);
  return read !== undefined && parseDateTime(`${read.date}T${read.clock}${read.offset || 'Z'}`) !== undefined;
}

/**
 * The period of a time: a date is its whole day in the time zone, 23 or 25 hours where clocks change then. A text that is
 * no time is a `RangeError`: the parser lets none through.
 *
 * @param timeZone an IANA name, as `Europe/Berlin`
 */
export function periodOf(text: string, timeZone: string): Period {
  const read = readTime(text);
  const from = read && microsOf(`${read.date}T${read.clock}`, read.offset, timeZone);
  if (read === undefined || from === undefined) throw new RangeError(`Cannot use "${text}" as a time`);
  const { precision } = read;
  if (precision !== 'day') return { from, to: from + MICROS[precision], precision };
  const nextDay = new Date(Date.parse(`${read.date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return { from, to: microsOf(`${nextDay}T00:00:00`, '', timeZone) ?? from + MICROS.day, precision };
}

/** As it goes over the wire. */
export function instantText(micros: number): string {
  return formatDateTime(Math.max(0, micros));
}

function readTime(text: string) {
  const [, date, minutes, seconds, fraction, offset = ''] = TIME.exec(text) ?? [];
  if (date === undefined) return undefined;
  const clock = `${minutes ?? '00:00'}:${seconds ?? '00'}${fraction === undefined ? '' : `.${fraction}`}`;
  const finest: Precision = fraction === undefined ? 'second' : 'micro';
  const precision: Precision = minutes === undefined ? 'day' : seconds === undefined ? 'minute' : finest;
  return { date, clock, offset, precision };
}

/** Where clocks are set back a local time is there twice, and the first is meant; where they are set forward, it is the hour after. */
function microsOf(local: string, offset: string, timeZone: string): number | undefined {
  if (offset !== '') return parseDateTime(`${local}${offset}`);
  const asUtc = parseDateTime(`${local}Z`);
  if (asUtc === undefined) return undefined;
  const ms = Math.floor(asUtc / 1000);
  const candidates = [-1, 1].map((days) => asUtc - zoneOffsetMs(ms + days * 86_400_000, timeZone) * 1000);
  const shows = (micros: number) => micros + zoneOffsetMs(Math.floor(micros / 1000), timeZone) * 1000;
  const exact = candidates.filter((micros) => shows(micros) === asUtc);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function zoneOffsetMs(ms: number, timeZone: string): number {
  const wholeSecond = Math.floor(ms / 1000) * 1000;
  const parts = formatterOf(timeZone).formatToParts(wholeSecond);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - wholeSecond;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes a thousand times as long as using it. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const numeric = 'numeric' as const;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formatters.set(timeZone, made);
  return made;
}
