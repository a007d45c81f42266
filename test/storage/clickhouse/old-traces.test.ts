import { describe, expect, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Removed, RetentionStore } from '../../../src/storage/contract/retention.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { sql, type Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR, PROJECT, readIds, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';
import { seededRandom } from '../differential/random.ts';

const bench = useClickhouse();

/** A small removal is carried out at once. */
const SOON = { firstMs: 10 };

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
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection, SOON), { maxCalls: 2000 });
    const callsOf = (name: string, count: number, started_at: number) =>
      Array.from({ length: count }, (_, index) =>
        startFact(`${name}-${String(index).padStart(6, '0')}`, {
          trace_id: `${name}-${Math.floor(index / 2)}`,
          // Ten seconds for each, so that a granule is some hours.
          started_at: started_at + index * 10 * SECOND,
        }),
      );
    const time = NEW_YEAR + 10 * DAY;
    await writer.write(callsOf('old', 8000, NEW_YEAR));
    await writer.write(callsOf('new', 20_000, time));
    connection.asked.length = 0;
    expect(await retention.removeBefore(PROJECT, time)).toEqual({ traces: 1000, calls: 2000 });
    const reads = connection.asked.filter(({ text }) => text.includes('FROM calls AS c'));
    const rows: number[] = [];
    for (const read of reads) {
      const estimates = await connection.all<{ rows: number }>(sql`EXPLAIN ESTIMATE ${read}`);
      rows.push(estimates.reduce((sum, estimate) => sum + estimate.rows, 0));
    }
    const [edge, ...others] = rows;
    // It ends where it has found its place, of which an estimate knows nothing.
    expect(edge).toBeLessThanOrEqual(8000 + 2048);
    expect(others.length).toBeGreaterThan(0);
    for (const count of others) expect(count).toBeLessThanOrEqual(2000 + 2 * 2048);
  });

  test('are not looked for again in what was passed over', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection, SOON), { maxCalls: 10 });
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
      windows.push(connection.asked.filter(({ text }) => text.includes('LIMIT 1 OFFSET')).length);
    }
    // The first one looks at some calls of the trace, and so does the last, which begins anew where it finds nothing.
    expect(windows).toEqual([2, 1, 1, 3]);
    expect(await removeAll(retention, PROJECT, NEW_YEAR + 20 * DAY)).toEqual({ traces: 1, calls: 101 });
  });

  test('that come before what was passed over are found as well', async () => {
    const { connection } = await openWatched(bench, KeptConnection);
    const writer = new CallWriter(connection, 0);
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection, SOON), { maxCalls: 2 });
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
    for (let seed = 1; seed <= 5; seed++) {
      const project_id = `acme/seed-${seed}`;
      const { facts, deleted } = randomCalls(project_id, seed);
      for (const { calls } of [storage, memory]) {
        await calls.write(facts);
        await calls.delete(project_id, deleted, NEW_YEAR);
      }
      const maxCalls = 2 + seededRandom(1000 + seed).below(16);
      const retention = new ClickhouseRetention(connection, writer, new Removals(connection, SOON), { maxCalls });
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
    const retention = new ClickhouseRetention(connection, writer, new Removals(connection, SOON));
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
