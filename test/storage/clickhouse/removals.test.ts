import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { Removed } from '../../../src/storage/contract/retention.ts';
import { raw } from '../../../src/storage/sql/sql.ts';
import { countCalls, endFact, NEW_YEAR, newFeedback, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

/** Less than the tests of an engine have: they end soon, or never. */
const TIMEOUT_MS = 60_000;

const ALWAYS = Number.MAX_SAFE_INTEGER;
const TABLES = ['feedback', 'call_keys', 'calls', 'call_halves'];

/** A storage whose server carries no removal out until it is told to go on. */
async function openHeld() {
  const url = await bench.newDatabase();
  const storage = await openClickhouseStorage({ url, groupMs: 0 });
  const connection = new Connection(createClient({ url }));
  const all = async (statement: string) => {
    for (const table of TABLES) await connection.alter(raw(`SYSTEM ${statement} MERGES ${table}`));
  };
  onTestFinished(async () => {
    await all('START');
    await storage.close();
    await connection.close();
  });
  await all('STOP');
  return { storage, retention: storage.retention!, connection, goOn: async () => await all('START') };
}

const countLeft = async (connection: Connection) => {
  const [row] = await connection.all<{ count: number }>(
    raw('SELECT count() AS count FROM system.mutations WHERE database = currentDatabase() AND is_done = 0'),
  );
  return row?.count;
};

describe.skipIf(MISSING !== undefined)('while a server is slow to remove what is old', () => {
  test('starts, ends, names and deletes of other calls are written', { timeout: TIMEOUT_MS }, async () => {
    const { storage, retention, goOn } = await openHeld();
    await storage.calls.write([startFact('old'), endFact('half')]);
    await storage.feedback.create(newFeedback('about', { svc_ref: `svc:///${PROJECT}/call/old` }));
    let removed: Removed | undefined;
    const removing = retention.removeBefore(PROJECT, ALWAYS).then((found) => (removed = found));
    await expect.poll(async () => await countCalls(storage)).toBe(0);
    await storage.calls.write([startFact('new')]);
    await storage.calls.write([endFact('new')]);
    await storage.calls.rename(PROJECT, 'new', 'Name');
    await storage.calls.write([startFact('other')]);
    expect(await storage.calls.delete(PROJECT, ['other'], NEW_YEAR)).toBe(1);
    expect(await storage.calls.get(PROJECT, 'new')).toMatchObject({ display_name: 'Name' });
    expect(removed).toBeUndefined();
    await goOn();
    expect(await removing).toEqual({ traces: 1, calls: 2 });
    expect(await storage.calls.get(PROJECT, 'new')).toMatchObject({ display_name: 'Name' });
    expect(await storage.feedback.list(PROJECT)).toEqual([]);
  });

  test('calls of the same ids are made anew, and stay', { timeout: TIMEOUT_MS }, async () => {
    const { storage, retention, goOn } = await openHeld();
    const ids = ['a', 'b', 'c', 'half', `"'\\\n\0é😀`];
    await storage.calls.write(ids.flatMap((id) => [...(id === 'half' ? [] : [startFact(id)]), endFact(id)]));
    const removing = retention.removeBefore(PROJECT, ALWAYS);
    await expect.poll(async () => await countCalls(storage)).toBe(0);
    // Less is known of them than there was; rows of before stand above those where they still count.
    await storage.calls.write(ids.map((id) => startFact(id, { op_name: 'again' })));
    for (const id of ids) {
      expect(await storage.calls.get(PROJECT, id)).toMatchObject({ op_name: 'again', ended_at: null });
    }
    await goOn();
    expect(await removing).toEqual({ traces: 4, calls: 5 });
    for (const id of ids) {
      expect(await storage.calls.get(PROJECT, id)).toMatchObject({ op_name: 'again', ended_at: null });
    }
    expect(await countCalls(storage)).toBe(ids.length);
  });

  test('of a large trace it has few calls to remove at a time', { timeout: TIMEOUT_MS }, async () => {
    const { storage, connection, goOn } = await openHeld();
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 10 });
    const ids = Array.from({ length: 25 }, (_, index) => `old-${index}`);
    await writer.write(ids.map((id) => startFact(id, { trace_id: 't' })));
    const removing = retention.removeBefore(PROJECT, ALWAYS);
    await expect.poll(async () => await countCalls(storage)).toBe(15);
    await writer.write([startFact('new', { started_at: ALWAYS }), endFact('new', { ended_at: ALWAYS })]);
    // One for each table, which all reads look at until it is carried out; there is no feedback.
    expect(await countLeft(connection)).toBe(2);
    await goOn();
    expect(await removing).toEqual({ traces: 0, calls: 10 });
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 0, calls: 10 });
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 1, calls: 5 });
    expect(await countCalls(storage)).toBe(1);
  });

  test('nothing else is removed before', { timeout: TIMEOUT_MS }, async () => {
    const { storage, retention, connection, goOn } = await openHeld();
    await storage.calls.write([startFact('old')]);
    const removing = retention.removeBefore(PROJECT, ALWAYS);
    await expect.poll(async () => await countCalls(storage)).toBe(0);
    await storage.calls.write([startFact('old')]);
    // Another service has the work when this one ends.
    const other = new ClickhouseRetention(connection, new CallWriter(connection, 0), new Removals(connection));
    const next = other.removeBefore(PROJECT, ALWAYS);
    await storage.calls.write([startFact('new')]);
    expect(await countCalls(storage)).toBe(2);
    await goOn();
    expect(await removing).toEqual({ traces: 1, calls: 1 });
    expect(await next).toEqual({ traces: 2, calls: 2 });
  });

  test('who closes waits for none of it', { timeout: TIMEOUT_MS }, async () => {
    const { storage, connection, goOn } = await openHeld();
    const removals = new Removals(connection);
    const own = new ClickhouseRetention(connection, new CallWriter(connection, 0), removals);
    await storage.calls.write([startFact('a', { project_id: 'acme/other' })]);
    const ending = own.removeBefore('acme/other', ALWAYS);
    await expect.poll(async () => await countLeft(connection)).toBe(2);
    await removals.close();
    // It goes on without us.
    expect(await ending).toEqual({ traces: 1, calls: 1 });
    await goOn();
    await expect.poll(async () => await countLeft(connection)).toBe(0);
  });

  test(
    'who has aborted, or closes the storage before its turn, waits for none of it',
    { timeout: TIMEOUT_MS },
    async () => {
      const { storage, retention, connection, goOn } = await openHeld();
      await storage.calls.write([startFact('a')]);
      const leaving = new AbortController();
      const removing = retention.removeBefore(PROJECT, ALWAYS, { signal: leaving.signal });
      await expect.poll(async () => await countCalls(storage)).toBe(0);
      leaving.abort();
      expect(await removing).toEqual({ traces: 1, calls: 1 });
      await storage.calls.write([startFact('b')]);
      const waiting = retention.removeBefore(PROJECT, ALWAYS).catch((error: unknown) => error);
      await storage.close();
      expect(await waiting).toMatchObject({ code: 'unavailable' });
      expect(await countLeft(connection)).toBeGreaterThan(0);
      await goOn();
      await expect.poll(async () => await countLeft(connection)).toBe(0);
    },
  );
});
