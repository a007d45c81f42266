import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { countCalls, endFact, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

const MINUTE = 60_000_000;

describe.skipIf(MISSING !== undefined)('reads of ClickHouse', () => {
  test('a search finds the newest texts of calls only', async () => {
    const storage = await openClickhouseStorage({ url: await bench.newDatabase(), groupMs: 0 });
    onTestFinished(() => storage.close());
    await storage.calls.write([startFact('c1'), endFact('c1', { output: '{"v":"early words"}' })]);
    await storage.calls.write([endFact('c1', { output: '{"v":"late words"}', revision: 1 })]);
    const holds = (text: string) => {
      const input = { $getField: 'output.v' };
      return countCalls(storage, { query: { $expr: { $contains: { input, substr: { $literal: text } } } } });
    };
    expect(await Promise.all(['early', 'late', 'words'].map(holds))).toEqual([0, 1, 1]);
  });

  test('a page is whole where most rows of its time are old ones, or of deleted calls', async () => {
    const storage = await openClickhouseStorage({ url: await bench.newDatabase(), groupMs: 0 });
    onTestFinished(() => storage.close());
    const ids = Array.from({ length: 160 }, (_, index) => `c${String(index).padStart(3, '0')}`);
    await storage.calls.write(ids.map((id, index) => startFact(id, { started_at: 1 + index * MINUTE })));
    await storage.calls.delete(PROJECT, ids.slice(10, 150), 1);
    const page = async (direction: 'asc' | 'desc', limit: number, offset = 0) => {
      return await readIds(storage, { sort_by: [{ field: 'started_at', direction }], limit, offset });
    };
    expect(await page('desc', 12)).toEqual([...ids.slice(8, 10), ...ids.slice(150)].toReversed());
    expect(await page('asc', 12, 5)).toEqual([...ids.slice(5, 10), ...ids.slice(150, 157)]);
    expect(await page('desc', 3)).toEqual(ids.slice(157).toReversed());
  });
});
