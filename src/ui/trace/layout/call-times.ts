import { type CallTree, NONE } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import { CallState, type TraceSkeleton } from './skeleton.ts';

export type TimedCalls = Pick<TraceSkeleton, 'count' | 'startedAt' | 'endedAt' | 'states'>;

/** When calls were at work, in microseconds since the first start of the trace. */
export interface CallTimes {
  /** Microseconds since 1970 of the first start. */
  readonly origin: number;
  /** From the first start to the last end, at least 1. */
  readonly span: number;
  readonly start: Float64Array;
  /** Running: now. Never ended: the last sign of life of the trace. Never before the start. */
  readonly end: Float64Array;
  /** Time in a call while none of its children was at work. */
  readonly self: Float64Array;
  /** 1: starts before its parent, which only a clock can say. */
  readonly isSkewed: Uint8Array;
}

/** Clocks of one machine may differ by so little without anybody having done wrong. */
const SKEW_TOLERANCE_US = 1000;

/** @param now microseconds since 1970 */
export function callTimesOf(calls: TimedCalls, tree: CallTree, now: number): CallTimes {
  const origin = calls.startedAt.reduce((first, start) => Math.min(first, start), Infinity);
  const start = calls.startedAt.map((instant) => instant - origin);
  const end = endsOf(calls, origin, now);
  const span = end.reduce((last, instant) => Math.max(last, instant), 1);
  return { origin, span, start, end, self: selfTimes(tree, start, end), isSkewed: skewed(tree, start) };
}

function endsOf({ count, startedAt, endedAt, states }: TimedCalls, origin: number, now: number): Float64Array {
  const lastSign = lastSignOfLife(startedAt, endedAt);
  const end = new Float64Array(count);
  for (let call = 0; call < count; call++) {
    const known = at(endedAt, call);
    const open = at(states, call) === CallState.running ? Math.max(now, lastSign) : lastSign;
    end[call] = Math.max(at(startedAt, call), Number.isNaN(known) ? open : known) - origin;
  }
  return end;
}

function lastSignOfLife(startedAt: Float64Array, endedAt: Float64Array): number {
  const lastStart = startedAt.reduce((last, instant) => Math.max(last, instant), -Infinity);
  return endedAt.reduce((last, instant) => (instant > last ? instant : last), lastStart);
}

function selfTimes(tree: CallTree, start: Float64Array, end: Float64Array): Float64Array {
  const self = new Float64Array(tree.count);
  for (let call = 0; call < tree.count; call++) self[call] = selfTime(tree, start, end, call);
  return self;
}

/** Children are in order of their start, so one pass finds how much of the call they cover together. */
function selfTime(tree: CallTree, start: Float64Array, end: Float64Array, call: number): number {
  const until = at(end, call);
  let coveredTo = at(start, call);
  let self = 0;
  for (let child = at(tree.firstChild, call); child !== NONE; child = at(tree.nextSibling, child)) {
    const from = Math.min(at(start, child), until);
    if (from > coveredTo) self += from - coveredTo;
    coveredTo = Math.max(coveredTo, Math.min(at(end, child), until));
  }
  return self + (until - coveredTo);
}

function skewed(tree: CallTree, start: Float64Array): Uint8Array {
  const isSkewed = new Uint8Array(tree.count);
  for (let call = 0; call < tree.count; call++) {
    const parent = at(tree.parent, call);
    if (parent < tree.count && at(start, call) < at(start, parent) - SKEW_TOLERANCE_US) isSkewed[call] = 1;
  }
  return isSkewed;
}
