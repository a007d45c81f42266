import { expect, test } from 'vitest';
import { LastRead } from '../../src/storage/values/last-read.ts';

/** How often texts of these lengths are read when they come in turn, three times each. */
function readings(...lengths: number[]): number {
  let count = 0;
  const last = new LastRead(() => (count += 1));
  const texts = lengths.map((length, index) => String(index).padEnd(length, 'x'));
  for (let turn = 0; turn < 3; turn += 1) for (const text of texts) last.of(text);
  return count;
}

test('a few texts are read once each', () => {
  expect(readings(10, 20, 30, 40, 50, 60)).toBe(6);
  expect(readings(8_000_000, 8_000_000)).toBe(2);
});

test('of more, or longer ones, the oldest are let go', () => {
  expect(readings(1, 2, 3, 4, 5, 6, 7)).toBe(21);
  expect(readings(12_000_000, 12_000_000)).toBe(6);
});

test('the newest one is kept however long it is', () => {
  expect(readings(20_000_000)).toBe(1);
});
