import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWriteConnection } from '../../../src/storage/sqlite/connection.ts';
import { errorData } from '../../../src/storage/sqlite/threads/messages.ts';
import { migrate } from '../../../src/storage/sqlite/schema/migrate.ts';
import { ThreadChannel } from '../../../src/storage/sqlite/threads/thread-channel.ts';
import { WriteClient } from '../../../src/storage/sqlite/threads/write-client.ts';
import { Writer } from '../../../src/storage/sqlite/write/writer.ts';
import { startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

async function newDatabase(): Promise<string> {
  const path = await newDatabasePath();
  await mkdir(dirname(path), { recursive: true });
  return path;
}

test('a full disk is "unavailable", and once there is room again writing goes on', async () => {
  const database = openWriteConnection({ path: await newDatabase(), durable: 'crash' });
  migrate(database);
  const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const writer = new Writer(database);
  const inputs = JSON.stringify({ text: 'x'.repeat(200_000) });
  const write = (id: string) => writer.writeGroup([{ op: 'writeCalls', facts: [startFact(id, { inputs })] }]);
  const [full] = write('a');
  expect(full !== undefined && 'error' in full && errorData(full.error).code).toBe('unavailable');
  database.exec(`PRAGMA max_page_count = ${pages + 1000}`);
  expect(write('b')).toEqual([{ result: ['trace-of-b'] }]);
  expect(database.prepare('SELECT id FROM calls').all()).toHaveLength(1);
  writer.close();
});

test('a file that may only be read is "unavailable"', async () => {
  const database = openWriteConnection({ path: await newDatabase(), durable: 'crash' });
  migrate(database);
  const writer = new Writer(database);
  database.exec('PRAGMA query_only = 1');
  const [outcome] = writer.writeGroup([{ op: 'writeCalls', facts: [startFact('a')] }]);
  expect(outcome !== undefined && 'error' in outcome && errorData(outcome.error).code).toBe('unavailable');
  database.close();
});

test('when the writer thread ends, what waits is refused and the next write has a new thread', async () => {
  const path = await newDatabase();
  const channels: ThreadChannel[] = [];
  const open = () => {
    const channel = new ThreadChannel({ role: 'write', options: { path, durable: 'crash' } });
    channels.push(channel);
    return channel;
  };
  const writes = new WriteClient(open);
  onTestFinished(() => writes.close());
  await writes.ready;
  // The writer cannot answer a read: for it that is a mistake of the program, which ends the thread.
  const ping = channels[0]?.send({ op: 'ping' });
  await expect(ping).rejects.toMatchObject({ code: 'unavailable' });
  const written = await writes.send({ op: 'writeCalls', facts: [startFact('a')] });
  expect(written).toEqual(['trace-of-a']);
  expect(channels).toHaveLength(2);
});

test('while another process holds the database a group of writes fails as a whole, after one wait', async () => {
  const path = await newDatabase();
  const database = openWriteConnection({ path, durable: 'crash' });
  migrate(database);
  database.exec('PRAGMA busy_timeout = 0');
  const attempts: string[] = [];
  const writer = new Writer({
    exec: (text) => {
      attempts.push(text);
      database.exec(text);
    },
    prepare: (text) => database.prepare(text),
    function: database.function.bind(database),
    close: () => database.close(),
  });
  const other = openWriteConnection({ path, durable: 'crash' });
  other.exec('BEGIN IMMEDIATE');
  const outcomes = writer.writeGroup(['a', 'b', 'c'].map((id) => ({ op: 'writeCalls', facts: [startFact(id)] })));
  expect(outcomes.map((outcome) => 'error' in outcome && errorData(outcome.error).code)).toEqual([
    'unavailable',
    'unavailable',
    'unavailable',
  ]);
  expect(attempts).toEqual(['BEGIN IMMEDIATE']);
  other.exec('COMMIT');
  other.close();
  expect(writer.writeGroup([{ op: 'writeCalls', facts: [startFact('a')] }])).toEqual([{ result: ['trace-of-a'] }]);
  writer.close();
});
