import { expect, test } from 'vitest';
import { RANGES, rangeOf } from '../../../../src/ui/calls/filter/range.ts';

test('times to look back are offered the shortest first', () => {
  const lengths = RANGES.map(({ ms }) => ms);
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
});

test('an address without a time, or with one that makes no sense, looks back a day', () => {
  for (const text of ['', 'soon', '5,3']) expect(rangeOf(text, 90_000_000)).toMatchObject({ after: 3_600_000 });
});
