import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { Lease } from '../../../src/storage/clickhouse/upkeep/lease.ts';
import { joinHalves } from '../../../src/storage/clickhouse/upkeep/reconcile.ts';
import { endHalf, halfRow } from '../../../src/storage/clickhouse/write/call-rows.ts';
import { GroupWriter } from '../../../src/storage/clickhouse/write/group-writer.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import {
  countCalls,
  endFact,
  NEW_YEAR,
  PROJECT,
  readIds,
  SECOND,
  startFact,
} from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { gatedWriter, settlingWriter } from '../../clickhouse/gated-writer.ts';
import { openLine } from '../../clickhouse/line.ts';

const bench = useClickhouse();

describe.skipIf(MISSING !== undefined)('halves of calls that two services write', () => {
  test('an end that comes while another service writes the start is joined with it', async () => {
    const { url, storage } = await openStorage();
    const { connection, groups, goOn } = gatedWriter(url);
    const started = groups.write([startFact('c1', { inputs: '{"n":1}' })]);
    await connection.isReached;
    await storage.calls.write([endFact('c1', { output: '"out"', display_name: 'Name' })]);
    goOn();
    await started;
    expect(await storage.calls.get(PROJECT, 'c1')).toMatchObject({ inputs: '{"n":1}', ended_at: null });
    expect(await joinHalves(connection, groups)).toHaveLength(1);
    expect(await storage.calls.get(PROJECT, 'c1')).toMatchObject({
      inputs: '{"n":1}',
      output: '"out"',
      display_name: 'Name',
    });
    expect(await joinHalves(connection, groups)).toEqual([]);
  });

  test('a name that comes while another service writes the end is not lost', async () => {
    const { url, storage } = await openStorage();
    await storage.calls.write([startFact('c1')]);
    const { connection, groups, goOn } = gatedWriter(url);
    const ended = groups.write([endFact('c1', { output: '1' })]);
    await connection.isReached;
    await storage.calls.rename(PROJECT, 'c1', 'Name');
    goOn();
    await ended;
    expect(await storage.calls.get(PROJECT, 'c1')).toMatchObject({ output: '1', display_name: null });
    expect(await joinHalves(connection, groups)).toHaveLength(1);
    expect(await storage.calls.get(PROJECT, 'c1')).toMatchObject({ output: '1', display_name: 'Name' });
  });

  test('a call that is deleted while another service writes its end stays deleted', async () => {
    const { url, storage } = await openStorage();
    await storage.calls.write([startFact('c1')]);
    const { connection, groups, goOn } = gatedWriter(url);
    const ended = groups.write([endFact('c1', { output: '1', revision: 7 })]);
    await connection.isReached;
    expect(await storage.calls.delete(PROJECT, ['c1'], NEW_YEAR)).toBe(1);
    goOn();
    await ended;
    expect(await storage.calls.get(PROJECT, 'c1')).toBeUndefined();
    expect(await countCalls(storage)).toBe(0);
    await storage.calls.write([startFact('c1')]);
    expect(await countCalls(storage)).toBe(0);
  });

  test.each([
    'no more',
    'an end in the first',
    'an end in the second',
    'an end with the start of the first',
    'ends with both starts',
    'a delete',
  ])('two starts of a call with different times are one call everywhere, with %s', async (more) => {
    const { url, storage } = await openStorage();
    const first = settlingWriter(connectionTo(url));
    const { connection, groups: second, goOn } = gatedWriter(url);
    const trace = { trace_id: 't' };
    const late = { ...trace, started_at: NEW_YEAR + 3600 * SECOND, op_name: 'second' };
    const [endOfFirst, endOfSecond] = [endFact('c1', { output: '1' }), endFact('c1', { output: '1', revision: 9 })];
    // Who has ended it has the key, and of two the one of the greater revision.
    const [winner, loser] = more === 'an end with the start of the first' ? ['first', 'second'] : ['second', 'first'];
    const isWithFirst = more.includes('with');
    const isWithSecond = more === 'ends with both starts';
    const started = second.write([
      startFact('c1', late),
      ...(isWithSecond ? [endOfSecond] : []),
      startFact('other', trace),
    ]);
    await connection.isReached;
    await first.write([startFact('c1', { ...trace, op_name: 'first' }), ...(isWithFirst ? [endOfFirst] : [])]);
    goOn();
    await started;
    if (more === 'an end in the first') await first.write([endFact('c1', { output: '1' })]);
    if (more === 'an end in the second') await second.write([endFact('c1', { output: '1' })]);
    const isDeleted = more === 'a delete' && (await storage.calls.delete(PROJECT, ['c1'], NEW_YEAR)) === 1;
    for (const groups of [first, second]) await groups.settle();
    const call = await storage.calls.get(PROJECT, 'c1');
    const output = more.includes('end') ? '1' : null;
    expect([call?.op_name, call?.output]).toEqual(isDeleted ? [undefined, undefined] : [winner, output]);
    const ids = isDeleted ? ['other'] : ['c1', 'other'];
    expect((await readIds(storage)).toSorted()).toEqual(ids);
    expect((await readIds(storage, { filter: { trace_ids: ['t'] } })).toSorted()).toEqual(ids);
    expect((await readIds(storage, { filter: { call_ids: ['c1'] } })).toSorted()).toEqual(isDeleted ? [] : ['c1']);
    expect(await countCalls(storage)).toBe(ids.length);
    expect(await readIds(storage, { filter: { op_names: [loser] } })).toEqual([]);
  });

  test('a service takes its row of a call that another has the key of away by itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, storage } = await openStorage();
    // One joins halves, and the other makes itself known to it.
    await openAt(url);
    const { connection, groups, goOn } = gatedWriter(url);
    const started = groups.write([startFact('c1', { started_at: NEW_YEAR + 3600 * SECOND })]);
    await connection.isReached;
    await storage.calls.write([startFact('c1')]);
    goOn();
    await started;
    expect(await readIds(storage)).toEqual(['c1', 'c1']);
    await expect
      .poll(async () => {
        vi.advanceTimersByTime(10_000);
        return await readIds(storage);
      })
      .toEqual(['c1']);
  });

  test('a call whose halves a service joins is told of there', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, storage } = await openStorage();
    const told: (readonly [string, readonly string[]])[] = [];
    storage.watchCalls?.((projectId, ids) => told.push([projectId, ids]));
    await storage.calls.write([startFact('c1'), startFact('c2')]);
    // Another service has written both when the start was not there.
    const late = [endHalf(endFact('c1'), null, 1n), halfRow(PROJECT, 'c1', 'name', { display_name: 'Name', ver: '1' })];
    await connectionTo(url).insert('call_halves', late);
    vi.advanceTimersByTime(10_000);
    // Of each half it is told, where a look comes between both.
    await expect.poll(() => told.length).toBeGreaterThan(0);
    expect(await storage.calls.get(PROJECT, 'c1')).toMatchObject({ ended_at: endFact('c1').ended_at });
    for (const one of told) expect(one).toEqual([PROJECT, ['c1']]);
  });

  test('starts in one service and ends in the other are whole calls, in both orders', async () => {
    const { url, storage: one } = await openStorage();
    const other = await openAt(url);
    const ids = Array.from({ length: 300 }, (_, index) => `c${index}`);
    const write = async (storage: Storage, facts: typeof startFact | typeof endFact, wanted: readonly string[]) => {
      for (const id of wanted) await storage.calls.write([facts(id)]);
    };
    const [startsFirst, endsFirst] = [ids.slice(0, 30), ids.slice(30, 60)];
    await write(one, startFact, startsFirst);
    await write(other, endFact, startsFirst);
    await write(other, endFact, endsFirst);
    await write(one, startFact, endsFirst);
    const both = ids.slice(60);
    await Promise.all([
      ...both.map((id) => one.calls.write([startFact(id)])),
      ...both.map((id) => other.calls.write([endFact(id)])),
    ]);
    const connection = connectionTo(url);
    const groups = new GroupWriter(connection);
    while ((await joinHalves(connection, groups)).length > 0);
    expect(await countCalls(one)).toBe(ids.length);
    expect(await countCalls(one, { query: { $expr: { $eq: [{ $getField: 'ended_at' }, { $literal: null }] } } })).toBe(
      0,
    );
  });

  test('a lease is of one until its time is over', async () => {
    const { url } = await openStorage();
    const [one, other] = [new Lease(connectionTo(url), 'work'), new Lease(connectionTo(url), 'work')];
    expect(await one.take(600_000)).toBe(true);
    expect(await other.take(600_000)).toBe(false);
    expect(await one.take(1)).toBe(true);
    await expect.poll(async () => await other.take(600_000), { timeout: 5000 }).toBe(true);
    expect(await one.take(600_000)).toBe(false);
    await other.release();
    expect(await one.take(600_000)).toBe(true);
  });

  test('a lease goes by the clock of the database, whatever those of services say', async () => {
    const { url } = await openStorage();
    const [one, other] = [new Lease(connectionTo(url), 'work'), new Lease(connectionTo(url), 'work')];
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now');
    onTestFinished(() => clock.mockRestore());
    clock.mockReturnValue(now + 86_400_000);
    expect(await one.take(1)).toBe(true);
    clock.mockReturnValue(now);
    await expect.poll(async () => await other.take(600_000), { timeout: 5000 }).toBe(true);
    clock.mockReturnValue(now + 86_400_000);
    expect(await one.take(600_000)).toBe(false);
  });

  test('a lease is taken and given back no longer than an engine may take to answer', async () => {
    const line = await openLine((await openStorage()).url);
    // The driver itself would wait for ever, and the test with it.
    const client = createClient({ url: line.url, request_timeout: 2 ** 31 - 1 });
    onTestFinished(() => client.close());
    const lease = new Lease(new Connection(client), 'work');
    expect(await lease.take(600_000)).toBe(true);
    for (const ask of [() => lease.release(), () => lease.take(600_000)]) {
      // What is there is read; what is written then is not answered.
      line.stall(1);
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
      await line.mend();
    }
  });
});

async function openStorage(): Promise<{ readonly url: string; readonly storage: Storage }> {
  const url = await bench.newDatabase();
  return { url, storage: await openAt(url) };
}

async function openAt(url: string): Promise<Storage> {
  const storage = await openClickhouseStorage({ url, groupMs: 0 });
  onTestFinished(() => storage.close());
  return storage;
}

function connectionTo(url: string): Connection {
  const connection = new Connection(createClient({ url }));
  onTestFinished(() => connection.close());
  return connection;
}
