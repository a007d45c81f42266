import { type Period, periodOf } from './instant.ts';
import type { FieldTest, FilterValue, Order } from './tree.ts';

/** When calls started, in microseconds since 1970. */
export interface StartedPeriod {
  /** The first microsecond of it. */
  readonly after?: number;
  /** The one after its last. */
  readonly before?: number;
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** IANA name of the zone that times without an offset are of. */
  readonly timeZone: string;
}

/** The periods of a test of `started`: a call has to start in one of them. */
export function startedPeriods(test: FieldTest, clock: Clock): StartedPeriod[] {
  if (test.kind === 'is') return test.values.map((value) => wholeOf(value, clock));
  if (test.kind === 'order') return [orderOf(test.order, test.value, clock)];
  const from = timeOf(test.from, clock);
  const to = timeOf(test.to, clock);
  return [{ after: from.from, before: to.precision === 'day' ? to.to : to.from }];
}

/** A time ago goes on until now and further: clocks of other machines may be ahead. */
function wholeOf(value: FilterValue, clock: Clock): StartedPeriod {
  const { from, to } = timeOf(value, clock);
  return value.kind === 'duration' ? { after: from } : { after: from, before: to };
}

/** After a day begins with the next one; after a time of day, with the next microsecond. */
function orderOf(order: Order, value: FilterValue, clock: Clock): StartedPeriod {
  const { from, to, precision } = timeOf(value, clock);
  const next = precision === 'day' ? to : from + 1;
  switch (order) {
    case '>':
      return { after: next };
    case '>=':
      return { after: from };
    case '<':
      return { before: from };
    case '<=':
      return { before: next };
  }
}

function timeOf(value: FilterValue, { now, timeZone }: Clock): Period {
  if (value.kind === 'time') return periodOf(value.text, timeZone);
  const from = Math.round((now - (value.kind === 'duration' ? value.ms : 0)) * 1000);
  return { from, to: from + 1, precision: 'micro' };
}
