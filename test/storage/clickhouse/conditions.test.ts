import { describe, expect, onTestFinished, test } from 'vitest';
import type { Expression } from '../../../src/protocol/query.ts';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { splitCondition } from '../../../src/storage/clickhouse/read/exact-conditions.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { countCalls, endFact, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { selectionOf } from '../../../src/testing/storage/plans.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

const bench = useClickhouse();

const field = (path: string): Expression => ({ $getField: path });
const literal = (value: unknown): Expression => ({ $literal: value });
const not = (condition: Expression): Expression => ({ $not: [condition] });

/** What the database says of JSON, with what it leaves to the service beside it. */
const CONDITIONS: readonly (readonly [Expression, 'onColumns' | 'onJson' | 'evaluated'])[] = [
  [{ $eq: [field('op_name'), literal('f')] }, 'onColumns'],
  [{ $gt: [field('started_at'), literal(0)] }, 'onColumns'],
  [{ $eq: [field('inputs.v'), literal('word')] }, 'onJson'],
  [not({ $eq: [field('inputs.v'), literal('word')] }), 'onJson'],
  [{ $in: [field('inputs.v'), [literal('word'), literal('')]] }, 'onJson'],
  [not({ $in: [field('inputs.v'), [literal('word'), literal(1)]] }), 'onJson'],
  [{ $eq: [field('inputs.v'), literal(null)] }, 'onJson'],
  [{ $convert: { input: field('inputs.v'), to: 'exists' } }, 'onJson'],
  [field('inputs.v'), 'onJson'],
  [not(field('inputs.v')), 'onJson'],
  ...(['$eq', '$gt', '$gte', '$lt', '$lte'] as const).flatMap((operator) => [
    [{ [operator]: [field('inputs.v'), literal(1)] } as Expression, 'onJson'] as const,
    [not({ [operator]: [field('output.v'), literal(0.1)] } as Expression), 'onJson'] as const,
  ]),
  [{ $eq: [field('attributes.deep.er'), literal('é"\n')] }, 'onJson'],
  [{ $eq: [field('inputs.v'), literal('5')] }, 'evaluated'],
  [{ $eq: [field('inputs.v'), literal('true')] }, 'evaluated'],
  [{ $eq: [field('inputs.v'), literal(9007199254740992)] }, 'evaluated'],
  [{ $gt: [field('inputs.v'), literal('word')] }, 'evaluated'],
  [{ $eq: [field('inputs.v.0'), literal('word')] }, 'evaluated'],
  [{ $eq: [field('inputs.'), literal('word')] }, 'evaluated'],
  [{ $eq: [field('attributes.otel_span.name'), literal('word')] }, 'evaluated'],
  [{ $contains: { input: field('inputs.v'), substr: literal('or'), case_insensitive: true } }, 'evaluated'],
];

const DEEP = `${'['.repeat(1500)}${']'.repeat(1500)}`;

const LINES = String.raw`
"word" "" "5" "true" true false null 0 -0.0 1 1.0 "1" "1.0" 0.1 "0.1" "+1" "1." ".1" "1e0" "1e400" "NaN" "inf" "1\n" "0x1"
1e+300 "-" "." 9007199254740993 9007199254740992 123456789012345678901234567890 0.30000000000000004 1e-05
[] {} ["word"] {"v":"word"} "\ud800" "w\u0000rd" "é漢😀" "WORD" "word,words"`;

const VALUES = [...LINES.trim().split(/\s+/), '" 1"', DEEP];

test('conditions are said by the database where it says exactly what they mean', () => {
  const found = CONDITIONS.map(([$expr]) => {
    const { condition } = selectionOf({ project_id: PROJECT, query: { $expr } });
    return Object.entries(splitCondition(condition)).find(([, parts]) => parts.length > 0)?.[0];
  });
  expect(found).toEqual(CONDITIONS.map(([, place]) => place));
});

describe.skipIf(MISSING !== undefined)('conditions on JSON', () => {
  for (const [name, values] of [
    ['plain values', VALUES.filter((value) => value !== DEEP && !/\\ud|\d{18}|e400|e\+300/.test(value))],
    ['plain and odd values', VALUES],
  ] as const) {
    test(`are true for the same ${name} as in memory`, async () => {
      const memory = openMemoryStorage();
      const storage = await openClickhouseStorage({ url: await bench.newDatabase(), groupMs: 0 });
      onTestFinished(() => storage.close());
      const facts = [...values, undefined].flatMap((value, index) => {
        const body = value === undefined ? '{}' : `{"v":${value}}`;
        const attributes = index % 2 === 0 ? '{"deep":{"er":"é\\"\\n"}}' : '{"deep":[1]}';
        return [startFact(`c${index}`, { inputs: body, attributes }), endFact(`c${index}`, { output: body })];
      });
      for (const each of [memory, storage]) await each.calls.write(facts);
      for (const [$expr] of CONDITIONS) {
        const request = { query: { $expr } };
        const expected = await readIds(memory, request);
        const page = await readIds(storage, { ...request, limit: 2, offset: 1 });
        const found = [await readIds(storage, request), await countCalls(storage, request), page];
        expect({ $expr, found }).toEqual({ $expr, found: [expected, expected.length, expected.slice(1, 3)] });
      }
    });
  }
});
