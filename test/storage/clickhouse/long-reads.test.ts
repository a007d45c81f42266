import { describe, expect, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { joinHalves } from '../../../src/storage/clickhouse/upkeep/reconcile.ts';
import { endHalf } from '../../../src/storage/clickhouse/write/call-rows.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import { MAX_GROUP } from '../../../src/storage/clickhouse/write/written-since.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { countCalls, endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

/** Less than the tests of an engine have: they end soon, or never. */
const TIMEOUT_MS = 60_000;

/** The first statement with this text has its answer, and nobody hears it until that is let go. */
class SlowConnection extends Connection {
  slow: string | undefined;
  goOn = () => {};
  reached = () => {};
  signal: AbortSignal | undefined;
  /** The next group stops before it writes its rows, until that is let go. */
  group: { readonly reached: () => void; readonly gate: Promise<void> } | undefined;

  override async insert(table: string, rows: readonly Row[]): Promise<void> {
    const held = table === 'calls' ? this.group : undefined;
    if (held !== undefined) {
      this.group = undefined;
      held.reached();
      await held.gate;
    }
    await super.insert(table, rows);
  }

  override async all<Found = Row>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    const isSlow = this.slow !== undefined && sql.text.includes(this.slow);
    const rows = await super.all<Found>(sql, options);
    if (!isSlow) return rows;
    this.slow = undefined;
    this.signal = options?.signal;
    const gate = new Promise<void>((resolve) => (this.goOn = resolve));
    this.reached();
    await gate;
    return rows;
  }
}

describe.skipIf(MISSING !== undefined)('while what is to go is looked for', () => {
  test('calls are written, and a delete takes those of them that are below', { timeout: TIMEOUT_MS }, async () => {
    const { storage, writer, slowly } = await open();
    await writer.write([
      startFact('root', { trace_id: 't' }),
      startFact('child', { trace_id: 't', parent_id: 'root' }),
    ]);
    const { isReached, goOn } = slowly('parent_id IN');
    const deleted = writer.delete(PROJECT, ['root']);
    await isReached;
    await writer.write([
      endFact('child'),
      startFact('late', { trace_id: 't', parent_id: 'child' }),
      startFact('other', { trace_id: 'u' }),
    ]);
    goOn();
    expect(await deleted).toBe(3);
    expect(await idsOf(storage, ['root', 'child', 'late', 'other'])).toEqual(['other']);
  });

  test(
    'calls are written, and a delete goes on below those that come between others',
    { timeout: TIMEOUT_MS },
    async () => {
      const { storage, writer, slowly } = await open();
      await writer.write([
        startFact('root', { trace_id: 't' }),
        startFact('lower', { trace_id: 'u', parent_id: 'between' }),
        startFact('lowest', { trace_id: 'v', parent_id: 'lower' }),
        startFact('below late', { trace_id: 'w', parent_id: 'late' }),
        startFact('other', { trace_id: 'x', parent_id: 'unknown' }),
      ]);
      const { isReached, goOn } = slowly('parent_id IN');
      const deleted = writer.delete(PROJECT, ['root', 'late']);
      await isReached;
      await writer.write([
        startFact('between', { trace_id: 't', parent_id: 'root' }),
        startFact('late', { trace_id: 'y' }),
      ]);
      goOn();
      expect(await deleted).toBe(6);
      const ids = ['root', 'between', 'lower', 'lowest', 'late', 'below late', 'other'];
      expect(await idsOf(storage, ids)).toEqual(['other']);
    },
  );

  test.each([3, 18, 30])(
    'calls are written, also while %d levels are looked for that a late call has below it',
    { timeout: TIMEOUT_MS },
    async (depth) => {
      const { storage, connection, writer, slowly } = await open();
      await writer.write([startFact('root'), ...chainBelow('late', depth), ...chainBelow('later', depth)]);
      const { isReached, goOn } = slowly('parent_id IN');
      const deleted = writer.delete(PROJECT, ['root']);
      await isReached;
      await writer.write([startFact('late', { parent_id: 'root' })]);
      // Where it is looked for is long to read; few levels are looked at alone.
      const below = slowly('parent_id IS NOT NULL');
      goOn();
      if (depth > 12) {
        await below.isReached;
        await writer.write([startFact('later', { parent_id: 'root' }), startFact('other')]);
        below.goOn();
      }
      const lates = depth > 12 ? 2 : 1;
      expect(await deleted).toBe(1 + lates * (1 + depth));
      expect(await idsOf(storage, ['root', 'late-0', `late-${depth - 1}`])).toEqual([]);
      expect(await idsOf(storage, ['later-0', 'other'])).toEqual(depth > 12 ? ['other'] : ['later-0']);
      expect(connection.slow).toBe(depth > 12 ? undefined : 'parent_id IS NOT NULL');
    },
  );

  test('calls are written, and retention leaves their traces', { timeout: TIMEOUT_MS }, async () => {
    const { storage, connection, writer, slowly } = await open();
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection));
    await writer.write([
      ...['a1', 'a2'].map((id) => startFact(id, { trace_id: 'a' })),
      startFact('b1', { trace_id: 'b' }),
      endFact('half1'),
      endFact('half2'),
    ]);
    const { isReached, goOn } = slowly('FROM call_halves');
    const removed = retention.removeBefore(PROJECT, NEW_YEAR * 2);
    await isReached;
    await writer.write([endFact('a1', { ended_at: NEW_YEAR * 3 }), startFact('half2', { trace_id: 'c' })]);
    goOn();
    expect(await removed).toEqual({ traces: 1, calls: 2 });
    expect(await idsOf(storage, ['a1', 'a2', 'b1', 'half1', 'half2'])).toEqual(['a1', 'a2', 'half2']);
  });

  test('halves are joined, and retention leaves what has ended by that', { timeout: TIMEOUT_MS }, async () => {
    const { storage, connection, writer, slowly } = await open();
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection));
    await writer.write([startFact('a1', { trace_id: 'a' }), startFact('b1', { trace_id: 'b' })]);
    // Another service has written it when the start was not there.
    await connection.insert('call_halves', [endHalf(endFact('a1', { ended_at: NEW_YEAR * 3 }), null, 1n)]);
    const { isReached, goOn } = slowly('FROM call_halves');
    const removed = retention.removeBefore(PROJECT, NEW_YEAR * 2);
    await isReached;
    expect(await writer.alone((groups) => joinHalves(connection, groups))).toHaveLength(1);
    goOn();
    expect(await removed).toEqual({ traces: 1, calls: 1 });
    expect(await storage.calls.get(PROJECT, 'a1')).toMatchObject({ ended_at: NEW_YEAR * 3 });
  });
});

