import { expect, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { migrate } from '../../../src/storage/sqlite/migrate.ts';

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
