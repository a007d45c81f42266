import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { openConnection } from '../../../src/storage/clickhouse/open-connection.ts';
import { initialSchema } from '../../../src/storage/clickhouse/schema/0001-initial.ts';
import { migrate, schemaStatements } from '../../../src/storage/clickhouse/schema/migrate.ts';
import { raw } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { usagesOf } from '../../../src/storage/values/overviews/call-usage.ts';
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
    await migrate(connection, { migrations: [initialSchema] });
    const before = await connection.all(TABLES);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('version 1, not') as string });
    expect(await connection.all(TABLES)).toEqual(before);
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
      // Rows that a step copies are copied by the servers.
      if (statement.startsWith('INSERT INTO')) continue;
      expect(statement).toMatch(/^(CREATE TABLE IF NOT EXISTS|ALTER TABLE) \w+ ON CLUSTER 'main-\{region\}' /);
      const tree = await connection.all<{ explain: string }>(raw(`EXPLAIN AST ${statement}`));
      expect(tree.map(({ explain }) => explain).join('\n')).toMatch(
        statement.startsWith('ALTER') ? /^AlterQuery/ : /Function Replicated(Replacing|Aggregating)MergeTree/,
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

  test('a database of the first version has what it had, and is brought to the newest one', async () => {
    const url = await bench.newDatabase();
    await migrate(connectionTo(url), { migrations: [initialSchema] });
    const old = { project_id: PROJECT, id: 'old', trace_id: 'old', op_name: 'op', started_at: 1, inputs: '{"a":1}' };
    const connection = connectionTo(url);
    const usage = { input_tokens: 2, output_tokens: 3 };
    const [used] = usagesOf({}, { usage: { m: usage } });
    const usages = JSON.stringify([used]);
    await connection.insert('calls', [{ ...old, input_preview: 'kept', model: 'm', usages, ver: 1 }]);
    await connection.insert('call_keys', [{ project_id: PROJECT, id: 'old', trace_id: 'old', started_at: 1, ver: 1 }]);
    const storage = await openClickhouseStorage({ url, groupMs: 0 });
    onTestFinished(() => storage.close());
    const summary = JSON.stringify({ usage: { m: usage } });
    await storage.calls.write([startFact('new', { inputs: '{"a":2}' }), endFact('new', { summary })]);
    expect(await readIds(storage)).toEqual(['old', 'new']);
    const aggregate = await storage.overviews?.aggregate({ projectId: PROJECT, filter: {} });
    expect(aggregate?.models).toMatchObject([{ model: 'm', calls: 2, tokens: { plainPrompt: 4, plainCompletion: 6 } }]);
    const sort = [{ field: { kind: 'time', column: 'started_at' }, isDescending: false }] as const;
    const plan = { projectId: PROJECT, filter: {}, sort, offset: 0, hasPreviews: true };
    const previews: (string | null)[] = [];
    for await (const chunk of storage.overviews?.outlines(plan) ?? [])
      previews.push(...chunk.map(({ input }) => input));
    expect(previews).toEqual(['kept', '{"a":2}']);
  });

  test('times of traces of the first version are those of the newest one, also where both come at once', async () => {
    const url = await bench.newDatabase();
    const connection = connectionTo(url);
    await migrate(connection, { migrations: [initialSchema] });
    const rows = ['a', 'b'].map((id) => ({ project_id: PROJECT, id, trace_id: 't', started_at: NEW_YEAR, ver: 1 }));
    await connection.insert('calls', rows);
    await connection.insert('call_keys', rows);
    const times = { project_id: PROJECT, trace_id: 't' };
    await connection.insert('trace_time', [{ ...times, first: NEW_YEAR, last: NEW_YEAR }]);
    await connection.insert('trace_time', [{ ...times, first: NEW_YEAR - 1, last: NEW_YEAR - 1 }]);
    const storages = await Promise.all([0, 1].map(() => openClickhouseStorage({ url, groupMs: 0 })));
    for (const storage of storages) onTestFinished(() => storage.close());
    for (const storage of storages)
      expect(await readIds(storage, { filter: { trace_ids: ['t'] } })).toEqual(['a', 'b']);
    expect(await connection.all(raw('SELECT trace_id, first, last FROM trace_spans FINAL'))).toEqual([
      { trace_id: 't', first: NEW_YEAR - 1, last: NEW_YEAR },
    ]);
  });

  test('uses of models of the first version are what they were, before and after parts are merged', async () => {
    const url = await bench.newDatabase();
    const connection = connectionTo(url);
    await migrate(connection, { migrations: [initialSchema] });
    const odd = `it's "\\" 🎉\n`;
    const usage = { [odd]: { input_tokens: 2, output_tokens: 3 }, plain: { input_tokens: 5, output_tokens: 7 } };
    const found = usagesOf({}, { usage });
    const usages = JSON.stringify(found.map((one) => ({ ...one, provider: odd })));
    const row = { project_id: PROJECT, trace_id: 't', op_name: 'op', started_at: 1, model: odd, usages, ver: 1 };
    const key = { project_id: PROJECT, trace_id: 't', started_at: 1, ver: 1 };
    await connection.insert('calls', [{ ...row, id: 'old' }]);
    await connection.insert('call_keys', [{ ...key, id: 'old' }]);
    const storage = await openClickhouseStorage({ url, groupMs: 0 });
    onTestFinished(() => storage.close());
    // A service of the version before writes on beside this one.
    await connection.insert('calls', [{ ...row, id: 'older' }]);
    await connection.insert('call_keys', [{ ...key, id: 'older' }]);
    const modelsOf = async () => {
      const models = (await storage.overviews?.aggregate({ projectId: PROJECT, filter: {} }))?.models ?? [];
      return models.map(({ model, tokens }) => [model, tokens.plainPrompt, tokens.plainCompletion]);
    };
    const sums = [
      [odd, 4, 6],
      ['plain', 10, 14],
    ];
    expect(await modelsOf()).toEqual(expect.arrayContaining(sums));
    await connection.command('OPTIMIZE TABLE calls FINAL');
    expect(await modelsOf()).toEqual(expect.arrayContaining(sums));
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
