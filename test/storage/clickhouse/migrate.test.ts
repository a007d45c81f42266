import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { openConnection } from '../../../src/storage/clickhouse/open-connection.ts';
import { migrate, schemaStatements } from '../../../src/storage/clickhouse/schema/migrate.ts';
import { raw } from '../../../src/storage/sql/sql.ts';
import { PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

const TABLES = raw('SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name');

describe.skipIf(MISSING !== undefined)('the schema of a database of ClickHouse', () => {
  test('two services that open an empty database at once find one schema', async () => {
    const url = await bench.newDatabase();
    const storages = await Promise.all([0, 1].map(() => openClickhouseStorage({ url, groupMs: 0 })));
    for (const storage of storages) onTestFinished(() => storage.close());
    await storages[0]?.calls.write([startFact('c1')]);
    expect(await storages[1]?.calls.get(PROJECT, 'c1')).toMatchObject({ id: 'c1' });
  });

  test('a database of a newer version is refused, and stays as it is', async () => {
    const url = await bench.newDatabase();
    const connection = connectionTo(url);
    await connection.command(
      'CREATE TABLE schema_version (version UInt32) ENGINE = ReplacingMergeTree ORDER BY version',
    );
    await connection.insert('schema_version', [{ version: 1000 }]);
    await expect(openClickhouseStorage({ url })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('its schema is version 1000') as string,
    });
    const tables = await connection.all<{ name: string }>(TABLES);
    expect(tables.map(({ name }) => name)).toEqual(['schema_version']);
  });

  test('a command that only reads leaves an empty database, and one of an older version, as it is', async () => {
    const url = await bench.newDatabase();
    const connection = connectionTo(url);
    const read = async () => await openConnection({ url, keepsSchema: true });
    await expect(read()).rejects.toMatchObject({ code: 'invalid_configuration' });
    expect(await connection.all(TABLES)).toEqual([]);
    await connection.command(
      'CREATE TABLE schema_version (version UInt32) ENGINE = ReplacingMergeTree ORDER BY version',
    );
    await connection.insert('schema_version', [{ version: 1 }]);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('version 1, not') as string });
    expect(await connection.all(TABLES)).toEqual([{ name: 'schema_version' }]);
    const storage = await openClickhouseStorage({ url });
    onTestFinished(() => storage.close());
    await (await read()).connection.close();
  });

  test('a step that was ended in its middle is carried out again, those before it are not', async () => {
    const connection = connectionTo(await bench.newDatabase());
    const [first, second] = [table('one'), table('two')];
    await migrate(connection, { migrations: [[first]] });
    await connection.command('DROP TABLE one');
    await connection.command(second);
    await migrate(connection, { migrations: [[first], [second, table('three')]] });
    const tables = await connection.all<{ name: string }>(TABLES);
    expect(tables.map(({ name }) => name)).toEqual(['schema_version', 'three', 'two']);
  });

  test('the schema of a cluster is made on all of its servers, with copies, and is read by the engine', async () => {
    const connection = connectionTo(await bench.newDatabase());
    const statements = schemaStatements('main-{region}');
    expect(statements).toHaveLength(schemaStatements().length);
    for (const statement of statements) {
      expect(statement).toMatch(/^CREATE TABLE IF NOT EXISTS \w+ ON CLUSTER 'main-\{region\}' \(/);
      const tree = await connection.all<{ explain: string }>(raw(`EXPLAIN AST ${statement}`));
      expect(tree.map(({ explain }) => explain).join('\n')).toMatch(
        /Function Replicated(Replacing|Aggregating)MergeTree/,
      );
    }
    const broken = statements[1]?.replace('ON CLUSTER', 'ON CLUSTR') ?? '';
    await expect(connection.all(raw(`EXPLAIN AST ${broken}`))).rejects.toThrow('Syntax error');
  });

  test('tables of one server are not taken for those of a cluster, nor the other way round', async () => {
    const url = await bench.newDatabase();
    const storage = await openClickhouseStorage({ url });
    onTestFinished(() => storage.close());
    await expect(openClickhouseStorage({ url, cluster: 'main' })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('its tables are those of one server') as string,
    });
    await expect(openClickhouseStorage({ url, cluster: "a'; --" })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('Cannot use the cluster "a\'; --"') as string,
    });
  });

  test('what was written is there for who opens the database next', async () => {
    const url = await bench.newDatabase();
    const storage = await openClickhouseStorage({ url, groupMs: 0 });
    await storage.calls.write([startFact('c1')]);
    await storage.close();
    const again = await openClickhouseStorage({ url, groupMs: 0 });
    onTestFinished(() => again.close());
    expect(await readIds(again)).toEqual(['c1']);
  });
});

function connectionTo(url: string): Connection {
  const connection = new Connection(createClient({ url }));
  onTestFinished(() => connection.close());
  return connection;
}

function table(name: string): string {
  return `CREATE TABLE ${name} (n UInt8) ENGINE = MergeTree ORDER BY n`;
}
