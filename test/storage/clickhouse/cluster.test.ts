import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openCluster } from '../../clickhouse/cluster.ts';

const bench = useClickhouse();

const REMOVES = /^DELETE FROM (\w+)/;
/** Asks whether a server shows a removal that it has taken. */
const ASKS = 'FROM system.mutations\n      WHERE database = currentDatabase() AND table = ';

describe.skipIf(MISSING !== undefined)('what is old on the servers of a cluster', () => {
  test.each([
    ['main', true],
    ['', false],
  ])('of the name "%s" is gone for readers when the server says so: %s', async (cluster, isAsked) => {
    const { url, asked } = await openCluster(await bench.newDatabase());
    const storage = await openClickhouseStorage({ url, cluster, groupMs: 0 });
    onTestFinished(() => storage.close());
    await storage.calls.write([startFact('a')]);
    asked.length = 0;
    expect(await storage.retention?.removeBefore(PROJECT, Number.MAX_SAFE_INTEGER)).toEqual({ traces: 1, calls: 1 });
    const steps = asked.flatMap((text) => REMOVES.exec(text)?.[1] ?? (text.includes(ASKS) ? ['asked'] : []));
    const tables = ['feedback', 'call_keys', 'calls'];
    // Before the next table, and as often as it takes.
    const once = steps.filter((step, index) => step !== 'asked' || steps[index - 1] !== 'asked');
    expect(once).toEqual(isAsked ? tables.flatMap((table) => [table, 'asked']) : tables);
  });
});
