import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { bind, raw, sql } from '../../../src/storage/sql/sql.ts';
import {
  countCalls,
  endFact,
  NEW_YEAR,
  newFeedback,
  PROJECT,
  readIds,
  startFact,
} from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

const ALWAYS = Number.MAX_SAFE_INTEGER;
const MAX_CALLS = 10;

/** A server that takes statements of few ids only, and removals of a table until they are refused. */
class BoundedConnection extends Connection {
  refused: string | undefined;
  readonly asked: Sql[] = [];

  override async all<Found = Row>(asked: Sql, options?: ReadOptions): Promise<Found[]> {
    this.asked.push(asked);
    return await super.all<Found>(asked, options);
  }

  override async remove(asked: Sql): Promise<void> {
    const { text, values } = asked;
    const ids = Math.max(...values.map((value) => String(value).split('","').length));
    if (ids > MAX_CALLS) throw new Error('Max query size exceeded');
    if (this.refused !== undefined && text.includes(`FROM ${this.refused} `)) throw new Error('No removal now');
    await super.remove(asked);
  }
}

/** A server that cannot carry a removal out. */
class FailingConnection extends Connection {
  isFailing = false;

  override async remove(asked: Sql): Promise<void> {
    await super.remove(asked);
    if (!this.isFailing || !asked.text.includes('FROM calls ')) return;
    await super.remove(sql`DELETE FROM feedback WHERE throwIf(project_id != '', 'no room') = 0`);
  }
}

type Remove = () => Promise<void>;

/** A server that hears of a removal some time after it was answered. */
class KeeperConnection extends Connection {
  /** Tables of removals, in their order. */
  readonly removed: string[] = [];

  override async remove(asked: Sql): Promise<void> {
    const table = /FROM (\w+)/.exec(asked.text)?.[1] ?? '';
    this.removed.push(table);
    await this.tell(table, () => super.remove(asked));
  }

  tell = async (_table: string, remove: Remove): Promise<void> => void setTimeout(() => void remove(), 300);
}

/** Keeper is not there any more. */
const toNobody = async (): Promise<void> => {};

/** A server that takes removals and answers nothing else until nobody waits. */
class SilentConnection extends Connection {
  constructor() {
    super(undefined as never);
  }

  override async remove(): Promise<void> {}

  override async all<Found = Row>(_asked: Sql, { signal }: ReadOptions = {}): Promise<Found[]> {
    return await new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

/** Something happens once, while old calls are looked for. */
class BusyConnection extends Connection {
  onLook: (() => Promise<void>) | undefined;
  looks = 0;
  /** Of reads of the traces of calls that were written meanwhile: nobody writes then. */
  readonly deadlines: number[] = [];

  override async all<Found = Row>(asked: Sql, options?: ReadOptions): Promise<Found[]> {
    if (asked.text.includes('FROM call_keys FINAL')) this.deadlines.push(options?.deadlineMs ?? Infinity);
    const rows = await super.all<Found>(asked, options);
    if (!asked.text.startsWith('SELECT intDiv') || !asked.text.includes(' AS last FROM calls')) return rows;
    this.looks += 1;
    const { onLook } = this;
    this.onLook = undefined;
    await onLook?.();
    return rows;
  }
}

const LATE = {
  code: 'unavailable',
  message: 'Cannot remove what is old: ClickHouse does not show yet what it has taken',
};

/** A clock of this process that also goes on when it is told to. */
function passingTime(): (ms: number) => void {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    passedMs += ms;
  };
}

const callOf = (id: string) => sql`project_id = ${bind(PROJECT)} AND id = ${bind(id)}`;

async function open() {
  const { storage, connection } = await openWatched(bench, BoundedConnection);
  const writer = new CallWriter(connection, 0);
  const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: MAX_CALLS });
  return { storage, connection, retention };
}

/** A trace of so many calls, with feedback about each. */
async function writeTrace(storage: Storage, name: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  await storage.calls.write(ids.map((id) => startFact(id, { trace_id: name })));
  await writeFeedback(storage, ids);
}

async function writeFeedback(storage: Storage, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await storage.feedback.create(newFeedback(`about-${id}`, { svc_ref: `svc:///${PROJECT}/call/${id}` }));
  }
}

