import { expect, test } from 'vitest';
import { digestBytes } from '../../src/protocol/values/digest.ts';
import { tableOf } from '../../src/storage/packed/packed-table.ts';
import { PortionedTable, rowsByDigest, toPortion } from '../../src/storage/packed/portioned-table.ts';

const rowOf = (val: string) => ({ digest: digestBytes(val), val });

/** Short rows, long ones, which are kept by themselves, and one that is there again and again. */
const rowAt = (index: number) =>
  rowOf(index % 7 === 0 ? '{}' : `{"n":${index},"text":"${'x'.repeat(index % 5 === 0 ? 200 : 3)}"}`);

function portionsOf(count: number, rows: number) {
  return Array.from({ length: count }, (_, portion) =>
    toPortion(Array.from({ length: rows }, (_unused, index) => rowAt(portion * rows + index))),
  );
}

test.each([
  [0, 0],
  [1, 0],
  [1, 1],
  [1, 100],
  [2, 50],
  [15, 20],
  [16, 20],
  [17, 20],
  [60, 10],
])('%i portions of %i rows are gone through by the beginning of digests, each row once', (count, rows) => {
  const placed = [...rowsByDigest(portionsOf(count, rows))];
  const sorted = [...placed].sort((a, b) => a.place - b.place);
  expect(sorted).toEqual(Array.from({ length: count * rows }, (_, place) => ({ place, ...rowAt(place) })));
  // Ranges follow one another, and none comes again.
  const ranges = placed.map(({ digest }) => rangeOf(digest, Math.min(count, 16)));
  expect(ranges).toEqual([...ranges].sort((a, b) => a - b));
});

/** The range of letters and digits that a digest begins with, of so many. */
const rangeOf = (digest: string, count: number) => Math.floor(((digest.charCodeAt(0) - 48) * count) / 75);

test('a table that is packed says how many rows it has', () => {
  const portions = portionsOf(3, 10);
  const table = tableOf(new PortionedTable({ project_id: 'a/b', digest: 'd', portions }).packed);
  expect(table.by_digest?.count).toBe(30);
  expect([...table.row_digests]).toEqual(Array.from({ length: 30 }, (_, index) => rowAt(index).digest));
});
