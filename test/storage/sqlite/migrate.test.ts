import { expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { migrate, MIGRATIONS } from '../../../src/storage/sqlite/schema/migrate.ts';

function openEmpty() {
  return openWriteConnection({ path: ':memory:', durable: 'crash' });
}

function versionOf(database: ReturnType<typeof openEmpty>): unknown {
  return database.prepare('PRAGMA user_version').get()?.['user_version'];
}

test('an empty database gets every step, and the next start none', () => {
  const database = openEmpty();
  migrate(database);
  const version = versionOf(database);
  expect(version).toBeGreaterThan(0);
  migrate(database);
  expect(versionOf(database)).toBe(version);
  expect(database.prepare('SELECT count(*) AS count FROM calls').get()?.['count']).toBe(0);
  database.close();
});

test('an older database gets the steps it lacks and keeps its rows', () => {
  const database = openEmpty();
  const first = 'CREATE TABLE a(x)';
  migrate(database, [first]);
  database.exec('INSERT INTO a VALUES (1)');
  migrate(database, [first, 'ALTER TABLE a ADD COLUMN y DEFAULT 2; CREATE TABLE b(z)']);
  expect({ ...database.prepare('SELECT * FROM a').get() }).toEqual({ x: 1, y: 2 });
  expect(versionOf(database)).toBe(2);
  database.close();
});

const OLD_PRICE = { project: 1, id: 'c1', llm_id: 'm', prompt_token_cost: 0.5, completion_token_cost: 2 };

/** What a database holds, however its statements were written. */
function shapeOf(database: ReturnType<typeof openEmpty>): unknown[] {
  const names = database.prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name");
  return names.all().map(({ type, name }) => {
    const columns =
      type === 'table' ? database.prepare(`SELECT name, type, "notnull" FROM pragma_table_info(?)`) : null;
    return [type, name, columns?.all(String(name)).map((column) => ({ ...column }))];
  });
}

test.each(MIGRATIONS.map((_step, index) => index + 1))(
  'a database of version %d gets the shape of a new one and keeps its prices',
  (version) => {
    const fresh = openEmpty();
    migrate(fresh);
    const database = openEmpty();
    migrate(database, MIGRATIONS.slice(0, version));
    const hasPrices = version >= 3;
    if (hasPrices) {
      const { project, id, llm_id, prompt_token_cost, completion_token_cost } = OLD_PRICE;
      database
        .prepare(
          `INSERT INTO cost(project, id, llm_id, prompt_token_cost, completion_token_cost, prompt_token_cost_unit,
             completion_token_cost_unit, effective_date, provider_id, created_by, created_at)
           VALUES (?, ?, ?, ?, ?, 'USD', 'USD', 1, 'default', 'me', 1)`,
        )
        .run(project, id, llm_id, prompt_token_cost, completion_token_cost);
    }
    migrate(database);
    expect(shapeOf(database)).toEqual(shapeOf(fresh));
    const prices = database.prepare('SELECT * FROM cost').all();
    const kept = expect.objectContaining({ ...OLD_PRICE, reasoning_token_cost: null }) as unknown;
    expect(prices.map((price) => ({ ...price }))).toEqual(hasPrices ? [kept] : []);
    database.close();
    fresh.close();
  },
);

test('calls of a database of version 8 are in segments, of which nothing is kept yet', () => {
  const database = openEmpty();
  migrate(database, MIGRATIONS.slice(0, 8));
  database.exec("INSERT INTO calls(pk, project, id) VALUES (1, 1, 'a'), (9000, 1, 'b')");
  migrate(database);
  const segments = database.prepare('SELECT number, changes FROM segment').all();
  expect(segments.map((row) => ({ ...row }))).toEqual([0, 1, 2].map((number) => ({ number, changes: 2 })));
  expect(database.prepare('SELECT count(*) AS count FROM segment_columns').get()?.['count']).toBe(0);
  database.close();
});

test('a step that fails leaves the database as it was', () => {
  const database = openEmpty();
  expect(() => migrate(database, ['CREATE TABLE a(x)', 'CREATE TABLE a(x)'])).toThrow(/already exists/);
  expect(versionOf(database)).toBe(0);
  expect(() => database.prepare('SELECT * FROM a')).toThrow(/no such table/);
  database.close();
});

test('a database of a newer version is refused with a sentence', () => {
  const database = openEmpty();
  database.exec('PRAGMA user_version = 99');
  expect(() => migrate(database)).toThrow(/schema is version 99 and this program knows up to \d+;/);
  database.close();
});

test('a step whose failure has ended the transaction is reported with its own reason', () => {
  const database = openEmpty();
  expect(() => migrate(database, ['CREATE TABLE a(x); ROLLBACK; CREATE TABLE a'])).toThrow(/incomplete input/);
  database.close();
});
