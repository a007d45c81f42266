import { describe, expect, test } from 'vitest';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import { CallReads } from '../../../src/storage/clickhouse/read/call-reads.ts';
import type { CallPlan } from '../../../src/storage/contract/plan.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { planOf } from '../../../src/testing/storage/plans.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

const MINUTE = 60_000_000;
const COUNT = 9000;

/** Keeps what is asked for. */
class KeptConnection extends Connection {
  asked: string[] = [];

  override async all<Found = Row>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    this.asked.push(sql.text);
    return await super.all<Found>(sql, options);
  }

  override async *stream<Found = Row>(sql: Sql, options?: ReadOptions, maxRows?: number) {
    this.asked.push(sql.text);
    yield* super.stream<Found>(sql, options, maxRows);
  }
}

describe.skipIf(MISSING !== undefined)('pages in the order of time', () => {
  test('of few calls among many are read by one statement, and large ones read no others', async () => {
    const { storage, connection, keysOf } = await open();
    const facts = Array.from({ length: COUNT }, (_, index) => {
      const times = { started_at: NEW_YEAR + index * MINUTE };
      return startFact(`c${index}`, { ...times, op_name: index % 3000 === 1 ? 'rare' : 'usual' });
    });
    await storage.calls.write(facts);
    // A second row of each rare call.
    await storage.calls.write([1, 3001, 6001].map((index) => endFact(`c${index}`)));
    const rare = planOf({ project_id: PROJECT, filter: { op_names: ['rare'] }, limit: 10 });
    expect(await keysOf(rare)).toEqual(['c1', 'c3001', 'c6001']);
    expect(connection.asked).toHaveLength(1);
    connection.asked = [];
    expect((await keysOf(planOf({ project_id: PROJECT, limit: 5000 }))).slice(-1)).toEqual(['c4999']);
    expect(connection.asked).toHaveLength(1);
    expect(connection.asked[0]).toContain('edge');
  });

  test('a text that many calls have is searched for once, in the newest rows', async () => {
    const { storage, connection, keysOf } = await open();
    await storage.calls.write([
      startFact('a', { inputs: '{"text":"The Word"}' }),
      startFact('b', { inputs: '{"text":"another"}' }),
      startFact('c', { inputs: '{"text":"the word again"}' }),
    ]);
    await storage.calls.write([endFact('a'), endFact('c')]);
    const condition = {
      kind: 'contains',
      isCaseSensitive: false,
      input: { kind: 'convert', to: 'string', input: { kind: 'json', column: 'inputs', path: ['text'] } },
      substr: { kind: 'literal', value: 'the word' },
    } as unknown as NonNullable<CallPlan['condition']>;
    expect(await keysOf({ ...planOf({ project_id: PROJECT }), condition })).toEqual(['a', 'c']);
    const search = connection.asked.find((text) => text.includes('position')) ?? '';
    expect(search.match(/position/g)).toHaveLength(1);
  });
});

async function open() {
  const { storage, connection } = await openWatched(bench, KeptConnection);
  const reads = new CallReads(connection, async () => new Map());
  const keysOf = async (plan: CallPlan): Promise<string[]> => {
    const ids: string[] = [];
    for await (const keys of reads.keys(plan, {})) ids.push(...keys.map(({ id }) => id));
    return ids;
  };
  return { storage, connection, keysOf };
}