const countFeedback = async (connection: Connection) => {
  const [row] = await connection.all<{ count: number }>(raw('SELECT count() AS count FROM feedback FINAL'));
  return row?.count;
};

describe.skipIf(MISSING !== undefined)('what is old in a database of ClickHouse', () => {
  test('goes in steps whose statements name a bounded number of calls, also of one trace', async () => {
    const { storage, connection, retention } = await open();
    for (const name of ['a', 'b', 'c']) await writeTrace(storage, name, 4);
    await writeTrace(storage, 'large', 25);
    const removed: { readonly traces: number; readonly calls: number }[] = [];
    for (let calls = 1; calls > 0;) {
      const step = await retention.removeBefore(PROJECT, ALWAYS);
      removed.push(step);
      ({ calls } = step);
    }
    // A trace goes whole, and the oldest calls first of one that is too large, which is counted when it is gone.
    expect(removed).toEqual([
      { traces: 2, calls: 8 },
      { traces: 1, calls: 4 },
      { traces: 0, calls: 10 },
      { traces: 0, calls: 10 },
      { traces: 1, calls: 5 },
      { traces: 0, calls: 0 },
    ]);
    expect(await countCalls(storage)).toBe(0);
    expect(await countFeedback(connection)).toBe(0);
  });

  test('ends without a start go in steps as well', async () => {
    const { storage, connection, retention } = await open();
    const ids = Array.from({ length: 15 }, (_, index) => `half-${index}`);
    await storage.calls.write(ids.map((id) => endFact(id)));
    await writeFeedback(storage, ids);
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 0, calls: 10 });
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 0, calls: 5 });
    expect(await countFeedback(connection)).toBe(0);
  });

  test.each(['feedback', 'call_keys', 'calls'])('whose removal broke at %s is removed by the next', async (table) => {
    const { storage, connection, retention } = await open();
    await writeTrace(storage, 'a', 2);
    connection.refused = table;
    await expect(retention.removeBefore(PROJECT, ALWAYS)).rejects.toThrow('No removal now');
    connection.refused = undefined;
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 1, calls: 2 });
    expect(await countCalls(storage)).toBe(0);
    expect(await countFeedback(connection)).toBe(0);
  });

  test('that the server cannot carry out is counted, and told by the next step', async () => {
    const { storage, connection } = await openWatched(bench, FailingConnection);
    const removals = new Removals(connection);
    const retention = new ClickhouseRetention(connection, new CallWriter(connection, 0), removals);
    await writeFeedback(storage, ['kept']);
    await storage.calls.write([startFact('a')]);
    connection.isFailing = true;
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 1, calls: 1 });
    connection.isFailing = false;
    await storage.calls.write([startFact('b')]);
    const failure = /^ClickHouse cannot remove rows of the table "feedback" for now: .*no room/;
    await expect(retention.removeBefore(PROJECT, ALWAYS)).rejects.toThrow(failure);
    // Once for all projects of a round.
    await expect(retention.projects()).rejects.toThrow(failure);
    expect(await countCalls(storage)).toBe(1);
    await connection.command(`KILL MUTATION WHERE database = currentDatabase() AND table = 'feedback'`);
    expect(await retention.projects()).toEqual([PROJECT]);
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 1, calls: 1 });
  });

  test('is noted by a server of a cluster when that shows it, or not at all', async () => {
    const { storage, connection } = await openWatched(bench, KeeperConnection);
    await storage.calls.write([startFact('a'), startFact('b')]);
    await new Removals(connection, { hasCopies: true, shownMs: 600_000 }).step().note('calls', callOf('a'));
    expect(await readIds(storage)).toEqual(['b']);
    connection.tell = toNobody;
    const removals = new Removals(connection, { hasCopies: true, shownMs: 50 });
    await expect(removals.step().note('calls', callOf('b'))).rejects.toMatchObject(LATE);
    expect(await readIds(storage)).toEqual(['b']);
  });

  test('is not waited for by who leaves, or closes, while a cluster does not show it', async () => {
    const { connection } = await openWatched(bench, KeeperConnection);
    connection.tell = toNobody;
    const removals = new Removals(connection, { hasCopies: true, shownMs: 600_000 });
    const leaving = new AbortController();
    const left = removals.step(leaving.signal).note('calls', callOf('a'));
    const closed = removals.step().note('calls', callOf('b'));
    leaving.abort(new Error('Nobody waits'));
    await expect(left).rejects.toBe(leaving.signal.reason);
    await removals.close();
    await expect(closed).rejects.toMatchObject({ code: 'unavailable' });
    await expect(removals.step().note('calls', callOf('c'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('is waited for by writers for one time for all tables, while a cluster does not show it', async () => {
    const { storage, connection } = await openWatched(bench, KeeperConnection);
    const writer = new CallWriter(connection, 0);
    const removals = new Removals(connection, { hasCopies: true, shownMs: 600_000 });
    const retention = new ClickhouseRetention(connection, writer, removals);
    await writer.write([startFact('a')]);
    const passTime = passingTime();
    const late: Remove[] = [];
    // Each of them takes more than half of the time.
    connection.tell = async (table, remove) => {
      passTime(301_000);
      if (table === 'feedback') await remove();
      else late.push(remove);
    };
    await expect(retention.removeBefore(PROJECT, ALWAYS)).rejects.toMatchObject(LATE);
    expect(connection.removed).toEqual(['feedback', 'call_keys']);
    for (const remove of late) await remove();
    await expect.poll(async () => await connection.all(raw('SELECT 1 FROM call_keys'))).toEqual([]);
    await writer.write([startFact('a'), startFact('b')]);
    connection.tell = async (_table, remove) => await remove();
    expect(await retention.removeBefore(PROJECT, ALWAYS)).toEqual({ traces: 2, calls: 2 });
    expect(await countCalls(storage)).toBe(0);
  });

  test('does not hold writers where a server of a cluster says nothing', async () => {
    const removals = new Removals(new SilentConnection(), { hasCopies: true, shownMs: 50 });
    await expect(removals.step().note('calls', callOf('a'))).rejects.toMatchObject(LATE);
  });

  test('is looked for by projects, which an end of the round ends, and no row of theirs is merged', async () => {
    const { storage, connection, retention } = await open();
    await storage.calls.write([startFact('a'), endFact('half', { project_id: 'acme/half' })]);
    expect((await retention.projects()).toSorted()).toEqual([PROJECT, 'acme/half'].toSorted());
    expect(connection.asked.find(({ text }) => text.includes('DISTINCT project_id'))?.text).not.toContain('FINAL');
    const ended = new AbortController();
    ended.abort(new Error('The round is over'));
    await expect(retention.projects({ signal: ended.signal })).rejects.toBe(ended.signal.reason);
  });

  test('is not read for long while nobody writes', async () => {
    const { connection } = await openWatched(bench, BusyConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { aloneMs: 7000 });
    await writer.write([startFact('old'), startFact('busy', { trace_id: 'busy' })]);
    connection.onLook = async () => {
      await writer.write([startFact('b', { trace_id: 'busy', started_at: NEW_YEAR * 2 })]);
    };
    connection.deadlines.length = 0;
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 1, calls: 1 });
    expect(connection.deadlines).toEqual([7000]);
  });

  test('is read once, also where little of what was written meanwhile is looked at', async () => {
    const { connection } = await openWatched(bench, BusyConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxSince: 1 });
    await writer.write([startFact('old'), startFact('busy', { trace_id: 'busy' })]);
    connection.onLook = async () => {
      await writer.write(['b', 'c', 'd'].map((id) => startFact(id, { trace_id: 'busy', started_at: NEW_YEAR * 2 })));
    };
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 1, calls: 1 });
    expect(connection.looks).toBe(1);
  });

  test('is not kept for long by the server when it was carried out', async () => {
    const { connection } = await open();
    const kept = sql`SELECT name FROM system.tables WHERE database = currentDatabase()
      AND position(create_table_query, 'finished_mutations_to_keep = 2') > 0 ORDER BY name`;
    const tables = (await connection.all<{ name: string }>(kept)).map(({ name }) => name);
    // Those of which something is removed.
    expect(tables).toEqual(['call_halves', 'call_keys', 'calls', 'feedback', 'trace_spans']);
  });
});
