import type { CallsSelection } from '../../data/answers.ts';
import { formatDay, formatMinute } from '../../format/time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The range that a page starts with. */
const USUAL = { value: '24h', label: 'Last 24 h', ms: DAY } as const;

/** Times to look back, the shortest first. */
export const RANGES = [
  { value: '15m', label: 'Last 15 min', ms: 15 * MINUTE },
  { value: '1h', label: 'Last hour', ms: HOUR },
  { value: '6h', label: 'Last 6 h', ms: 6 * HOUR },
  USUAL,
  { value: '7d', label: 'Last 7 days', ms: 7 * DAY },
  { value: '30d', label: 'Last 30 days', ms: 30 * DAY },
  { value: 'all', label: 'All time', ms: Infinity },
] as const;

export interface TimeRange {
  readonly label: string;
  /** Inclusive, ms since 1970. */
  readonly after?: number;
  /** Exclusive. */
  readonly before?: number;
}

/** The time range of the address; a text that makes no sense is the default. */
export function rangeOf(text: string, now: number): TimeRange {
  const [from, to] = text.split(',').map((part) => Date.parse(part));
  if (from !== undefined && to !== undefined && from < to)
    return { label: spanLabel(from, to), after: from, before: to };
  const known = RANGES.find(({ value }) => value === text) ?? USUAL;
  return known.ms === Infinity ? { label: known.label } : { label: known.label, after: now - known.ms };
}

export interface RangeOptions {
  readonly project: string;
  readonly t: string;
  readonly roots: boolean;
  readonly now: number;
}

/** The calls of a range, without a filter. */
export function callsOfRange({ project, t, roots, now }: RangeOptions): CallsSelection {
  const { after, before } = rangeOf(t, now);
  return {
    project_id: project,
    ...(after !== undefined && { started_after: new Date(after).toISOString() }),
    ...(before !== undefined && { started_before: new Date(before).toISOString() }),
    ...(roots && { roots_only: true }),
  };
}

export function printSpan(from: number, to: number): string {
  return `${new Date(from).toISOString()},${new Date(to).toISOString()}`;
}

/** `05:00–06:00`, with days where they differ from today or from each other. */
export function spanLabel(from: number, to: number): string {
  const isOneDay = formatDay(from) === formatDay(to);
  if (isOneDay) return `${formatDay(from)} ${formatMinute(from)}–${formatMinute(to)}`;
  return `${formatDay(from)} ${formatMinute(from)}–${formatDay(to)} ${formatMinute(to)}`;
}