/** Calls below each other, each in a trace of its own, where only their parents tell of them. */
function chainBelow(parent: string, depth: number) {
  return Array.from({ length: depth }, (_, level) =>
    startFact(`${parent}-${level}`, { parent_id: level === 0 ? parent : `${parent}-${level - 1}` }),
  );
}

/** More than are looked at while nobody writes. */
const MANY = 3000;

describe.skipIf(MISSING !== undefined)('while many calls are looked at that were written since', () => {
  const many = Array.from({ length: MANY }, (_, index) => `m${index}`);

  test('more are written, and a delete takes those of all that are below', { timeout: TIMEOUT_MS }, async () => {
    const { storage, writer, slowly } = await open();
    await writer.write([startFact('root', { trace_id: 't' })]);
    const look = slowly('parent_id IN');
    const deleted = writer.delete(PROJECT, ['root']);
    await look.isReached;
    await writer.write(many.map((id) => startFact(id, { trace_id: 't', parent_id: 'root' })));
    const since = slowly('AND id IN');
    look.goOn();
    await since.isReached;
    await writer.write([startFact('last', { trace_id: 't', parent_id: 'm1' }), startFact('other')]);
    since.goOn();
    expect(await deleted).toBe(MANY + 2);
    expect(await idsOf(storage, ['root', 'm0', 'last', 'other'])).toEqual(['other']);
  });

  test('more are written, and retention leaves the traces of all', { timeout: TIMEOUT_MS }, async () => {
    const { storage, connection, writer, slowly } = await open();
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection));
    const traces = ['a', 'b', 'c'].map((trace) => startFact(`${trace}1`, { trace_id: trace }));
    await writer.write([...traces, endFact('half1'), endFact('half2'), endFact('half3')]);
    const look = slowly('FROM call_halves');
    const removed = retention.removeBefore(PROJECT, NEW_YEAR * 2);
    await look.isReached;
    await writer.write([endFact('a1'), startFact('half1'), ...many.map((id) => startFact(id, { trace_id: 'new' }))]);
    const since = slowly('SELECT DISTINCT trace_id');
    look.goOn();
    await since.isReached;
    await writer.write([endFact('b1'), startFact('half2')]);
    since.goOn();
    expect(await removed).toEqual({ traces: 1, calls: 2 });
    const ids = ['a1', 'b1', 'c1', 'half1', 'half2', 'half3', 'm0'];
    expect(await idsOf(storage, ids)).toEqual(['a1', 'b1', 'half1', 'half2', 'm0']);
  });
});

