import { expect, test } from 'vitest';
import { ColumnCache } from '../../../src/storage/sqlite/columns/column-cache.ts';
import { emptyColumns } from '../../../src/storage/sqlite/columns/segment-columns.ts';

const MIB = 1024 * 1024;

test.each([1, 50, 500])(
  'columns of %i segments take no more memory than they may, and the last ones are there',
  (count) => {
    const cache = new ColumnCache(4 * MIB);
    for (let number = 0; number < count; number++) {
      cache.set(number, 1, emptyColumns(number));
      expect(cache.get(number, 1)).toBeDefined();
      expect(cache.bytes).toBeLessThanOrEqual(4 * MIB);
    }
  },
);

test('columns of a segment that has changed since are not those of it', () => {
  const cache = new ColumnCache();
  cache.set(3, 1, emptyColumns());
  expect(cache.get(3, 2)).toBeUndefined();
  const { bytes } = cache;
  cache.set(3, 2, emptyColumns());
  expect(cache.get(3, 1)).toBeUndefined();
  expect(cache.bytes).toBe(bytes);
});

test('what is larger than all that is kept is not kept, and leaves the others', () => {
  const cache = new ColumnCache(MIB);
  cache.set(1, 1, emptyColumns());
  cache.set(2, 1, emptyColumns(60_000));
  expect(cache.get(2, 1)).toBeUndefined();
  expect(cache.get(1, 1)).toBeDefined();
});
