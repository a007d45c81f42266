import { describe, expect, test } from 'vitest';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseRetention } from '../../../src/storage/clickhouse/upkeep/clickhouse-retention.ts';
import { Removals } from '../../../src/storage/clickhouse/upkeep/removals.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { raw } from '../../../src/storage/sql/sql.ts';
import { countCalls, endFact, newFeedback, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

const ALWAYS = Number.MAX_SAFE_INTEGER;
const MAX_CALLS = 10;

/** A server that takes statements of few ids only, and removals of a table until they are refused. */
class BoundedConnection extends Connection {
  refused: string | undefined;

  override async remove(asked: Sql): Promise<void> {
    const { text, values } = asked;
    const ids = Math.max(...values.map((value) => String(value).split('","').length));
    if (ids > MAX_CALLS) throw new Error('Max query size exceeded');
    if (this.refused !== undefined && text.includes(`FROM ${this.refused} `)) throw new Error('No removal now');
    await super.remove(asked);
  }
}

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
    expect(removed.reduce((sum, { traces }) => sum + traces, 0)).toBe(4);
    expect(removed.reduce((sum, { calls }) => sum + calls, 0)).toBe(37);
    // A trace goes whole, and no step takes more than one that is too large.
    expect(removed.map(({ calls }) => calls).toSorted((one, other) => other - one)[0]).toBe(25);
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
});
