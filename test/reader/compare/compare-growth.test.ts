import { expect, test } from 'vitest';
import type { Call } from '../../../src/protocol/call.ts';
import { compareCalls } from '../../../src/reader/compare/compare-calls.ts';
import { traceOf } from './traces.ts';

type Shape = (index: number, side: number) => { readonly op: string; readonly inputs: object };

/** Levels of which each is the worst for some way to pair calls. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'all alike': () => ({ op: 'f', inputs: {} }),
  'none alike': (index, side) => ({ op: `f-${side}`, inputs: { index } }),
  'other inputs everywhere': (index, side) => ({ op: 'f', inputs: { text: `${side}-${index}` } }),
  'in reverse order': (index, side) => ({ op: 'f', inputs: { index: side === 0 ? index : -index } }),
  'few inputs in any order': (index, side) => ({ op: 'f', inputs: { kind: scattered(index, side) % 3 } }),
  'few ops in any order': (index, side) => ({ op: `f-${scattered(index, side) % 10}`, inputs: { index, side } }),
};

/** The same number for the same index and side, and no pattern in them. */
function scattered(index: number, side: number): number {
  const mixed = Math.imul(index + 1, 2_654_435_761) ^ Math.imul(side + 1, 40_503);
  return (Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) >>> 8) & 0xffff;
}

function levelOf(count: number, side: number, shape: Shape): Call[] {
  const calls = Array.from({ length: count }, (_call, index) => shape(index, side));
  return traceOf({ op: 'root', calls: calls.map(({ op, inputs }) => ({ op, inputs: { ...inputs } })) });
}

/** The shortest of some tries, in milliseconds of the processor: others may use it meanwhile. */
function timeOf(count: number, shape: Shape): number {
  const [a, b] = [levelOf(count, 0, shape), levelOf(count, 1, shape)];
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    compareCalls(a, b);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

test.each(Object.entries(SHAPES))(
  'four times as many calls take far less than sixteen times as long: %s',
  (_, shape) => {
    timeOf(2500, shape);
    const [less, more] = [timeOf(5000, shape), timeOf(20_000, shape)];
    expect(more / Math.max(less, 20)).toBeLessThan(10);
  },
);
