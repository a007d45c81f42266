import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Removed, RetentionStore } from '../../../src/storage/contract/retention.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { raw, sql, type Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR, PROJECT, readIds, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';
import { seededRandom } from '../differential/random.ts';

const bench = useClickhouse();

const MINUTE = 60 * SECOND;
const DAY = 1440 * MINUTE;

/** Keeps what it was asked for. */
class KeptConnection extends Connection {
  readonly asked: Sql[] = [];

  override async all<Found = Row>(asked: Sql, options?: ReadOptions): Promise<Found[]> {
    this.asked.push(asked);
    return await super.all<Found>(asked, options);
  }
}

/** Rows that the database would read for each of these statements. */
async function rowsOf(connection: KeptConnection, read: (text: string) => boolean): Promise<number[]> {
  const rows: number[] = [];
  for (const asked of connection.asked.filter(({ text }) => read(text))) {
    const estimates = await connection.all<{ rows: number }>(sql`EXPLAIN ESTIMATE ${asked}`);
    rows.push(estimates.reduce((sum, estimate) => sum + estimate.rows, 0));
  }
  return rows;
}

/** Statements that look for the edge of a window, that read one, and that count what is before a minute. */
const FINDS_EDGE = (text: string) => text.includes('LIMIT 1 OFFSET');
const READS_WINDOW = (text: string) => text.startsWith('SELECT intDiv') && text.includes(' AS last FROM calls');
const COUNTS_ROWS = (text: string) => text.includes('FROM (SELECT 1 FROM calls AS c');
const COUNTS_TRACES = (text: string) => text.includes('count() AS calls');
const READS_SPANS = (text: string) => text.includes('FROM trace_spans AS t\n');

async function removeAll(retention: RetentionStore, projectId: string, time: number): Promise<Removed> {
  const total = { traces: 0, calls: 0 };
  for (;;) {
    const { traces, calls } = await retention.removeBefore(projectId, time);
    if (calls === 0) return total;
    total.traces += traces;
    total.calls += calls;
  }
}

