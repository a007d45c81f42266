import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { digestBytes, digestTable } from '../../../src/protocol/values/digest.ts';
import { checkDatabase } from '../../../src/storage/sqlite/upkeep/check.ts';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';
import { initialSchema } from '../../../src/storage/sqlite/schema/0001-initial.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { endFact, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

let filled: string;
let copies = 0;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-check-'));
  filled = join(folder, 'filled.db');
  await fill(filled);
  return () => rmSync(folder, { recursive: true });
});

function copyOf(path: string): string {
  const copy = `${path}-${copies++}`;
  copyFileSync(path, copy);
  return copy;
}

/** Something of every kind. */
async function fill(path: string): Promise<void> {
  const storage = await openSqliteStorage({ path });
  const input_refs = ['svc:///acme/demo/object/o:x'];
  await storage.calls.write([startFact('a', { input_refs }), endFact('a'), startFact('b'), startFact('gone')]);
  await storage.calls.delete(PROJECT, ['gone'], 1);
  const bytes = Buffer.from('text');
  await storage.files.create({ project_id: PROJECT, digest: digestBytes(bytes), name: 'f', bytes });
  for (const val of ['{"a":1}', '{"a":2}', '{"a":3}']) {
    await storage.objects.create({
      project_id: PROJECT,
      object_id: 'o',
      kind: 'object',
      digest: digestBytes(val),
      val,
      base_object_class: null,
      leaf_object_class: null,
      svc_user_id: 'u',
      created_at: 1,
    });
  }
  await storage.objects.delete(PROJECT, 'o', ['v1'], 2);
  const row = { digest: digestBytes('{"r":1}'), val: '{"r":1}' };
  const row_digests = [row.digest, row.digest];
  await storage.tables.create({ project_id: PROJECT, digest: digestTable(row_digests), row_digests, rows: [row] });
  await storage.close();
}

function damage(path: string, sql: string): void {
  const database = new (loadDriver().DatabaseSync)(path);
  database.exec(sql);
  database.close();
}

const problemsOf = (path: string) => [...checkDatabase(path)].filter(({ problem }) => problem !== undefined);

test('a database that is whole has no problems, and is not changed by the check', () => {
  const before = readFileSync(filled);
  const results = [...checkDatabase(filled)];
  expect(readFileSync(filled).equals(before)).toBe(true);
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

test.each([
  ['DELETE FROM project', 'rows belong to projects'],
  [
    "DELETE FROM body_start WHERE pk = (SELECT pk FROM calls WHERE id = 'a')",
    'calls that have started have an op and a body',
  ],
  ['DELETE FROM op', 'calls that have started have an op and a body'],
  ['DELETE FROM body_end', 'calls that have ended have a body of their end'],
  ["UPDATE calls SET ended_at = 5 WHERE id = 'b'", 'calls that have ended have a body of their end'],
  ["INSERT INTO body_start VALUES (99, '{}', '{}', NULL)", 'bodies and references belong to calls'],
  ['UPDATE ref SET call = 77', 'bodies and references belong to calls'],
  [
    "DELETE FROM purge; INSERT INTO body_end SELECT pk, NULL, '{}' FROM calls WHERE id = 'gone'",
    'deleted calls are gone or on the list of what is to go',
  ],
  ['UPDATE calls SET deleted_at = NULL', 'deleted calls are gone or on the list of what is to go'],
  ['UPDATE object SET version_index = 7 WHERE version_index = 2', 'versions of objects are numbered without gaps'],
  ['UPDATE object SET val = NULL WHERE version_index = 0', 'deleted versions have no value, the others have one'],
  [
    'UPDATE object_latest SET object = (SELECT pk FROM object WHERE version_index = 1)',
    'the latest version is one that is there, of every name that has one',
  ],
  ['DELETE FROM object_latest', 'the latest version is one that is there, of every name that has one'],
  ['DELETE FROM dataset_item WHERE position = 0', 'tables have all their rows, at places without gaps'],
  ['DELETE FROM dataset_row', 'tables have all their rows, at places without gaps'],
  ['UPDATE dataset SET size_bytes = 1', 'tables have all their rows, at places without gaps'],
  ["UPDATE file SET bytes = CAST('other' AS BLOB)", 'files are those of their digests'],
  [`UPDATE object SET val = '{"a":9}' WHERE version_index = 2`, 'objects are those of their digests'],
  [`UPDATE dataset_row SET val = '{"r":2}'`, 'rows of tables are those of their digests'],
])('after %s the check says so', (sql, about) => {
  const path = copyOf(filled);
  damage(path, sql);
  expect(problemsOf(path).map((result) => result.about)).toContain(about);
});

test('a page that was overwritten is found, and nothing more is looked at', () => {
  const path = copyOf(filled);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(16_384, 0xff), 0, 16_384, 4 * 16_384);
  closeSync(file);
  const results = [...checkDatabase(path)];
  expect(results).toEqual([{ about: 'pages and indexes', problem: expect.any(String) as string }]);
});

test('a file whose beginning was overwritten is found', () => {
  const path = copyOf(filled);
  writeFileSync(path, Buffer.alloc(100, 0x5a), { flag: 'r+' });
  expect([...checkDatabase(path)]).toEqual([{ about: 'pages and indexes', problem: 'file is not a database' }]);
});

test('a database of an older schema is checked as far as it can be', async () => {
  const path = await newDatabasePath();
  mkdirSync(dirname(path), { recursive: true });
  damage(path, `${initialSchema}; PRAGMA user_version = 1`);
  expect([...checkDatabase(path)].map(({ about }) => about)).toEqual([
    'pages and indexes',
    'older schema: the next start of a service renews it, the rest can be checked then',
  ]);
});

test('a file that is no database of ours is refused', async () => {
  const path = await newDatabasePath();
  mkdirSync(dirname(path), { recursive: true });
  damage(path, 'CREATE TABLE other(a)');
  expect(() => [...checkDatabase(path)]).toThrow(`There is no data of spoor in "${path}"`);
});

test.each(['{"all"', 'null', '{"all":{"days":"7"},"projects":{}}'])(
  'what is kept and cannot be read is a problem: %s',
  async (setting) => {
    const path = copyOf(filled);
    damage(path, `INSERT INTO setting (name, value) VALUES ('retention', '${setting}')`);
    expect([...checkDatabase(path)].at(-1)).toEqual({
      about: 'kept',
      problem: 'Cannot read how long is kept: the setting is damaged. Say it anew with --retain-days',
    });
  },
);

test('what services on the data keep is told', async () => {
  const path = copyOf(filled);
  const storage = await openSqliteStorage({ path });
  const projects = { 'acme/kept': {}, 'acme/short': { days: 1 } };
  await storage.policy?.set({ all: { days: 30, bytes: 20_000_000_000 }, projects });
  await storage.close();
  expect([...checkDatabase(path)].at(-1)).toEqual({
    about: 'kept: 30 days and 20,000,000,000 bytes of each project; acme/kept: all; acme/short: 1 day',
  });
});
