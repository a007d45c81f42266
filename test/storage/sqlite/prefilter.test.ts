import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { printCount } from '../../../src/storage/sqlite/read/select-calls.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { countCalls, endFact, PROJECT, startFact } from '../../../src/testing/storage/facts.ts';

const LONG = `${'a😀'.repeat(700)}end`;

/** What stands in `inputs.k`, and as the output of a call. */
const VALUES: readonly unknown[] = [
  'Kelvin',
  'kelvin',
  '\u212Aelvin',
  'ſaſſy',
  'sassy',
  'STRASSE',
  'a "quoted" word',
  'two\nlines\tand a \\ backslash',
  'a/slash',
  '100 % of it_all',
  'ÄÖÜ äöü',
  '😀 smile',
  'null',
  'true',
  '12',
  '1.5',
  '{"k":"Kelvin"}',
  '["a"]',
  '',
  ' ',
  LONG,
  true,
  12,
  1.5,
  null,
  { k: 'Kelvin', 'a "quoted" name': 'x', 0: 'zero' },
  ['a', 'b'],
  [['two\nlines']],
];

const PATHS = ['inputs.k', 'inputs', 'inputs.k.0', 'inputs.k.k', 'output', 'output.a "quoted" name', 'attributes.k'];

const texts = [...new Set(VALUES.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))];
const parts = [
  ...texts,
  'elvin',
  'KELVIN',
  'äö',
  'lines',
  '\\',
  '"',
  '%',
  '_',
  'of it',
  'K',
  's',
  '"k":"Kelvin"',
  'tw',
];

const EXPRESSIONS = PATHS.flatMap((path) => {
  const field = { $getField: path };
  const literal = (value: unknown) => ({ $literal: value });
  return [
    ...texts.map((text) => ({ $eq: [field, literal(text)] })),
    ...texts.map((text) => ({ $not: [{ $eq: [field, literal(text)] }] })),
    ...texts.map((text) => ({ $eq: [{ $convert: { input: field, to: 'string' } }, literal(text)] })),
    ...parts.flatMap((part) =>
      [true, false].map((isFolded) => ({
        $contains: { input: field, substr: literal(part), case_insensitive: isFolded },
      })),
    ),
    ...['Kelvin', 'KELVIN', 'sassy', '12', 'ÄÖÜ'].map((token) => ({
      $containsToken: { input: field, substr: literal(token), case_insensitive: true },
    })),
    { $in: [field, ['Kelvin', '12', 'a/slash'].map(literal)] },
    { $in: [field, [literal('Kelvin'), literal(12)]] },
    { $or: [{ $eq: [field, literal('kelvin')] }, { $eq: [field, literal('sassy')] }] },
    { $or: [{ $eq: [field, literal('kelvin')] }, { $gt: [field, literal(1)] }] },
    { $and: [{ $eq: [field, literal('kelvin')] }, { $gt: [field, literal(1)] }] },
  ];
});

let memory: Storage;
let sqlite: Storage;

beforeAll(async () => {
  memory = openMemoryStorage();
  sqlite = await openSqliteStorage({ path: ':memory:' });
  const facts = VALUES.flatMap((value, index) => [
    startFact(`c${index}`, { inputs: JSON.stringify({ k: value }), attributes: JSON.stringify({ k: value }) }),
    endFact(`c${index}`, { output: JSON.stringify(value) }),
  ]);
  for (const storage of [memory, sqlite]) await storage.calls.write(facts);
});

afterAll(() => Promise.all([memory.close(), sqlite.close()]));

test('what is looked for first keeps every call that a condition keeps', async () => {
  const different: unknown[] = [];
  for (const $expr of EXPRESSIONS) {
    const request = { query: { $expr: $expr as never } };
    const [expected, actual] = [await countCalls(memory, request), await countCalls(sqlite, request)];
    if (expected !== actual) different.push({ $expr, expected, actual });
  }
  expect(different).toEqual([]);
  expect(EXPRESSIONS.length).toBeGreaterThan(1000);
});

/** What is looked for in the texts of bodies before any JSON is read. */
function patternsOf(expression: unknown): readonly unknown[] {
  const selection = planSelection({ project_id: PROJECT, query: { $expr: expression as never } }, DEFAULT_LIMITS);
  return printCount(selection, undefined, sqliteDialect).values.filter((value) => /^%.*%$/s.test(String(value)));
}

test.each([
  [{ $eq: [{ $getField: 'inputs.user_id' }, { $literal: 'anna' }] }, ['%user_id":"anna"%']],
  [{ $eq: [{ $getField: 'inputs.list.0' }, { $literal: 'quartz' }] }, ['%quartz"%']],
  [{ $eq: [{ $getField: 'inputs.k' }, { $literal: 'true' }] }, ['%true%']],
  [{ $contains: { input: { $getField: 'output' }, substr: { $literal: 'the "fox" jumps' } } }, ['%jumps%']],
  [
    { $contains: { input: { $getField: 'output' }, substr: { $literal: 'brown foxes' }, case_insensitive: true } },
    ['%brown foxe%'],
  ],
  [
    { $in: [{ $getField: 'inputs.k' }, [{ $literal: 'anna' }, { $literal: 'berta' }]] },
    ['%k":"anna"%', '%k":"berta"%'],
  ],
  [{ $in: [{ $getField: 'inputs.k' }, ['a', 'b', 'c', 'd', 'e'].map((item) => ({ $literal: item }))] }, []],
  [{ $contains: { input: { $getField: 'output' }, substr: { $literal: '-'.repeat(2000) } } }, [`%${'-'.repeat(32)}%`]],
  [
    { $contains: { input: { $getField: 'output' }, substr: { $literal: `e${'😀'.repeat(40)}` } } },
    [`%e${'😀'.repeat(15)}%`],
  ],
  [{ $eq: [{ $getField: 'inputs.k' }, { $literal: 12 }] }, []],
  [{ $not: [{ $eq: [{ $getField: 'inputs.k' }, { $literal: 'anna' }] }] }, []],
  [{ $eq: [{ $getField: 'attributes' }, { $literal: 'anna' }] }, []],
  [{ $eq: [{ $getField: 'attributes.otel_span.name' }, { $literal: 'anna' }] }, []],
  [{ $eq: [{ $getField: 'id' }, { $literal: 'anna' }] }, []],
])('%j looks for %j', (expression, patterns) => {
  expect(patternsOf(expression)).toEqual(patterns);
});