/** As many may be written while a look goes on. */
const MAX_IDS = 20;

const LATE = NEW_YEAR * 2;

/** As many calls are written while it looks for old ones as it has read of those. */
class BusyConnection extends Connection {
  readonly #inner: Connection;
  readonly #write: (count: number) => Promise<void>;
  looks = 0;

  constructor(inner: Connection, write: (count: number) => Promise<void>) {
    super(undefined as never);
    this.#inner = inner;
    this.#write = write;
  }

  override async all<Found = Row>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    const rows = await this.#inner.all<Found>(sql, options);
    if (sql.text.includes('AS last FROM calls AS c FINAL')) {
      this.looks += 1;
      await this.#write(rows.length);
    }
    return rows;
  }
}

describe.skipIf(MISSING !== undefined)('while more calls are written than can be held for a read', () => {
  test.each([1, 4])(
    '%d times as many wait for nothing, and a delete is given up',
    { timeout: TIMEOUT_MS },
    async (times) => {
      const { storage, writer, slowly } = await open(MAX_IDS);
      await writer.write([startFact('root', { trace_id: 't' })]);
      const look = slowly('parent_id IN');
      const deleted = writer.delete(PROJECT, ['root']);
      const failure = deleted.catch((error: unknown) => error);
      await look.isReached;
      const ids = Array.from({ length: MAX_IDS * times + 1 }, (_, index) => `c${index}`);
      for (const some of [ids.slice(0, MAX_IDS), ids.slice(MAX_IDS, -1), ids.slice(-1)]) {
        await writer.write(some.map((id) => startFact(id)));
      }
      expect(look.isGivenUp()).toBe(true);
      look.goOn();
      expect(await failure).toMatchObject({
        code: 'unavailable',
        message: `Cannot delete calls of "${PROJECT}": more than ${MAX_IDS} calls were written while what is to go was looked for; delete fewer at once, or when less is written`,
      });
      expect(await countCalls(storage)).toBe(ids.length + 1);
      // Nothing of it is left.
      expect(await writer.delete(PROJECT, ['root'])).toBe(1);
    },
  );

  test('retention is given up, and the next one goes on', { timeout: TIMEOUT_MS }, async () => {
    const { connection, writer, slowly } = await open(MAX_IDS);
    const least = { maxCalls: 500, minCalls: 500 };
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), least);
    await writer.write([startFact('old', { trace_id: 'old' })]);
    const look = slowly('FROM call_halves');
    const removed = retention.removeBefore(PROJECT, NEW_YEAR + 1);
    const failure = removed.catch((error: unknown) => error);
    await look.isReached;
    const late = { started_at: NEW_YEAR * 2 };
    await writer.write(Array.from({ length: MAX_IDS + 1 }, (_, index) => startFact(`c${index}`, late)));
    expect(look.isGivenUp()).toBe(true);
    look.goOn();
    expect(await failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the next round tries again') as string,
    });
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 1, calls: 1 });
  });

  test('retention looks for less, and goes on', { timeout: TIMEOUT_MS }, async () => {
    const { connection, writer } = await open(MAX_IDS);
    const busy = new BusyConnection(connection, async (rows) => {
      await writer.write(Array.from({ length: rows }, (_, index) => startFact(`late-${index}`, { started_at: LATE })));
    });
    const steps = { maxCalls: 64, minCalls: 4 };
    const retention = new ClickhouseRetention(busy, writer, new Removals(connection), steps);
    const old = Array.from({ length: 64 }, (_, index) => startFact(`old-${index}`, { trace_id: `old-${index}` }));
    for (let index = 0; index < old.length; index += MAX_IDS) await writer.write(old.slice(index, index + MAX_IDS));
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 16, calls: 16 });
    const { looks } = busy;
    // The next step begins with what has worked, and a little more.
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 16, calls: 16 });
    expect(busy.looks - looks).toBeLessThan(looks);
  });

  test('as many as can be held give nothing up', { timeout: TIMEOUT_MS }, async () => {
    const { writer, slowly } = await open(MAX_IDS);
    await writer.write([startFact('root', { trace_id: 't' })]);
    const look = slowly('parent_id IN');
    const deleted = writer.delete(PROJECT, ['root']);
    await look.isReached;
    const below = Array.from({ length: MAX_IDS }, (_, index) => startFact(`c${index}`, { parent_id: 'root' }));
    await writer.write(below);
    await writer.write(below.map(({ id }) => endFact(id)));
    expect(look.isGivenUp()).toBe(false);
    look.goOn();
    expect(await deleted).toBe(MAX_IDS + 1);
  });
});

