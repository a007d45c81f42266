import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { NEW_YEAR, PROJECT, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

/** Runs of which no call is left, with all that a process says. */
const OLD = 500_000;
const MEMORY = 60_000_000;

describe.skipIf(MISSING !== undefined)('runs of a database of ClickHouse', () => {
  test('are listed in a memory that does not grow with those of which no call is left', async () => {
    const url = await bench.newDatabase();
    const storage = await openClickhouseStorage({ url, groupMs: 0, maxMemoryBytes: MEMORY });
    const connection = new Connection(createClient({ url }));
    onTestFinished(async () => {
      await storage.close();
      await connection.close();
    });
    const old = NEW_YEAR - 86_400 * SECOND;
    await connection.command(`INSERT INTO process_runs SELECT '${PROJECT}', concat('p', leftPad(toString(number), 16, '0')),
      '~', ${old}, ${old}, ${old}, 7, repeat('h', 100), '0.1.0', repeat('c', 40), 1 FROM numbers(${OLD})`);
    const living = 'pffffffffffffffff';
    await storage.calls.write([startFact('c', { process_run: living })]);
    const runs = await storage.runs?.list({ projectId: PROJECT, limit: 10 });
    expect(runs?.map(({ id }) => id)).toEqual([living]);
  });
});
