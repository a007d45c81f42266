import { describe, expect, test } from 'vitest';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { aggregateCalls } from '../../../src/storage/clickhouse/read/aggregate-calls.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

/** A connection before whose statements about buckets something happens. */
class InterruptedConnection extends Connection {
  before: () => Promise<unknown> = async () => undefined;

  override async all<Found>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    if (sql.text.includes(' AS bucket')) await this.before();
    return await super.all<Found>(sql, options);
  }
}

class RecordedConnection extends Connection {
  readonly statements: string[] = [];

  override async all<Found>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    this.statements.push(sql.text);
    return await super.all<Found>(sql, options);
  }
}

describe.skipIf(MISSING !== undefined)('aggregates', () => {
  test('a histogram has the buckets that were asked for, whatever has started since', async () => {
    const { storage, connection } = await openWatched(bench, InterruptedConnection);
    const at = (id: string, ms: number) => startFact(id, { started_at: NEW_YEAR + ms * 1000 });
    await storage.calls.write([at('c1', 0), at('c2', 9), endFact('c1')]);
    connection.before = async () => await storage.calls.write([at('c3', -5), at('c4', 500)]);
    const selection = { projectId: PROJECT, filter: {}, printed: [] };
    const { histogram } = await aggregateCalls(
      connection,
      selection,
      { projectId: PROJECT, filter: {}, histogram: { buckets: 3 } },
      {},
    );
    expect(histogram?.counts).toEqual([1, 0, 1]);
    expect(histogram?.errors).toEqual([0, 0, 0]);
  });

  test('sums and uses of models are read in one pass over the newest rows of calls', async () => {
    const { storage, connection } = await openWatched(bench, RecordedConnection);
    const used = (usage: object) => ({ summary: JSON.stringify({ usage }) });
    const both = { a: { input_tokens: 3, output_tokens: 2 }, b: { input_tokens: 5 } };
    await storage.calls.write(['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => startFact(id)));
    await storage.calls.write([
      endFact('c1', used(both)),
      endFact('c2', used(both)),
      endFact('c3', used({ b: both.a })),
    ]);
    await storage.calls.write([endFact('c4', used(both))]);
    // Rows that say more of the same calls.
    await storage.calls.write([startFact('c1'), endFact('c1', used(both))]);
    await storage.calls.rename(PROJECT, 'c2', 'again');
    await storage.calls.delete(PROJECT, ['c4'], NEW_YEAR);
    const selection = { projectId: PROJECT, filter: {}, printed: [] };
    const found = await aggregateCalls(connection, selection, { projectId: PROJECT, filter: {} }, {});
    expect(found).toMatchObject({ count: 4, errors: 0, running: 1, tokens: { plainPrompt: 19, plainCompletion: 6 } });
    expect(found.models.map(({ model, calls, tokens }) => [model, calls, tokens.total])).toEqual([
      ['b', 3, 15],
      ['a', 2, 10],
    ]);
    expect(connection.statements.filter((text) => text.includes('FINAL'))).toHaveLength(1);
  });
});
