import { array, assert, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { commonSubsequence } from '../../../src/reader/compare/common-subsequence.ts';

const few = array(nat(2), { maxLength: 40 });
/** They are searched by another way: every pair of equal items would be too much. */
const long = array(nat(1), { minLength: 260, maxLength: 400 });
const many = array(nat(30), { maxLength: 40 });

/** By the table of all pairs of prefixes. */
function longest(a: readonly number[], b: readonly number[]): number {
  let above = Array.from({ length: b.length + 1 }, () => 0);
  for (const item of a) {
    const row = [0];
    for (const [index, other] of b.entries())
      row.push(item === other ? (above[index] ?? 0) + 1 : Math.max(above[index + 1] ?? 0, row[index] ?? 0));
    above = row;
  }
  return above.at(-1) ?? 0;
}

test.each([
  ['of few items', few],
  ['of many items', many],
  ['of two items again and again', long],
])('sequences %s have as many in common as there can be, in order', (_name, sequence) => {
  assert(
    property(sequence, sequence, (a, b) => {
      const matches = commonSubsequence(a, b);
      expect(matches.a.map((index) => a[index])).toEqual(matches.b.map((index) => b[index]));
      for (const side of [matches.a, matches.b]) expect([...new Set(side)].toSorted((x, y) => x - y)).toEqual(side);
      expect(matches.a.length).toBe(longest(a, b));
    }),
    { numRuns: 200 },
  );
});

/** Numbers from a seed, the same in each run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomItems(length: number, kinds: number, seed: number): number[] {
  const next = chance(seed);
  return Array.from({ length }, () => Math.floor(next() * kinds));
}

test.each([2, 3, 10])('long sequences of %i items that differ everywhere have most of it in common', (kinds) => {
  const [a, b] = [randomItems(3000, kinds, 1), randomItems(3000, kinds, 2)];
  const matches = commonSubsequence(a, b);
  expect(matches.a.map((index) => a[index])).toEqual(matches.b.map((index) => b[index]));
  expect(matches.a.length / longest(a, b)).toBeGreaterThan(0.85);
  expect(matches.a.length / longest(a, b)).toBeLessThanOrEqual(1);
});

test('the same items in reverse order have one in common', () => {
  const a = Array.from({ length: 10_000 }, (_item, index) => index);
  expect(commonSubsequence(a, a.toReversed()).a.length).toBe(1);
});
