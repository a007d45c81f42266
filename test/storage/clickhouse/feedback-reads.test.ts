import { describe, expect, test } from 'vitest';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';
import { ClickhouseFeedback } from '../../../src/storage/clickhouse/clickhouse-feedback.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import type { Condition, FeedbackPlan, RecordField } from '../../../src/storage/contract/plan.ts';
import { newFeedback, PROJECT } from '../../../src/testing/storage/facts.ts';

const bench = useClickhouse();
const refOf = (index: number) => `svc:///${PROJECT}/call/c${index}`;

type Where = Condition<RecordField>;
const text = (column: string) => ({ kind: 'text', column }) as const;
const literal = (value: string) => ({ kind: 'literal', value }) as const;
const oneOf = (column: string, ...items: string[]): Where => ({
  kind: 'in',
  operand: text(column),
  items: items.map(literal),
});
const equals = (column: string, value: string): Where => ({
  kind: 'compare',
  operator: 'eq',
  left: text(column),
  right: literal(value),
});

function planOf(condition: Where): FeedbackPlan {
  return { projectId: PROJECT, condition, sort: [{ field: text('id'), isDescending: false }], offset: 0 };
}

/** Counts the rows that the engine gives. */
class CountingConnection extends Connection {
  rowCount = 0;

  override async all<Found>(...asked: Parameters<Connection['all']>): Promise<Found[]> {
    const rows = await super.all<Found>(...asked);
    this.rowCount += rows.length;
    return rows;
  }
}

describe.skipIf(MISSING !== undefined)('feedback in a database of ClickHouse', () => {
  test('that is asked for by ids, or by what it is about, is read alone', async () => {
    const { storage, connection } = await openWatched(bench, CountingConnection);
    const all = Array.from({ length: 100 }, (_, index) => newFeedback(`f${index}`, { svc_ref: refOf(index % 10) }));
    await storage.feedback.createAll(all);
    const feedback = new ClickhouseFeedback(connection);
    const read = async (condition: Where) => {
      connection.rowCount = 0;
      const found = await feedback.query(planOf(condition));
      return [found.map(({ id }) => id), connection.rowCount];
    };
    expect(await read(oneOf('id', 'f7', 'f3', 'f7', 'gone'))).toEqual([['f3', 'f7'], 2]);
    expect(await read(equals('svc_ref', refOf(4)))).toEqual([
      ['f14', 'f24', 'f34', 'f4', 'f44', 'f54', 'f64', 'f74', 'f84', 'f94'],
      10,
    ]);
    const both: Where = { kind: 'and', conditions: [equals('feedback_type', 'other'), equals('id', 'f3')] };
    expect(await read(both)).toEqual([[], 1]);
    // Of two that may be true neither says what is needed.
    const either: Where = { kind: 'or', conditions: [equals('id', 'f3'), equals('svc_ref', refOf(4))] };
    expect(await read(either)).toEqual([
      ['f14', 'f24', 'f3', 'f34', 'f4', 'f44', 'f54', 'f64', 'f74', 'f84', 'f94'],
      100,
    ]);
    expect(await feedback.count(planOf(oneOf('id', 'f7', 'f3')))).toBe(2);
  });
});
