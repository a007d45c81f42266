import { describe, expect, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { RetentionStore } from '../../../src/storage/contract/retention.ts';
import { raw, type Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR, PROJECT, readIds, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

const DAY = 86_400 * SECOND;
const MANY = 50;

/** Counts how often the times of all traces are read, and whether a read goes on while rows are removed. */
class CountingConnection extends Connection {
  looks = 0;
  isOpen = false;
  wasOpen = false;
  onCheck: (() => Promise<void>) | undefined;

  override async *stream<Found = Row>(
    ...asked: Parameters<Connection['stream']>
  ): AsyncGenerator<readonly Found[], void> {
    this.isOpen = true;
    yield* super.stream<Found>(...asked);
    this.isOpen = false;
  }

  override async remove(asked: Sql): Promise<void> {
    this.wasOpen ||= this.isOpen;
    await super.remove(asked);
  }

  override async all<Found = Row>(asked: Sql, options?: ReadOptions): Promise<Found[]> {
    if (asked.text.includes('FROM trace_spans AS t FINAL')) this.looks += 1;
    if (asked.text.includes('SELECT DISTINCT c.trace_id')) await this.onCheck?.();
    return await super.all<Found>(asked, options);
  }
}

async function open(spans: { readonly maxTraces?: number; readonly intervalMs?: number } = {}) {
  const { storage, connection } = await openWatched(bench, CountingConnection);
  const writer = new CallWriter(connection, 0);
  const removals = new Removals(connection);
  return {
    storage,
    connection,
    writer,
    removals,
    retention: new ClickhouseRetention(connection, writer, removals, { spans }),
  };
}

async function removeAll(retention: RetentionStore, time: number): Promise<void> {
  while ((await retention.removeBefore(PROJECT, time)).calls > 0);
}

async function spansIn(connection: Connection, removals: Removals): Promise<string[]> {
  await removals.ended();
  const rows = await connection.all<{ trace: string }>(
    raw('SELECT DISTINCT trace_id AS trace FROM trace_spans ORDER BY 1'),
  );
  return rows.map(({ trace }) => trace);
}

describe.skipIf(MISSING !== undefined)('times of traces of a database of ClickHouse', () => {
  test('go some days after their calls, and stay where a trace goes on', async () => {
    const { storage, connection, writer, removals, retention } = await open({ maxTraces: 20 });
    const gone = Array.from({ length: MANY }, (_, index) => `gone-${String(index).padStart(2, '0')}`);
    const time = NEW_YEAR + 30 * DAY;
    await writer.write([
      ...gone.map((trace_id) => startFact(trace_id, { trace_id })),
      // Removed, and not for long.
      startFact('late', { trace_id: 'late', started_at: time - 2 * DAY }),
      // All of its calls have started long ago.
      startFact('long', { trace_id: 'long' }),
      endFact('long', { ended_at: time }),
      startFact('again-a', { trace_id: 'again' }),
      startFact('again-b', { trace_id: 'again', started_at: time }),
      startFact('other', { project_id: 'acme/other', trace_id: 'other' }),
    ]);
    await removeAll(retention, time);
    expect(await spansIn(connection, removals)).toEqual(['again', 'late', 'long', 'other']);
    expect([connection.looks, connection.wasOpen]).toEqual([3, false]);
    expect(await readIds(storage, { filter: { trace_ids: ['long'] } })).toEqual(['long']);
    expect(await readIds(storage, { filter: { trace_ids: ['again'] } })).toEqual(['again-a', 'again-b']);
  });

  test('are looked at once a day for each project', async () => {
    const { connection, retention } = await open();
    await removeAll(retention, NEW_YEAR);
    await removeAll(retention, NEW_YEAR);
    expect(connection.looks).toBe(1);
    await retention.removeBefore('acme/other', NEW_YEAR);
    expect(connection.looks).toBe(2);
  });

  test('are looked at again by the next round where that failed', async () => {
    const { connection, writer, removals, retention } = await open();
    await writer.write([startFact('gone', { trace_id: 'gone' })]);
    connection.onCheck = () => Promise.reject(new Error('Not now'));
    const time = NEW_YEAR + 30 * DAY;
    await expect(removeAll(retention, time)).rejects.toThrow('Not now');
    connection.onCheck = undefined;
    await removeAll(retention, time);
    expect([connection.looks, await spansIn(connection, removals)]).toEqual([2, []]);
  });

  test('of a call of such a time that comes meanwhile are there', async () => {
    const { storage, connection, writer, removals, retention } = await open();
    await writer.write([startFact('gone', { trace_id: 't' })]);
    let isWritten = false;
    // Nobody who writes waits for a look at what is old.
    connection.onCheck = async () => {
      if (!isWritten) await writer.write([startFact('again', { trace_id: 't' })]);
      isWritten = true;
    };
    await removeAll(retention, NEW_YEAR + 30 * DAY);
    expect(isWritten).toBe(true);
    expect(await spansIn(connection, removals)).toEqual(['t']);
    expect(await readIds(storage, { filter: { trace_ids: ['t'] } })).toEqual(['again']);
  });
});
