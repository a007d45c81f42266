import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TracingError } from '../../../src/protocol/error.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import type { DatabaseSync } from '../../../src/storage/sqlite/driver.ts';
import { errorData } from '../../../src/storage/sqlite/threads/messages.ts';
import type { Change } from '../../../src/storage/sqlite/threads/requests.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { packFacts } from '../../../src/storage/packed/packed-facts.ts';
import { ReadPool } from '../../../src/storage/sqlite/threads/read-pool.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { ThreadChannel } from '../../../src/storage/sqlite/threads/thread-channel.ts';
import { refusalOf } from '../../../src/storage/sqlite/write/refusal.ts';
import { Trouble } from '../../../src/storage/sqlite/write/trouble.ts';
import { WatchedReads } from '../../../src/storage/sqlite/threads/watched-reads.ts';
import { requestBytes } from '../../../src/storage/sqlite/threads/write-endpoint.ts';
import { WriteClient } from '../../../src/storage/sqlite/threads/write-client.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

async function newDatabase(): Promise<string> {
  const path = await newDatabasePath();
  await mkdir(dirname(path), { recursive: true });
  return path;
}

const codeOf = (outcome: unknown) =>
  typeof outcome === 'object' && outcome !== null && 'error' in outcome ? errorData(outcome.error).code : 'done';

function content(database: DatabaseSync): unknown {
  return database.prepare('SELECT (SELECT count(*) FROM calls) AS calls, count(*) AS tables FROM sqlite_schema').get();
}

const probeOf = (change: Change) => ({ op: 'probe', refused: refusalOf(change, requestBytes(change)) }) as const;

/** Room in pages of 16 KiB, and what is written in bytes, as parts of all that it may be. */
const ROOM = [0, 1, 2, 8, 32, 128, 512];
const SIZES = [10, 20_000, 200_000, 1_000_000, 5_000_000];

test.each(ROOM)('with room for %i pages a probe succeeds only where what was refused would', async (room) => {
  const database = openWriteConnection({ path: await newDatabase(), durable: 'crash' });
  migrate(database);
  const writer = new Writer(database);
  const pages = () => Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
  for (const [index, size] of SIZES.entries()) {
    database.exec(`PRAGMA max_page_count = ${pages() + room}`);
    const inputs = JSON.stringify({ text: 'x'.repeat(size) });
    const change = { op: 'writeCalls', facts: [startFact(`c${room}-${index}`, { inputs })] } as const;
    const stored = content(database);
    const [probe] = writer.writeGroup([probeOf(change)]);
    expect(content(database)).toEqual(stored);
    const [written] = writer.writeGroup([change]);
    const codes = `${codeOf(probe)}, ${codeOf(written)}`;
    // A probe has a megabyte more, and so may be refused where the write is not.
    const isRoomy = room * 16_384 > size + 2_000_000;
    expect(codes).toMatch(isRoomy ? /^done, done$/ : /^(?:done, done|unavailable, .+)$/);
  }
  writer.close();
});

test('a probe does not change what is written afterwards', async () => {
  const database = openWriteConnection({ path: await newDatabase(), durable: 'crash' });
  migrate(database);
  const writer = new Writer(database);
  const change = { op: 'writeCalls', facts: [startFact('a')] } as const;
  for (let round = 0; round < 3; round++) writer.writeGroup([probeOf(change)]);
  expect(writer.writeGroup([change, change])).toEqual([{ result: ['trace-of-a'] }, { result: ['trace-of-a'] }]);
  expect(database.prepare('SELECT id FROM calls').all()).toHaveLength(1);
  writer.close();
});

test('a write that does not end is not healthy, and is again when it has', async () => {
  const path = await newDatabase();
  const open = () => new ThreadChannel({ role: 'write', options: { path, durable: 'crash' } });
  const writes = new WriteClient(open, { stuckMs: 20 });
  onTestFinished(() => writes.close());
  await writes.ready;
  await writes.checkHealth();
  const other = openWriteConnection({ path, durable: 'crash' });
  other.exec('BEGIN IMMEDIATE');
  const write = writes.send({ op: 'writeCalls', facts: [startFact('a')] });
  await vi.waitFor(
    () =>
      expect(writes.checkHealth()).rejects.toMatchObject({
        code: 'unavailable',
        message: 'Cannot write to the database: a write that was begun does not end',
      }),
    10_000,
  );
  other.exec('COMMIT');
  other.close();
  await write;
  await writes.checkHealth();
});

