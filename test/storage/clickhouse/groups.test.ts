import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

/** Nobody waits so long. */
const NEVER_MS = 2 ** 31 - 1;

describe.skipIf(MISSING !== undefined)('groups of writes', () => {
  test('little waits for more, and with much of it for nothing', async () => {
    const storage = await openClickhouseStorage({ url: await bench.newDatabase(), groupMs: NEVER_MS });
    onTestFinished(() => storage.close());
    const write = (count: number, name: string) => {
      return storage.calls.write(Array.from({ length: count }, (_, index) => startFact(`${name}-${index}`)));
    };
    await write(1, 'first');
    const little = write(1, 'little');
    await storage.checkHealth?.();
    expect(storage.writeQueue?.()).toMatchObject({ waitingCount: 1, groupCount: 1 });
    await Promise.all([little, write(1000, 'much')]);
    expect(storage.writeQueue?.()).toMatchObject({ waitingCount: 0, groupCount: 2 });
    await write(2000, 'at once');
    expect(storage.writeQueue?.()).toMatchObject({ groupCount: 3 });
  });
});
