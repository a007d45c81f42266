import { copyFile, mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planCalls, planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import { raw, sql } from '../../../src/storage/sql/sql.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { openSqliteStorage, type SqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { endFact, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

/** Depends on the row, so that it is computed for each: about ten milliseconds, for thousands of rows. */
const SOME_MILLISECONDS =
  '(WITH RECURSIVE n(i) AS (SELECT c.pk UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n)';

/** A dialect whose every comparison of texts takes a second or more inside SQLite. */
const SLOW = {
  ...sqliteDialect,
  bindText: (text: string) => {
    const count = raw('SELECT count(*) FROM n');
    const endless = raw('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000)');
    if (text === 'slow for each row') return raw(SOME_MILLISECONDS);
    return text === 'slow' ? sql`(${endless} ${count})` : sqliteDialect.bindText(text);
  },
};

const SLOW_QUERY = { $expr: { $eq: [{ $getField: 'trace_id' }, { $literal: 'slow' }] } } as never;

async function withStorage(path: string, use: (storage: SqliteStorage) => Promise<void>): Promise<void> {
  const storage = await openSqliteStorage({ path, dialect: SLOW });
  try {
    await use(storage);
  } finally {
    await storage.close();
  }
}

test('what was written is there when the file is opened again', async () => {
  const path = await newDatabasePath();
  await withStorage(path, async (storage) => {
    await storage.calls.write([startFact('c1'), endFact('c1', { output: '1' })]);
  });
  await withStorage(path, async (storage) => {
    expect(storage.recovery).toEqual({ wasClean: true, check: 'none' });
    expect((await storage.calls.get(PROJECT, 'c1'))?.output).toBe('1');
  });
});

test('closing folds the log into the database', async () => {
  const path = await newDatabasePath();
  await withStorage(path, async (storage) => {
    await storage.calls.write([startFact('c1')]);
    expect((await stat(`${path}-wal`)).size).toBeGreaterThan(0);
  });
  await expect(stat(`${path}-wal`)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('deleted calls stay deleted, and their bodies are removed', async () => {
  const path = await newDatabasePath();
  await withStorage(path, async (storage) => {
    const ids = Array.from({ length: 5000 }, (_, index) => `c${index}`);
    await storage.calls.write(ids.map((id) => startFact(id)));
    await storage.calls.write([startFact('kept')]);
    expect(await storage.calls.delete(PROJECT, ids, 1)).toBe(5000);
  });
  // The removal of bodies goes on at the next start, where closing came first.
  await withStorage(path, async (storage) => {
    await expect.poll(() => countRows(path, 'body_start'), { timeout: 10_000 }).toBe(1);
    await storage.calls.write([startFact('c1')]);
    expect(await readIds(storage)).toEqual(['kept']);
  });
});

test('a read beyond its deadline rejects, and other reads go on', async () => {
  await withStorage(await newDatabasePath(), async (storage) => {
    await storage.calls.write([startFact('c1')]);
    const selection = planSelection({ project_id: PROJECT, query: SLOW_QUERY }, DEFAULT_LIMITS);
    const slow = [1, 2].map(() => storage.calls.count(selection, undefined, { deadlineMs: 200 }));
    const rejected = Promise.all(slow.map((read) => expect(read).rejects.toMatchObject({ code: 'query_timeout' })));
    const waiting = [storage.calls.get(PROJECT, 'c1'), storage.calls.get(PROJECT, 'c1')];
    await rejected;
    for (const call of await Promise.all(waiting)) expect(call?.id).toBe('c1');
    expect(await readIds(storage)).toEqual(['c1']);
  });
});

test('a scan over bodies is ended at its deadline, and its thread goes on', async () => {
  await withStorage(await newDatabasePath(), async (storage) => {
    // What is not in the text of a body is not looked for in its JSON.
    const inputs = '{"a":"slow for each row"}';
    await storage.calls.write(Array.from({ length: 2000 }, (_, index) => startFact(`c${index}`, { inputs })));
    const scan = {
      $expr: { $contains: { input: { $getField: 'inputs.a' }, substr: { $literal: 'slow for each row' } } },
    };
    const selection = planSelection({ project_id: PROJECT, query: scan }, DEFAULT_LIMITS);
    for (let round = 0; round < 3; round++) {
      const read = storage.calls.count(selection, undefined, { deadlineMs: 50 });
      await expect(read).rejects.toMatchObject({ code: 'query_timeout' });
      expect((await storage.calls.get(PROJECT, 'c1'))?.id).toBe('c1');
    }
  });
});

test('a stream beyond its deadline rejects before its first record', async () => {
  await withStorage(await newDatabasePath(), async (storage) => {
    await storage.calls.write([startFact('c1')]);
    const plan = planCalls({ project_id: PROJECT, query: SLOW_QUERY }, DEFAULT_LIMITS);
    const first = storage.calls.query(plan, { deadlineMs: 200 })[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ code: 'query_timeout' });
  });
});

test('a full write queue refuses, takes nothing of the refused batch and goes on', async () => {
  const storage = await openSqliteStorage({ path: await newDatabasePath(), maxQueuedBytes: 2_000_000 });
  const inputs = JSON.stringify({ text: 'x'.repeat(900_000) });
  const writes = ['a', 'b', 'c', 'd'].map((id) => storage.calls.write([startFact(id, { inputs })]));
  const results = await Promise.allSettled(writes);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(results[2]).toMatchObject({ reason: { code: 'rate_limited' } });
  expect(await readIds(storage)).toEqual(['a', 'b']);
  await storage.calls.write([startFact('c', { inputs })]);
  expect(await readIds(storage)).toEqual(['a', 'b', 'c']);
  await storage.close();
});

test('of writes that are committed together only the bad one fails', async () => {
  const storage = await openSqliteStorage({ path: await newDatabasePath() });
  // No caller inside the package writes such a fact; the column refuses it.
  const bad = startFact('bad', { inputs: null as never });
  const results = await Promise.allSettled([
    storage.calls.write([startFact('a')]),
    storage.calls.write([startFact('b'), bad]),
    storage.calls.write([startFact('c')]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await readIds(storage)).toEqual(['a', 'c']);
  await storage.close();
});

test('after an unclean stop the file is checked, and the caller is told', async () => {
  const path = await newDatabasePath();
  const copy = await newDatabasePath();
  await withStorage(path, async (storage) => {
    await storage.calls.write([startFact('c1')]);
    // What a process leaves that is killed now.
    await mkdir(dirname(copy), { recursive: true });
    for (const part of ['', '-wal']) await copyFile(path + part, copy + part);
  });
  await withStorage(copy, async (storage) => {
    expect(storage.recovery).toEqual({ wasClean: false, check: 'ok' });
    expect(await readIds(storage)).toEqual(['c1']);
  });
});

test('a file that is no database is refused', async () => {
  const path = await newDatabasePath();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'this is not a database, only a text that is long enough to be one'.repeat(1000));
  await expect(openSqliteStorage({ path })).rejects.toMatchObject({ code: 'unavailable' });
});

test('a database that was cut off is refused after an unclean stop', async () => {
  const path = await newDatabasePath();
  await withStorage(path, async (storage) => {
    await storage.calls.write(Array.from({ length: 2000 }, (_, index) => startFact(`c${index}`)));
  });
  await truncate(path, 16_384 * 5);
  await writeFile(`${path}-wal`, 'x');
  await expect(openSqliteStorage({ path })).rejects.toMatchObject({ code: 'unavailable' });
});

test('a closed storage refuses reads and writes', async () => {
  const storage = await openSqliteStorage({ path: await newDatabasePath() });
  await storage.close();
  await expect(storage.calls.write([startFact('c1')])).rejects.toMatchObject({ code: 'unavailable' });
  await expect(storage.calls.get(PROJECT, 'c1')).rejects.toMatchObject({ code: 'unavailable' });
});

function countRows(path: string, table: string): number {
  const database = openWriteConnection({ path, durable: 'crash' });
  try {
    return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
  } finally {
    database.close();
  }
}

test('a second storage is kept out of a database until the first is closed', async () => {
  const path = await newDatabasePath();
  await withStorage(path, async () => {
    await expect(openSqliteStorage({ path })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: `Cannot open the database "${path}": another service uses it`,
    });
  });
  await withStorage(path, async (storage) => {
    expect(storage.recovery.wasClean).toBe(true);
    await storage.calls.write([startFact('c1')]);
  });
});
