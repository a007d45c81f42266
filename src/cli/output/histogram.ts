import type { Histogram } from '../../protocol/page/calls-stats.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { colors } from './colors.ts';
import { formatCount, formatDuration, formatTime } from './numbers.ts';
import { screenWidth } from './screen.ts';
import { wrapped } from './wrapped.ts';

/** Names of the rows stand before their bars. */
const LABEL = 8;
const MOST_BARS = 60;
const LEAST_BARS = 8;
/** Times are told to the second. */
const SHORTEST_MS = 1000;
/** From the least that is more than nothing to the highest. */
const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** Between two times. */
const GAP = 2;

/** As many bars as there is room for. */
export function barsWithin(room: number = screenWidth()): number {
  return Math.max(LEAST_BARS, Math.min(MOST_BARS, room - LABEL));
}

/** Calls over time, those that failed below them on the same scale, and what times these are; nothing of what was over at once. */
export function histogramLines({ from, bucket_ms: width, counts, errors }: Histogram, room = screenWidth()): string[] {
  if (width * counts.length < SHORTEST_MS) return [];
  const highest = counts.reduce((most, count) => Math.max(most, count), 0);
  const began = parseDateTime(from) ?? 0;
  const timeAt = (bar: number) => began + bar * width * 1000;
  return [
    ...wrapped(`a bar is ${formatDuration(width * 1000)}, the highest ${callsText(highest)}`, { room }),
    row('calls', barsOf(counts, highest)),
    ...(errors.some((count) => count > 0) ? [row('failed', colors.red(barsOf(errors, highest)))] : []),
    row('', colors.dim(timesUnder(counts.length, timeAt))),
  ];
}

function callsText(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'call' : 'calls'}`;
}

function row(label: string, bars: string): string {
  return `${label.padEnd(LABEL)}${bars}`.trimEnd();
}

function barsOf(counts: readonly number[], highest: number): string {
  const steps = BLOCKS.length - 1;
  return counts.map((count) => BLOCKS[Math.ceil((count / Math.max(highest, 1)) * steps)]).join('');
}

/** The first time below the first bar, the last below the end of the last, and one in the middle where it has room. */
function timesUnder(bars: number, timeAt: (bar: number) => number): string {
  const places = [0, bars / 2, bars];
  const [first = '', middle = '', last = ''] = shortened(places.map((bar) => formatTime(timeAt(bar))));
  if (bars < first.length + GAP + last.length) return first;
  const left = Math.floor((bars - middle.length) / 2);
  const isRoomy = left >= first.length + GAP && bars - left - middle.length >= GAP + last.length;
  const before = isRoomy ? `${first.padEnd(left)}${middle}` : first;
  return `${before.padEnd(bars - last.length)}${last}`;
}

/** Without what all of them have in common: the seconds of a day, the minutes of a year, or the days. */
function shortened(times: readonly string[]): readonly string[] {
  const isOne = (length: number) => new Set(times.map((time) => time.slice(0, length))).size === 1;
  if (isOne('2026-01-31'.length)) return times.map((time) => time.slice('2026-01-31 '.length));
  if (isOne('2026'.length)) return times.map((time) => time.slice('2026-'.length, '2026-01-31 14:09'.length));
  return times.map((time) => time.slice(0, '2026-01-31'.length));
}
