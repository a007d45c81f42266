import { expect, test } from 'vitest';
import { inParts } from '../../../src/storage/clickhouse/write/in-parts.ts';

test('as much is found as there is, also of one item', async () => {
  const many = Array.from({ length: 500_000 }, (_, index) => index);
  expect(await inParts(['trace'], async () => many)).toHaveLength(many.length);
  const asked: number[] = [];
  await inParts(many.slice(0, 12_000), async (part) => {
    asked.push(part.length);
    return [];
  });
  expect(asked).toEqual([5000, 5000, 2000]);
});
