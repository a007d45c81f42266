import { createClient } from '@clickhouse/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { bindIntegers, bindTexts } from '../../../src/storage/clickhouse/statement.ts';
import { bind, sql } from '../../../src/storage/sql/sql.ts';
import { countCalls, endFact, NEW_YEAR, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

/** With ids as long as these, their list is more than a server takes as a value. */
const MANY = 5000;
const idOf = (index: number) => index.toString(16).padStart(32, '0');
const many = Array.from({ length: MANY }, (_, index) => idOf(index));

async function openStorage() {
  const storage = await openClickhouseStorage({ url: await bench.newDatabase(), groupMs: 0 });
  onTestFinished(() => storage.close());
  return storage;
}

describe.skipIf(MISSING !== undefined)('statements with more values than a server takes beside them', () => {
  test('values are what they were, few or many', async () => {
    const connection = new Connection(createClient({ url: await bench.newDatabase() }));
    onTestFinished(() => connection.close());
    const texts = [
      '',
      "it's",
      '\\',
      "\\'",
      'a\0b',
      'line\nline\r\t',
      '?',
      '{p0:String}',
      'ü 🎉',
      '%41',
      `--`,
      '\\N',
      '\ufffd',
    ];
    const sent = [...texts.slice(0, -1), '\udf89'];
    for (const more of [[], many]) {
      const rows = await connection.all(
        sql`SELECT arraySlice(${bindTexts([...sent, ...more])}, 1, ${bind(texts.length)}) AS texts, ${bind("a\\'?")} AS text,
          ${bind(-7)} AS negative, ${bind(2 ** 53 - 1)} AS large, ${bind(0.1)} AS fraction, ${bind(1e300)} AS power,
          ${bind(9n)} AS big, ${bind(-0)} AS zero, ${bind(2 ** 53)} AS odd, ${bind('\ud83c')} AS half,
          ${bind(null)} AS nothing, ${bindIntegers([-1, 2])} AS integers, ${bindTexts([])} AS none,
          toTypeName(${bindTexts([])}) AS type, toTypeName(${bind(1)}) AS integer`,
      );
      expect(rows).toEqual([
        {
          texts,
          text: "a\\'?",
          negative: -7,
          large: 2 ** 53 - 1,
          fraction: 0.1,
          power: 1e300,
          big: 9,
          zero: 0,
          odd: 2 ** 53,
          half: '\ufffd',
          nothing: null,
          integers: [-1, 2],
          none: [],
          type: 'Array(String)',
          integer: 'Int64',
        },
      ]);
    }
  });

  test('a batch of as many calls as the protocol allows is written, read and deleted', async () => {
    const storage = await openStorage();
    const root = startFact(idOf(MANY), { trace_id: 't1' });
    const below = many.map((id) => startFact(id, { trace_id: 't1', parent_id: root.id }));
    await storage.calls.write([root, ...below]);
    await storage.calls.write(many.map((id) => endFact(id)));
    expect(await countCalls(storage, { filter: { trace_ids: ['t1'] } })).toBe(MANY + 1);
    expect(await storage.calls.delete(PROJECT, [root.id], NEW_YEAR)).toBe(MANY + 1);
  });

  test('old calls are removed, also when they are more than a server takes as a value', async () => {
    const storage = await openStorage();
    await storage.calls.write(many.map((id) => startFact(id, { trace_id: id })));
    const removed = await storage.retention?.removeBefore(PROJECT, Number.MAX_SAFE_INTEGER);
    expect(removed).toEqual({ traces: MANY, calls: MANY });
    expect(await countCalls(storage)).toBe(0);
  });

  test('a table is made of many stored rows', async () => {
    const storage = await openStorage();
    const rows = many.map((digest) => ({ digest, val: '{}' }));
    const table = { project_id: PROJECT, row_digests: many };
    await storage.tables.create({ ...table, digest: 'd1', rows });
    await storage.tables.create({ ...table, digest: 'd2', rows: [] });
    expect(await storage.tables.stats(PROJECT, ['d2'])).toMatchObject([{ count: MANY }]);
  });

  test('a long text is looked for', async () => {
    const storage = await openStorage();
    const text = `'${'long '.repeat(40_000)}`;
    await storage.calls.write([startFact('c1', { inputs: JSON.stringify({ text }) }), startFact('c2')]);
    const input = { $getField: 'inputs.text' };
    const query = { $expr: { $contains: { input, substr: { $literal: text } } } };
    expect(await countCalls(storage, { query })).toBe(1);
    expect(await countCalls(storage, { query: { $expr: { $eq: [input, { $literal: text }] } } })).toBe(1);
  });
});
