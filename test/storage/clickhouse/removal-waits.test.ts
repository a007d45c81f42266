import { expect, test, vi } from 'vitest';
import type { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';

const waits = vi.hoisted((): number[] => []);

vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void waits.push(ms) }));

test('a removal is looked at again soon, as most take some milliseconds, and then less and less often', async () => {
  let looks = 0;
  const all = async () => (++looks > 8 ? [] : [{ table: 'calls', reason: '' }]);
  expect(await new Removals({ all } as unknown as Connection).ended()).toBe(true);
  expect(waits).toEqual([50, 100, 200, 400, 800, 1600, 3200, 4000]);
});
