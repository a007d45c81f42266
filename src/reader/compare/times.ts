import { parseDateTime } from '../../protocol/values/date-time.ts';
import type { Call } from '../../protocol/call.ts';
import { opNameOf } from '../../protocol/ref.ts';
import type { ComparedCall, TimeChange } from './comparison.ts';

/** Less may come of anything else that the machine did. */
const LEAST_MS = 500;
const LEAST_FACTOR = 3;

/**
 * Ops that took far longer, or far less, by themselves: of the calls that are alike and call the same, without what is below
 * them. What else differs takes as long as it takes. The greatest change is told first.
 */
export function timesAmong(calls: readonly ComparedCall[]): TimeChange[] {
  const intervals = { a: calls.map(({ a }) => intervalOf(a)), b: calls.map(({ b }) => intervalOf(b)) };
  const below = { a: intervalsBelow(calls, intervals.a), b: intervalsBelow(calls, intervals.b) };
  const withOthers = new Set(calls.map(({ a, b, parent }) => (a === null || b === null ? parent : null)));
  const found = new Map<string, { op: string; calls: number[]; a: number; b: number }>();
  for (const [index, { a, b, cause }] of calls.entries()) {
    if (a === null || b === null || cause !== null || withOthers.has(index)) continue;
    const one = ownMicros(intervals.a[index], below.a.get(index));
    const other = ownMicros(intervals.b[index], below.b.get(index));
    if (one === undefined || other === undefined) continue;
    const op = opNameOf(b.op_name);
    const known = found.get(op) ?? { op, calls: [], a: 0, b: 0 };
    found.set(op, known);
    known.calls.push(index);
    known.a += one / 1000;
    known.b += other / 1000;
  }
  return [...found.values()].filter(isTold).toSorted((one, other) => differenceOf(other) - differenceOf(one));
}

function isTold({ a, b }: TimeChange): boolean {
  return differenceOf({ a, b }) >= LEAST_MS && Math.max(a, b) >= LEAST_FACTOR * Math.min(a, b);
}

function differenceOf({ a, b }: Pick<TimeChange, 'a' | 'b'>): number {
  return Math.abs(b - a);
}

/** Microseconds since 1970. */
type Interval = readonly [from: number, to: number];

/** `undefined`: it has no end. */
function intervalOf(call: Call | null): Interval | undefined {
  if (call === null || call.ended_at === null) return undefined;
  const [from, to] = [parseDateTime(call.started_at), parseDateTime(call.ended_at)];
  return from === undefined || to === undefined || to < from ? undefined : [from, to];
}

/** By the number of a pair when the calls right below it ran. */
function intervalsBelow(
  calls: readonly ComparedCall[],
  intervals: readonly (Interval | undefined)[],
): ReadonlyMap<number, Interval[]> {
  const below = new Map<number, Interval[]>();
  for (const [index, { parent }] of calls.entries()) {
    const interval = intervals[index];
    if (parent === null || interval === undefined) continue;
    const known = below.get(parent);
    if (known) known.push(interval);
    else below.set(parent, [interval]);
  }
  return below;
}

/** How long none of the calls below ran. */
function ownMicros(whole: Interval | undefined, below: readonly Interval[] = []): number | undefined {
  if (whole === undefined) return undefined;
  let [own, until] = [0, whole[0]];
  for (const [from, to] of below.toSorted((one, other) => one[0] - other[0])) {
    if (from > until) own += Math.min(from, whole[1]) - until;
    until = Math.min(whole[1], Math.max(until, to));
  }
  return own + whole[1] - until;
}
