import { describe, expect, test } from 'vitest';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { joinHalves } from '../../../src/storage/clickhouse/upkeep/reconcile.ts';
import { GroupWriter } from '../../../src/storage/clickhouse/write/group-writer.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { newCost } from '../../../src/testing/storage/costs-conformance.ts';
import { NEW_YEAR, newFeedback, newObject, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { newView } from '../../../src/testing/storage/views-conformance.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

const HOUR = 3_600_000_000;

describe.skipIf(MISSING !== undefined)('what a service with a clock that is ahead has written', () => {
  test('is changed and removed by the others all the same', async () => {
    const { storage, moveAhead } = await open();
    await storage.views.save(newView('a', { name: 'first' }));
    await moveAhead('views', 'ver');
    await storage.views.save(newView('a', { name: 'second' }));
    expect(await storage.views.list(PROJECT)).toMatchObject([{ name: 'second' }]);
    await moveAhead('views', 'ver');
    await storage.views.delete(PROJECT, 'a');
    expect(await storage.views.list(PROJECT)).toEqual([]);

    await storage.costs.create([newCost('m', { id: 'c' })]);
    await moveAhead('costs', 'ver');
    await storage.costs.purge(PROJECT, ['c']);
    expect(await storage.costs.list(PROJECT)).toEqual([]);

    await storage.feedback.create(newFeedback('f'));
    await moveAhead('feedback', 'ver');
    await storage.feedback.purge(PROJECT, ['f']);
    expect(await storage.feedback.list(PROJECT)).toEqual([]);
    await moveAhead('feedback', 'ver');
    await storage.feedback.create(newFeedback('f'));
    expect(await storage.feedback.list(PROJECT)).toMatchObject([{ id: 'f' }]);
  });

  test('is renamed by the others all the same, before and after it has started', async () => {
    const { storage, connection, moveAhead } = await open();
    await storage.calls.rename(PROJECT, 'late', 'first');
    await moveAhead('call_halves', 'ver');
    await storage.calls.rename(PROJECT, 'late', 'second');
    await storage.calls.write([startFact('late'), startFact('early')]);
    expect(await storage.calls.get(PROJECT, 'late')).toMatchObject({ display_name: 'second' });

    await storage.calls.rename(PROJECT, 'early', 'first');
    await moveAhead('call_halves', 'ver');
    await storage.calls.rename(PROJECT, 'early', 'second');
    await joinHalves(connection, new GroupWriter(connection));
    expect(await storage.calls.get(PROJECT, 'early')).toMatchObject({ display_name: 'second' });
  });

  test('is not the latest version of an object for longer than until the next one', async () => {
    const { storage, moveAhead } = await open();
    const latest = async () => (await storage.objects.get(PROJECT, 'o', 'latest'))?.digest;
    await storage.objects.create(newObject('one', { object_id: 'o' }));
    await moveAhead('objects', 'latest_at', 'ver');
    await storage.objects.create(newObject('two', { object_id: 'o' }));
    const second = newObject('two', { object_id: 'o' }).digest;
    expect(await latest()).toBe(second);
    await moveAhead('objects', 'latest_at', 'ver');
    await storage.objects.delete(PROJECT, 'o', [second], NEW_YEAR);
    expect(await latest()).toBe(newObject('one', { object_id: 'o' }).digest);
  });
});

interface Opened {
  readonly storage: Storage;
  readonly connection: Connection;
  /** As if it were written by a clock that is an hour ahead of all that was written before. */
  readonly moveAhead: (table: string, ...columns: readonly string[]) => Promise<void>;
}

async function open(): Promise<Opened> {
  const { storage, connection } = await openWatched(bench, Connection);
  let ahead = 0;
  return {
    storage,
    connection,
    moveAhead: async (table, ...columns) => {
      ahead += HOUR;
      const moved = columns.map((column) => `${column} + ${ahead} AS ${column}`);
      // With those that are gone: a row as it stands, above what it was.
      await connection.command(
        `INSERT INTO ${table} SELECT * REPLACE (${moved.join(', ')}) FROM ${table} ORDER BY ver DESC LIMIT 1`,
      );
    },
  };
}
