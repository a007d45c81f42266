import { describe, expect, test } from 'vitest';
import { ClickhouseObjects } from '../../../src/storage/clickhouse/clickhouse-objects.ts';
import { ClickhouseTables } from '../../../src/storage/clickhouse/clickhouse-tables.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { newObject, PROJECT } from '../../../src/testing/storage/facts.ts';
import { derivedTable, newTable } from '../../../src/testing/storage/tables/table-facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

/** What it has read is not there for the statement that follows: a balancer may send that to a server which is behind. */
class BalancedConnection extends Connection {
  behind: string | undefined;

  override async command(statement: Sql | string): Promise<void> {
    const { behind } = this;
    this.behind = undefined;
    if (behind === undefined) return await super.command(statement);
    await super.command(`RENAME TABLE ${behind} TO ahead`);
    await super.command(`CREATE TABLE ${behind} AS ahead`);
    try {
      await super.command(statement);
    } finally {
      await super.command(`INSERT INTO ahead SELECT * FROM ${behind}`);
      await super.command(`DROP TABLE ${behind}`);
      await super.command(`RENAME TABLE ahead TO ${behind}`);
    }
  }
}

const NOT_NOW = {
  code: 'unavailable',
  message: expect.stringMatching(/has not yet what another server has shown$/) as string,
};

describe.skipIf(MISSING !== undefined)('on a server that has not yet what another one has shown', () => {
  test('a table is not derived, and is when that server has its base', async () => {
    const { storage, connection } = await openWatched(bench, BalancedConnection);
    const tables = new ClickhouseTables(connection);
    const base = newTable('{"n":1}', '{"n":2}');
    await tables.create(base);
    const derived = derivedTable(base, { from: 0, count: 1 }, '{"n":3}');
    connection.behind = 'tables';
    await expect(tables.derive(derived)).rejects.toMatchObject(NOT_NOW);
    expect(await storage.tables.stats(PROJECT, [derived.digest])).toEqual([]);
    await tables.derive(derived);
    expect(await storage.tables.stats(PROJECT, [derived.digest])).toMatchObject([{ count: 2 }]);
  });

  test('a version is not made the latest one again, and is when that server has it', async () => {
    const { storage, connection } = await openWatched(bench, BalancedConnection);
    const objects = new ClickhouseObjects(connection);
    const [first, second] = [newObject('first'), newObject('second')];
    for (const object of [first, second]) await objects.create(object);
    const latest = async () => (await storage.objects.get(PROJECT, 'settings', 'latest'))?.digest;
    connection.behind = 'objects';
    await expect(objects.create(first)).rejects.toMatchObject(NOT_NOW);
    expect(await latest()).toBe(second.digest);
    await objects.create(first);
    expect(await latest()).toBe(first.digest);
  });
});