test('a writer whose thread has ended while nothing was written has a new one when somebody asks', async () => {
  const path = await newDatabase();
  const channels: ThreadChannel[] = [];
  const writes = new WriteClient(() => {
    const channel = new ThreadChannel({ role: 'write', options: { path, durable: 'crash' } });
    channels.push(channel);
    return channel;
  });
  onTestFinished(() => writes.close());
  await writes.ready;
  // The writer cannot answer a read: for it that is a mistake of the program, which ends the thread.
  await expect(channels[0]?.send({ op: 'ping' })).rejects.toMatchObject({ code: 'unavailable' });
  await vi.waitFor(() => writes.checkHealth(), { timeout: 10_000 });
  expect(channels).toHaveLength(2);
  expect(await writes.send({ op: 'writeCalls', facts: [startFact('a')] })).toEqual(['trace-of-a']);
});

test('what came packed and is refused is tried again until it would go', { timeout: 60_000 }, async () => {
  const path = await newDatabase();
  const channel = new ThreadChannel({ role: 'write', options: { path, durable: 'crash' } });
  const writes = new WriteClient(() => channel);
  onTestFinished(() => writes.close());
  await writes.ready;
  const change = { op: 'writeCalls', facts: packFacts([startFact('a'), startFact('b')]) } as const;
  const other = openWriteConnection({ path, durable: 'crash' });
  other.exec('BEGIN IMMEDIATE');
  await expect(writes.send(change)).rejects.toMatchObject({ code: 'unavailable' });
  for (let round = 0; round < 3; round++) {
    await expect(writes.checkHealth()).rejects.toMatchObject({ code: 'unavailable' });
  }
  other.exec('COMMIT');
  other.close();
  await vi.waitFor(() => writes.checkHealth(), { timeout: 20_000 });
  expect(await writes.send(change)).toEqual(['trace-of-a', 'trace-of-b']);
  expect(channel.pendingCount).toBe(0);
});

test('a request that cannot be sent to a thread is refused and forgotten', async () => {
  const path = await newDatabase();
  const channel = new ThreadChannel({ role: 'write', options: { path, durable: 'crash' } });
  onTestFinished(() => channel.close());
  await channel.ready;
  const facts = packFacts([startFact('a')]);
  structuredClone(facts.lengths.buffer, { transfer: [facts.lengths.buffer] });
  for (let round = 0; round < 3; round++) {
    await expect(channel.send({ op: 'writeCalls', facts })).rejects.toThrow(/detached/);
    expect(channel.pendingCount).toBe(0);
  }
  expect(await channel.send({ op: 'writeCalls', facts: packFacts([startFact('a')]) })).toEqual(['trace-of-a']);
});

test('an attempt that fails for a reason of its own says nothing of the database', async () => {
  const refused = new TracingError('unavailable', 'the disk is full');
  const failures = [
    new TypeError('cannot be sent'),
    new TracingError('internal_error', 'rows is not iterable'),
    refused,
    new TracingError('not_found', 'no such call'),
  ];
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const trouble = new Trouble<string>(() => Promise.reject(failures.shift() ?? refused));
  trouble.note(refused, 'a');
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(trouble.check()).rejects.toBe(refused);
    vi.advanceTimersByTime(1000);
  }
  await trouble.check();
});

/** Goes on until its deadline. */
const ENDLESS = {
  text: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
SELECT count(*) AS count FROM n WHERE spoor_go_on(x)`,
  values: [],
};

test('threads that are busy with long reads keep nobody waiting who asks how the service is', async () => {
  const path = await newDatabase();
  const storage = await openSqliteStorage({ path });
  await storage.calls.write([startFact('a')]);
  const reads = new WatchedReads(new ReadPool({ path, durable: 'crash' }));
  onTestFinished(async () => {
    await reads.close();
    await storage.close();
  });
  await reads.checkHealth();
  const leaving = new AbortController();
  const long = [1, 2, 3].map(() => reads.send({ op: 'count', count: ENDLESS }, { signal: leaving.signal }));
  const ended = Promise.allSettled(long);
  expect(await Promise.race([ended, reads.checkHealth()])).toBeUndefined();
  leaving.abort();
  await ended;
  await reads.checkHealth();
});
