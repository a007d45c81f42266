import { expect, test } from 'vitest';
import { capture } from '../../src/tracing/capture/capture.ts';
import { DEFAULT_CAPTURE_LIMITS } from '../../src/tracing/capture/capture-limits.ts';
import { compileMask } from '../../src/tracing/mask/mask.ts';

const MASK = compileMask(undefined);
const { maxKeys, maxItems, maxErrorMembers } = DEFAULT_CAPTURE_LIMITS;
const recorded = (value: unknown) => capture(value, 'inputs', MASK, DEFAULT_CAPTURE_LIMITS).value;

/** Reads that tell what a value is: its class, `toJSON`, `then` and the like. */
const LOOKS = 25;

/** Gives an object members that count how often they are read. */
function withCountedMembers<T extends object>(
  target: T,
  count: number,
): { readonly value: T; readonly reads: () => number } {
  let reads = 0;
  for (let index = 0; index < count; index++) {
    const get = () => ++reads;
    Object.defineProperty(target, Array.isArray(target) ? index : `k${index}`, { get, enumerable: true });
  }
  return { value: target, reads: () => reads };
}

class Own {
  readonly own = true;
}

const SIZES = [1000, 10_000, 100_000];

test.each([
  ['a plain object', () => ({}), maxKeys],
  ['an object without prototype', () => Object.create(null) as object, maxKeys],
  ['an instance', () => new Own(), maxKeys],
  ['an error', () => new Error('failed'), maxErrorMembers],
  ['an array', () => [], maxItems],
  ['a function', () => () => 1, 0],
  ['a Date', () => new Date(), 0],
  ['a Map with members', () => new Map(), 0],
  ['a Promise with members', () => Promise.resolve(), 0],
])('no more members of %s are read than are kept, however many it has', (_name, make, kept) => {
  for (const size of SIZES) {
    const { value, reads } = withCountedMembers(make(), size);
    recorded(value);
    expect(reads()).toBeLessThanOrEqual(kept + LOOKS);
  }
});

/** Members that are secrets beside others, in however many spellings. */
const TOLD_BESIDE = {
  none: [],
  'a password': ['pass'],
  'a part of a key': ['k'],
  'ten passwords': ['pass', 'Pass', 'PASS', 'pAss', 'paSs', 'pasS', 'pw', 'Pw', 'pW', 'PW'],
};

test.each(Object.entries(TOLD_BESIDE))('the keys of a value are listed once, with %s among them', (_name, told) => {
  for (const size of SIZES) {
    const counts = { ownKeys: 0, get: 0, described: 0, has: 0 };
    const target = withKeys(told, size);
    const value = new Proxy(target, {
      ownKeys: (object) => (counts.ownKeys++, Reflect.ownKeys(object)),
      get: (object, key) => (counts.get++, Reflect.get(object, key)),
      getOwnPropertyDescriptor: (object, key) => (counts.described++, Reflect.getOwnPropertyDescriptor(object, key)),
      has: (object, key) => (counts.has++, Reflect.has(object, key)),
    });
    recorded(value);
    expect(counts.ownKeys).toBe(1);
    // The language asks for each key whether it is to be listed.
    expect(counts.described).toBe(size);
    expect(counts.has).toBe(0);
    expect(counts.get).toBeLessThanOrEqual(maxKeys + LOOKS);
  }
});

/** An object with so many keys, these first. */
function withKeys(first: readonly string[], size: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [first[index] ?? `k${index}`, 'v']));
}

/** Counts the steps of an iteration over a value. */
function countedSteps(value: Iterable<unknown>): { readonly value: object; readonly steps: () => number } {
  let steps = 0;
  const original = value[Symbol.iterator].bind(value);
  Object.defineProperty(value, Symbol.iterator, {
    value: function* counted() {
      for (const item of { [Symbol.iterator]: original }) {
        steps += 1;
        yield item;
      }
    },
  });
  return { value, steps: () => steps };
}

const pairs = (size: number) => Array.from({ length: size }, (_, index): [string, string] => [`k${index}`, 'v']);

test.each([
  ['a Map', (size: number) => countedSteps(new Map(pairs(size))), maxKeys],
  ['a Set', (size: number) => countedSteps(new Set(pairs(size))), maxItems],
  ['a Float64Array', (size: number) => countedSteps(new Float64Array(size)), maxItems],
  ['URLSearchParams', (size: number) => countedSteps(new URLSearchParams(pairs(size))), maxKeys],
  ['Headers', (size: number) => countedSteps(new Headers(pairs(size))), maxKeys],
])('no more of %s is looked at than is kept, however much it has', (_name, make, kept) => {
  for (const size of [1000, 3000]) {
    const { value, steps } = make(size);
    recorded(value);
    expect(steps()).toBeLessThanOrEqual(kept + 1);
  }
});

test('parameters beyond those that are kept are counted', () => {
  const text = recorded(new URLSearchParams(pairs(1000))) as string;
  expect(text).toMatch(/^k0=v&k1=v&.*&k199=v …\[800 more of 1000 parameters\]$/);
  expect(recorded(new URLSearchParams(pairs(2)))).toBe('k0=v&k1=v');
});

test('holes of an array are passed over within its limit', () => {
  const sparse: unknown[] = [];
  sparse[100_000_000] = 1;
  expect(recorded(sparse)).toHaveLength(maxItems + 1);
});

/** What the language takes to list the keys of an object and to read the first of them. */
function lookAtFirst(value: Record<string, unknown>): unknown {
  return Object.keys(value)
    .slice(0, maxKeys)
    .map((key) => value[key]);
}

/** What recording costs beside looking; both take turns. */
function costRatio(value: Record<string, unknown>): number {
  const ratios = Array.from({ length: ROUNDS }, () => {
    const [looking, recording] = [cpuOf(() => lookAtFirst(value)), cpuOf(() => recorded(value))];
    return recording / looking;
  });
  return ratios.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
}

/** Of so many rounds the middle one counts: what else the machine does disturbs either side. */
const ROUNDS = 31;

/** Microseconds of the processor, which has other work too. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const LARGE = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));

test.each([
  ['an object', () => LARGE],
  ['an instance', () => Object.assign(new Own(), LARGE)],
  ['an object without prototype', () => Object.assign(Object.create(null) as object, LARGE)],
  ['a Proxy', () => new Proxy(LARGE, {})],
])('%s of 100,000 keys costs at most 1.25 times what the language takes for the first of them', (_name, make) => {
  expect(costRatio(make() as Record<string, unknown>)).toBeLessThanOrEqual(1.25);
});