describe.skipIf(MISSING !== undefined)('old traces of a database of ClickHouse', () => {
  test('are looked for among old calls: new ones, and those of other traces, are not read', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 2000 });
    const callsOf = (name: string, count: number, started_at: number) =>
      Array.from({ length: count }, (_, index) =>
        startFact(`${name}-${String(index).padStart(6, '0')}`, {
          trace_id: `${name}-${Math.floor(index / 2)}`,
          // Ten seconds for each, so that a granule is some hours.
          started_at: started_at + index * 10 * SECOND,
        }),
      );
    const time = NEW_YEAR + 10 * DAY;
    await writer.write(callsOf('old', 40_000, NEW_YEAR));
    await writer.write(callsOf('new', 20_000, time));
    for (const isFirst of [true, false]) {
      connection.asked.length = 0;
      expect(await retention.removeBefore(PROJECT, time)).toEqual({ traces: 1000, calls: 2000 });
      const reads = connection.asked.filter(({ text }) => text.includes('FROM calls AS c'));
      // Counts end where they have counted enough. The second window is about as wide as the first.
      expect(reads.filter(({ text }) => COUNTS_ROWS(text)).length).toBeLessThanOrEqual(isFirst ? 20 : 2);
      const edges = await rowsOf(connection, FINDS_EDGE);
      expect(edges).toHaveLength(1);
      // An older server reads all up to the minute.
      for (const count of edges) expect(count).toBeLessThanOrEqual(4 * 2000 + 2 * 2048);
      const others = await rowsOf(connection, (text) => {
        return text.includes('FROM calls AS c') && !FINDS_EDGE(text) && !COUNTS_ROWS(text);
      });
      expect(others.length).toBeGreaterThan(0);
      for (const count of others) expect(count).toBeLessThanOrEqual(2000 + 2 * 2048);
    }
  });

  test('are looked for around the edge of a window, wherever most of them are', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const callsAt = (name: string, count: number, started_at: number, everyMicros: number) =>
      Array.from({ length: count }, (_, index) =>
        startFact(`${name}-${index}`, { trace_id: `${name}-${index}`, started_at: started_at + index * everyMicros }),
      );
    // Years ago, nothing for long, many in one minute, then some now and then.
    const all = [
      ...callsAt('oldest', 3, -50 * 365 * DAY, DAY),
      ...callsAt('minute', 200, NEW_YEAR, 1),
      ...callsAt('old', 100, NEW_YEAR + MINUTE, MINUTE),
    ];
    await writer.write([...all, ...callsAt('new', 100, NEW_YEAR + DAY, MINUTE)]);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 20 });
    expect(await removeAll(retention, PROJECT, NEW_YEAR + DAY)).toEqual({ traces: all.length, calls: all.length });
    const counts = connection.asked.filter(({ text }) => COUNTS_ROWS(text)).length;
    const windows = connection.asked.filter(({ text }) => READS_WINDOW(text)).length;
    expect(counts).toBeLessThan(4 * windows + 60);
  });

  test('are in granules of their own by their times, whatever their ids are', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const traces = Array.from({ length: 20_000 }, () => randomUUID().replaceAll('-', ''));
    await writer.write(
      traces.map((trace_id, index) => startFact(`c${index}`, { trace_id, started_at: NEW_YEAR + index * SECOND })),
    );
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 20 });
    connection.asked.length = 0;
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + DAY)).toEqual({ traces: 20, calls: 20 });
    const [rows = Infinity] = await rowsOf(connection, READS_SPANS);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThanOrEqual(20 * 256);
  });

  test('that reach far are looked for by how far, so that one of a year is no reason to look through a year', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const time = NEW_YEAR + 400 * DAY;
    const reaching = (name: string, count: number, reach: number) =>
      Array.from({ length: count }, (_, index) => `${name}-${index}`).flatMap((trace_id) =>
        [0, reach].map((later) =>
          startFact(`${trace_id}-${later === 0 ? 'a' : 'b'}`, { trace_id, started_at: NEW_YEAR + later }),
        ),
      );
    const reaches: readonly (readonly [string, number])[] = [
      ['hour', 60 * MINUTE],
      ['day', DAY],
      ['year', 365 * DAY],
    ];
    await writer.write(reaches.flatMap(([name, reach]) => reaching(name, 4, reach)));
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 12 });
    connection.asked.length = 0;
    await retention.removeBefore(PROJECT, time);
    const counted = connection.asked
      .filter(({ text }) => COUNTS_TRACES(text))
      .map(({ values }) => {
        const [, earliest, latest, traces] = values;
        const names = (JSON.parse(String(traces)) as string[]).map((trace) => trace.split('-')[0]);
        return { of: [...new Set(names)], reach: Number(latest) - Number(earliest) };
      });
    expect(counted.toSorted((one, other) => one.reach - other.reach)).toEqual(
      reaches.map(([name, reach]) => ({ of: [name], reach })),
    );
    expect(await removeAll(retention, PROJECT, time)).toEqual({ traces: 6, calls: 12 });
  });

  test('that reach far are counted as far as they may go together', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const traces = Array.from({ length: 200 }, (_, index) => `t${String(index).padStart(3, '0')}`);
    // One call of each within a minute, and ten a day later.
    await writer.write(
      traces.flatMap((trace_id, index) =>
        Array.from({ length: 11 }, (_, call) =>
          startFact(`${trace_id}-${String(call).padStart(2, '0')}`, {
            trace_id,
            started_at: call === 0 ? NEW_YEAR + index : NEW_YEAR + DAY + index * MINUTE,
          }),
        ),
      ),
    );
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 200 });
    connection.asked.length = 0;
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 10 * DAY)).toEqual({ traces: 18, calls: 198 });
    const counted = connection.asked
      .filter(({ text }) => COUNTS_TRACES(text))
      .flatMap(({ values }) => {
        return JSON.parse(String(values.at(-1))) as string[];
      });
    // 16 of them have 176 calls; of the next ones not all are needed.
    expect(counted.toSorted()).toEqual(traces.slice(0, 48));
    expect(await removeAll(retention, PROJECT, NEW_YEAR + 10 * DAY)).toEqual({ traces: 182, calls: 2002 });
  });

  test('of which the times are not there are looked for in all times', async () => {
    const { storage, connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const later = (started_at: number) => ({ trace_id: 'busy', started_at });
    await writer.write([
      startFact('busy-a', { trace_id: 'busy' }),
      startFact('busy-b', later(NEW_YEAR + 30 * DAY)),
      startFact('old-a', { trace_id: 'old' }),
      startFact('old-b', { trace_id: 'old', started_at: NEW_YEAR + 2 * DAY }),
    ]);
    await connection.command(`TRUNCATE TABLE trace_spans`);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 2 });
    expect(await removeAll(retention, PROJECT, NEW_YEAR + 10 * DAY)).toEqual({ traces: 1, calls: 2 });
    expect(await readIds(storage)).toEqual(['busy-a', 'busy-b']);
  });

  test('that are shown a moment before the times of their newest call are judged without it, which stays', async () => {
    const { storage, connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    await writer.write([startFact('a', { trace_id: 't' })]);
    // Another service has shown its call, and not its times.
    const late = startFact('b', { trace_id: 't', started_at: NEW_YEAR + 30 * DAY });
    const spans = await connection.all(raw('SELECT * FROM trace_spans'));
    await writer.write([late]);
    await connection.command(`TRUNCATE TABLE trace_spans`);
    await connection.insert('trace_spans', spans);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 1 });
    expect(await removeAll(retention, PROJECT, NEW_YEAR + 10 * DAY)).toEqual({ traces: 1, calls: 1 });
    expect(await readIds(storage)).toEqual(['b']);
  });

  test('are found beside more that stay than are held', async () => {
    const { storage, connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const time = NEW_YEAR + 10 * DAY;
    const names = Array.from({ length: 12 }, (_, index) => `kept-${String(index).padStart(2, '0')}`);
    // Each has begun before, and goes on.
    await writer.write(
      names.flatMap((trace_id, index) => [
        startFact(`${trace_id}-a`, { trace_id, started_at: NEW_YEAR + index }),
        startFact(`${trace_id}-b`, { trace_id, started_at: time }),
        startFact(`old-${index}`, { trace_id: `old-${index}`, started_at: NEW_YEAR + index }),
      ]),
    );
    const options = { maxCalls: 3, maxKept: 2 };
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), options);
    expect(await removeAll(retention, PROJECT, time)).toEqual({ traces: 12, calls: 12 });
    const passedOver = connection.asked
      .filter(({ text }) => text.includes('NOT IN'))
      .map(({ values }) => {
        const list = values.find((value) => String(value).startsWith('["kept'));
        return (JSON.parse(String(list)) as string[]).length;
      });
    expect(Math.max(...passedOver)).toBe(2);
    const kept = names.flatMap((name) => [`${name}-a`, `${name}-b`]).toSorted();
    expect((await readIds(storage)).toSorted()).toEqual(kept);
  });

  test('are not looked for again in what was passed over', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 10 });
    // All of one trace that goes on.
    const kept = Array.from({ length: 100 }, (_, index) => startFact(`kept-${index}`, { trace_id: 'kept' }));
    const old = Array.from({ length: 30 }, (_, index) =>
      startFact(`old-${index}`, { trace_id: `old-${index}`, started_at: NEW_YEAR + DAY }),
    );
    await writer.write([...kept, startFact('late', { trace_id: 'kept', started_at: NEW_YEAR + 10 * DAY }), ...old]);
    const time = NEW_YEAR + 5 * DAY;
    const windows: number[] = [];
    for (let calls = 1; calls > 0;) {
      connection.asked.length = 0;
      ({ calls } = await retention.removeBefore(PROJECT, time));
      windows.push(connection.asked.filter(({ text }) => READS_WINDOW(text)).length);
    }
    // The first one looks at some calls of the trace, and so does the last, which begins anew where it finds nothing.
    expect(windows).toEqual([2, 1, 1, 3]);
    expect(await removeAll(retention, PROJECT, NEW_YEAR + 20 * DAY)).toEqual({ traces: 1, calls: 101 });
  });

  test('that come before what was passed over are found as well', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls: 2 });
    const time = NEW_YEAR + DAY;
    await writer.write(['a', 'b', 'c'].map((id) => startFact(id, { started_at: NEW_YEAR + MINUTE })));
    expect(await retention.removeBefore(PROJECT, time)).toEqual({ traces: 2, calls: 2 });
    await writer.write([startFact('before')]);
    expect(await removeAll(retention, PROJECT, time)).toEqual({ traces: 2, calls: 2 });
  });

  test('are told apart from those that stay as the reference does, whatever reaches where', async () => {
    const { storage, connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const memory = openMemoryStorage();
    for (let seed = 1; seed <= 3; seed++) {
      const project_id = `acme/seed-${seed}`;
      const { facts, deleted } = randomCalls(project_id, seed);
      for (const { calls } of [storage, memory]) {
        await calls.write(facts);
        await calls.delete(project_id, deleted, NEW_YEAR);
      }
      const maxCalls = 2 + seededRandom(1000 + seed).below(16);
      const retention = new ClickhouseRetention(connection, writer, new Removals(connection), { maxCalls });
      for (const days of [20, 45]) {
        const time = NEW_YEAR + days * DAY;
        const removed = await removeAll(retention, project_id, time);
        const wanted = await removeAll(memory.retention!, project_id, time);
        expect({ seed, maxCalls, days, removed }).toEqual({ seed, maxCalls, days, removed: wanted });
        const ids = (await readIds(storage, { project_id })).toSorted();
        expect({ seed, ids }).toEqual({ seed, ids: (await readIds(memory, { project_id })).toSorted() });
      }
    }
  });

  test('are not there, and the server is asked for nothing that it has to remove', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection));
    await writer.write([startFact('new')]);
    expect(await retention.removeBefore(PROJECT, NEW_YEAR)).toEqual({ traces: 0, calls: 0 });
    const asksForLeft = ({ text }: Sql) => text.includes('system.mutations');
    expect(connection.asked.filter(asksForLeft)).toEqual([]);
    expect(await retention.removeBefore(PROJECT, NEW_YEAR + 1)).toEqual({ traces: 1, calls: 1 });
    expect(connection.asked.filter(asksForLeft).length).toBeGreaterThan(0);
  });
});

/** Traces of some calls: within a minute, within an hour, over days, and some with calls that are deleted or end late. */
function randomCalls(project_id: string, seed: number): { facts: CallFact[]; deleted: string[] } {
  const random = seededRandom(seed);
  const facts: CallFact[] = [];
  const deleted: string[] = [];
  for (let trace = 0; trace < 20; trace++) {
    const begin = NEW_YEAR + random.below(40 * DAY);
    const width = random.pick([SECOND, MINUTE, 60 * MINUTE, 20 * DAY]);
    for (let call = random.below(6); call >= 0; call--) {
      const id = `${random.below(1_000_000)}-${trace}-${call}`;
      const started_at = begin + random.below(width);
      facts.push(startFact(id, { project_id, trace_id: `t${trace}`, started_at }));
      if (random.chance(0.5)) facts.push(endFact(id, { project_id, ended_at: started_at + random.below(width) }));
      if (random.chance(0.15)) deleted.push(id);
    }
  }
  // Ends that have no start.
  for (let half = 0; half < 5; half++) {
    facts.push(endFact(`half-${half}`, { project_id, ended_at: NEW_YEAR + random.below(40 * DAY) }));
  }
  return { facts, deleted };
}