describe.skipIf(MISSING !== undefined)('while nobody writes', () => {
  const givenUp = { failed: 'Cannot read', advice: 'write less' };

  test('little is looked at, however much came before', { timeout: TIMEOUT_MS }, async () => {
    const { writer } = await open();
    const counts = [3000, 12_000];
    const alone: number[] = [];
    const readMuch = async () => {
      const count = counts.shift() ?? 0;
      await writer.write(Array.from({ length: count }, (_, index) => startFact(`${count}-${index}`)));
      return 'found';
    };
    await writer.readFirst(PROJECT, {
      givenUp,
      read: readMuch,
      readSince: readMuch,
      readSoon: async (found, ids) => {
        alone.push(ids.length);
        return found;
      },
      work: async () => undefined,
    });
    // It is read beside groups.
    expect(alone).toEqual([0]);
  });

  test('a full group that is written before is looked at then', { timeout: TIMEOUT_MS }, async () => {
    const { connection, writer } = await open();
    const { isReached, goOn } = holdGroup(connection);
    const written = writer.write(Array.from({ length: MAX_GROUP }, (_, index) => startFact(`c${index}`)));
    await isReached;
    const looks = { beside: 0, alone: [] as number[] };
    const read = writer.readFirst(PROJECT, {
      givenUp,
      read: async () => 'found',
      readSince: async (found) => {
        looks.beside += 1;
        return found;
      },
      readSoon: async (found, ids) => {
        looks.alone.push(ids.length);
        return found;
      },
      work: async () => undefined,
    });
    goOn();
    await written;
    await read;
    expect(looks).toEqual({ beside: 0, alone: [MAX_GROUP] });
  });

  test('what takes long again and again is given up', { timeout: TIMEOUT_MS }, async () => {
    const { writer } = await open();
    const looks = { beside: 0, alone: 0 };
    const read = writer.readFirst(PROJECT, {
      givenUp,
      read: async () => 'found',
      readSince: async (found) => {
        looks.beside += 1;
        return found;
      },
      readSoon: async () => {
        looks.alone += 1;
        return undefined;
      },
      work: async () => undefined,
    });
    await expect(read).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Cannot read: again and again more came than can be looked at while nobody writes; write less',
    });
    expect(looks).toEqual({ beside: 9, alone: 10 });
  });

  test('retention ends when nobody waits for it, and removes nothing', { timeout: TIMEOUT_MS }, async () => {
    const { storage, connection, writer, slowly } = await open();
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection));
    await writer.write([startFact('old', { trace_id: 'old' })]);
    const leaving = new AbortController();
    const look = slowly('FROM call_halves');
    const removed = retention.removeBefore(PROJECT, LATE, { signal: leaving.signal });
    const failure = removed.catch((error: unknown) => error);
    await look.isReached;
    await writer.write([startFact('new')]);
    const alone = slowly('SELECT DISTINCT trace_id');
    look.goOn();
    await alone.isReached;
    leaving.abort(new Error('Nobody waits'));
    expect(alone.isGivenUp()).toBe(true);
    alone.goOn();
    expect(await failure).toBe(leaving.signal.reason);
    expect(await idsOf(storage, ['old', 'new'])).toEqual(['old', 'new']);
  });
});

function holdGroup(connection: SlowConnection): { readonly isReached: Promise<void>; readonly goOn: () => void } {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const isReached = new Promise<void>((reached) => (connection.group = { reached, gate }));
  return { isReached, goOn };
}

async function open(maxHeldIds?: number) {
  const { storage, connection } = await openWatched(bench, SlowConnection);
  const slowly = (text: string) => {
    connection.slow = text;
    const isReached = new Promise<void>((resolve) => (connection.reached = resolve));
    return { isReached, goOn: () => connection.goOn(), isGivenUp: () => connection.signal?.aborted };
  };
  const writer = new CallWriter(connection, 0, maxHeldIds === undefined ? {} : { maxHeldIds });
  return { storage, connection, writer, slowly };
}

async function idsOf({ calls }: Storage, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map(async (id) => await calls.get(PROJECT, id)));
  return found.flatMap((call) => call?.id ?? []);
}
