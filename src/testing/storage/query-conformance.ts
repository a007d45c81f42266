import { strict as assert } from 'node:assert';
import type { Expression } from '../../protocol/query.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { countCalls, endFact, NEW_YEAR, readIds, SECOND, startFact } from './facts.ts';

const field = (path: string): Expression => ({ $getField: path });
const literal = (value: unknown): Expression => ({ $literal: value });
const convert = (path: string, to: 'int' | 'double' | 'string' | 'bool' | 'exists'): Expression => {
  return { $convert: { input: field(path), to } };
};
const contains = (path: string, substr: string, isFolded = false): Expression => {
  return { $contains: { input: field(path), substr: literal(substr), case_insensitive: isFolded } };
};

const P = convert('inputs.v.prim', 'int');

/** Appendix D of the protocol: how many of its thirteen calls each expression keeps. */
const TRUTH_TABLE: readonly (readonly [string, Expression, number])[] = [
  ['1 = 1', { $eq: [literal(1), literal(1)] }, 13],
  ['1 = 2', { $eq: [literal(1), literal(2)] }, 0],
  ['P = 5', { $eq: [P, literal(5)] }, 1],
  ['P > 5', { $gt: [P, literal(5)] }, 4],
  ['P >= 5', { $gte: [P, literal(5)] }, 5],
  ['not (P > 5)', { $not: [{ $gt: [P, literal(5)] }] }, 6],
  ['not (P >= 5)', { $not: [{ $gte: [P, literal(5)] }] }, 5],
  ['inputs.v = "simple_primitive"', { $eq: [field('inputs.v'), literal('simple_primitive')] }, 1],
  ['output = "simple_primitive"', { $eq: [field('output'), literal('simple_primitive')] }, 1],
  ['inputs.v.prim = 5 without convert', { $eq: [field('inputs.v.prim'), literal(5)] }, 1],
  ['convert(prim, string) = "5"', { $eq: [convert('inputs.v.prim', 'string'), literal('5')] }, 1],
  ['convert(str, int) = 5', { $eq: [convert('inputs.v.str', 'int'), literal(5)] }, 0],
  ['contains(str, "")', contains('inputs.v.str', ''), 11],
  ['contains(str, "str")', contains('inputs.v.str', 'str'), 10],
  ['contains(str, "STR")', contains('inputs.v.str', 'STR'), 0],
  ['contains(str, "STR") without case', contains('inputs.v.str', 'STR', true), 10],
  ['not (P > 7) and P >= 5', { $and: [{ $not: [{ $gt: [P, literal(7)] }] }, { $gte: [P, literal(5)] }] }, 3],
  ['not (P > 3) or P >= 9', { $or: [{ $not: [{ $gt: [P, literal(3)] }] }, { $gte: [P, literal(9)] }] }, 5],
  ['convert(list.0, int) > 5', { $gt: [convert('inputs.v.list.0', 'int'), literal(5)] }, 4],
  ['convert(dict.inner, int) > 5', { $gt: [convert('inputs.v.dict.inner', 'int'), literal(5)] }, 4],
  ['convert(output.list.0, int) > 5', { $gt: [convert('output.list.0', 'int'), literal(5)] }, 4],
  ['convert(prim, exists)', convert('inputs.v.prim', 'exists'), 11],
  ['inputs.v.nope = null', { $eq: [field('inputs.v.nope'), literal(null)] }, 13],
];

type Sample = readonly [name: string, expression: Expression, ids: string];

/** Expressions over the calls of `writeSamples`, with the ids they keep. */
const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  'JSON values and literals': [
    ['number = number', { $eq: [field('inputs.n'), literal(1)] }, 'abc'],
    ['a number and a string that is one', { $gt: [field('inputs.n'), literal(0.5)] }, 'abc'],
    ['true = true, "true" and 1', { $eq: [field('inputs.b'), literal(true)] }, 'abc'],
    ['a boolean is no number', { $gte: [field('inputs.b'), literal(0)] }, 'c'],
    ['text of a number keeps its class', { $eq: [field('inputs.n'), literal('1.0')] }, 'b'],
    ['text of a list is compact JSON', { $eq: [field('inputs.l'), literal('[1,"x"]')] }, 'a'],
    ['a list equals a list by structure', { $eq: [field('inputs.l'), literal([1, 'x'])] }, 'ab'],
    ['an object equals an object in any order', { $eq: [field('inputs.o'), literal({ y: 2, x: 1 })] }, 'ab'],
    ['what is no object is not equal to one', { $not: [{ $eq: [field('inputs.o'), literal({ x: 1 })] }] }, 'abc'],
  ],
  'lists and NULL': [
    [
      'in with numbers, texts and null',
      { $in: [field('inputs.n'), [literal(1), literal('zz'), literal(null)]] },
      'abc',
    ],
    ['in of an empty list', { $in: [field('inputs.n'), []] }, ''],
    ['not in, NULL drops out', { $not: [{ $in: [field('inputs.n'), [literal(7)]] }] }, 'abc'],
    ['in with a field', { $in: [field('op_name'), [field('display_name'), literal('h')]] }, 'c'],
    ['not in, a field that is NULL is skipped', { $not: [{ $in: [literal(1), [field('inputs.none')]] }] }, 'abcd'],
    [
      'not in, a conversion that is NULL is skipped',
      { $not: [{ $in: [field('id'), [{ $convert: { input: field('inputs.none'), to: 'int' } }]] }] },
      'abcd',
    ],
    ['not in, NULL in nothing but NULL', { $not: [{ $in: [field('inputs.none'), [field('id')]] }] }, ''],
    ['null or missing', { $eq: [field('inputs.maybe'), literal(null)] }, 'bcd'],
    ['present', { $not: [{ $eq: [field('inputs.maybe'), literal(null)] }] }, 'a'],
    ['order with null', { $gt: [field('inputs.n'), literal(null)] }, ''],
  ],
  'times and computed fields': [
    ['time after a number of seconds', { $gt: [field('started_at'), literal(NEW_YEAR / SECOND + 0.5)] }, 'bcd'],
    ['time at a text', { $eq: [field('started_at'), literal('2026-01-01T00:00:01Z')] }, 'b'],
    ['time from a date on', { $gte: [field('started_at'), literal('2026-01-01')] }, 'abcd'],
    [
      'time as text',
      { $eq: [{ $convert: { input: field('started_at'), to: 'string' } }, literal('2026-01-01T00:00:02Z')] },
      'c',
    ],
    ['time against time', { $gt: [field('ended_at'), field('started_at')] }, 'ab'],
    ['a running call has no end', { $eq: [field('ended_at'), literal(null)] }, 'd'],
    ['latency', { $gte: [field('summary.svc.latency_ms'), literal(1000)] }, 'a'],
    ['latency as text literal', { $eq: [field('summary.svc.latency_ms'), literal('0')] }, 'c'],
    ['status error', { $eq: [field('summary.svc.status'), literal('error')] }, 'b'],
    ['status running', { $eq: [field('summary.svc.status'), literal('running')] }, 'd'],
    ['status descendant_error', { $eq: [field('summary.svc.status'), literal('descendant_error')] }, 'c'],
    ['status success', { $eq: [field('summary.svc.status'), literal('success')] }, 'a'],
    ['trace name from the op', { $eq: [field('summary.svc.trace_name'), literal('predict')] }, 'a'],
    ['trace name from the display name', { $eq: [field('summary.svc.trace_name'), literal('h')] }, 'c'],
    ['a step', { $lte: [field('svc_run_step'), literal('3')] }, 'a'],
  ],
  paths: [
    ['a summary path', { $eq: [field('summary.usage.m.total_tokens'), literal(14)] }, 'a'],
    ['an escaped dot', { $eq: [field('inputs.a\\.b'), literal('dot')] }, 'a'],
    ['digits name members of objects', { $eq: [field('inputs.o2.0'), literal('zero')] }, 'a'],
    ['padded digits are no index', { $eq: [field('inputs.l.00'), literal(null)] }, 'abcd'],
    ['an empty key', { $eq: [field('inputs.'), literal('empty')] }, 'a'],
    ['a key with a quote', { $eq: [field('inputs.q"q'), literal('quote')] }, 'a'],
    ['four indexes', { $eq: [field('inputs.deep.0.1.0.0'), literal('x')] }, 'a'],
  ],
  'texts and exact numbers': [
    ['NUL in a text', { $eq: [field('inputs.nul'), literal('a\0b')] }, 'a'],
    ['NUL does not end a text', { $contains: { input: field('inputs.nul'), substr: literal('b') } }, 'a'],
    ['code point order', { $gt: [field('inputs.astral'), literal('\uff5e')] }, 'a'],
    ['folded contains beyond ASCII', contains('inputs.fold', 'STRASSE ÉΣ', true), 'a'],
    ['special characters of patterns', contains('inputs.fold', '(.*)', true), 'a'],
    ['a token', { $containsToken: { input: field('inputs.fold'), substr: literal('strasse') } }, 'a'],
    ['part of a token', { $containsToken: { input: field('inputs.fold'), substr: literal('stras') } }, ''],
    [
      'a token without case',
      { $containsToken: { input: field('inputs.fold'), substr: literal('ÉΣ'), case_insensitive: true } },
      'a',
    ],
    ['an integer of 64 bits is exact', { $eq: [field('inputs.big'), literal(9007199254740992)] }, 'b'],
  ],
  'operands that are no literals': [
    ['field against field by number', { $eq: [field('inputs.n'), field('inputs.m')] }, 'ab'],
    ['field against field by text', { $eq: [field('inputs.b'), field('inputs.bt')] }, 'a'],
    ['a condition as an operand', { $eq: [{ $gt: [field('inputs.n'), literal(0)] }, literal(true)] }, 'abc'],
    ['a field as a condition', field('inputs.b'), 'ac'],
    ['a negated field as a condition', { $not: [field('inputs.zero')] }, 'ab'],
    ['convert to bool', { $eq: [convert('inputs.yes', 'bool'), literal(true)] }, 'ab'],
    ['convert cuts toward zero', { $eq: [convert('inputs.frac', 'int'), literal(-1)] }, 'a'],
    [
      'text of a converted double',
      { $eq: [{ $convert: { input: convert('inputs.n', 'double'), to: 'string' } }, literal('1.0')] },
      'abc',
    ],
    ['time to seconds', { $eq: [convert('started_at', 'int'), literal(NEW_YEAR / SECOND + 3)] }, 'd'],
  ],
  columns: [
    ['an op name', { $eq: [field('op_name'), literal('h')] }, 'c'],
    ['not an op name', { $not: [{ $eq: [field('op_name'), literal('unknown')] }] }, 'abcd'],
    ['op names in a list', { $in: [field('op_name'), [literal('h'), literal('f')]] }, 'bcd'],
    ['a project', { $eq: [field('project_id'), literal('acme/demo')] }, 'abcd'],
    ['deleted_at of visible calls', { $eq: [field('deleted_at'), literal(null)] }, 'abcd'],
    ['the whole inputs', { $contains: { input: field('inputs'), substr: literal('"b":"true"') } }, 'b'],
  ],
};

export function queryConformance({ contract }: Contracts): void {
  contract('the truth table of the protocol holds, row by row', async (storage) => {
    await writeTruthTable(storage);
    const kept: [string, number, number][] = [];
    for (const [name, expression] of TRUTH_TABLE) {
      const query = { $expr: expression };
      kept.push([name, (await readIds(storage, { query })).length, await countCalls(storage, { query })]);
    }
    assert.deepEqual(
      kept,
      TRUTH_TABLE.map(([name, , count]) => [name, count, count]),
    );
  });

  for (const [topic, samples] of Object.entries(SAMPLES)) {
    contract(`queries about ${topic} keep what is true`, async (storage) => {
      await writeSamples(storage);
      const kept: [string, string][] = [];
      for (const [name, expression] of samples) {
        kept.push([name, (await readIds(storage, { query: { $expr: expression } })).join('')]);
      }
      assert.deepEqual(
        kept,
        samples.map(([name, , ids]) => [name, ids]),
      );
    });
  }

  contract('an expression of thousands of parts is evaluated', async (storage) => {
    await writeSamples(storage);
    const parts = Array.from({ length: 1600 }, (_, index): Expression => ({
      $eq: [field('inputs.n'), literal(-index)],
    }));
    const any: Expression = { $or: [...parts, { $eq: [field('id'), literal('d')] }] };
    assert.deepEqual(await readIds(storage, { query: { $expr: any } }), ['d']);
  });

  contract('an expression of fifty levels is evaluated', async (storage) => {
    await writeSamples(storage);
    let nested: Expression = { $eq: [field('inputs.n'), literal(1)] };
    for (let level = 0; level < 46; level++) nested = { $eq: [nested, field('inputs.b')] };
    assert.equal((await readIds(storage, { query: { $expr: nested } })).length < 4, true);
  });

  contract('a list of ten thousand values is a list', async (storage) => {
    await writeSamples(storage);
    const numbers = Array.from({ length: 9998 }, (_, index) => literal(index + 10.5));
    const list = [...numbers, literal(1), literal('none')];
    assert.deepEqual(await readIds(storage, { query: { $expr: { $in: [field('inputs.n'), list] } } }), ['a', 'b', 'c']);
  });
}

async function writeTruthTable(storage: Storage): Promise<void> {
  const values: unknown[] = Array.from({ length: 10 }, (_, i) => {
    return { prim: i, list: [i], dict: { inner: i }, str: `str_${i}` };
  });
  values.push({ prim: 'Different Type', list: 'Different Type', dict: 'Different Type', str: false });
  values.push('simple_primitive', 42);
  await storage.calls.write(
    values.flatMap((v, index) => [
      startFact(`c${index}`, { inputs: JSON.stringify({ v }) }),
      endFact(`c${index}`, { output: JSON.stringify(v) }),
    ]),
  );
}

async function writeSamples(storage: Storage): Promise<void> {
  const inputs = {
    a: `{"n":1,"m":1.0,"b":true,"bt":"true","l":[1,"x"],"o":{"x":1,"y":2},"maybe":0,"a.b":"dot","o2":{"0":"zero"},"":"empty","q\\"q":"quote","deep":[[0,[["x"]]]],"nul":"a\\u0000b","astral":"😀","fold":"strasse éς (.*)","big":9007199254740993,"zero":0,"yes":"TRUE","frac":-1.75}`,
    b: '{"n":1.0,"m":1,"b":"true","l":[1.0,"x"],"o":{"y":2.0,"x":1},"maybe":null,"astral":"\uff5e","big":9007199254740992,"zero":false,"yes":2}',
    c: '{"n":"1","m":2,"b":1,"l":{},"o":"{}"}',
    d: '{}',
  };
  const start = (id: keyof typeof inputs, second: number) => {
    return startFact(id, { inputs: inputs[id], started_at: NEW_YEAR + second * SECOND });
  };
  await storage.calls.write([
    { ...start('a', 0), op_name: 'svc:///acme/demo/op/predict:v1', svc_run_step: 3 },
    endFact('a', { ended_at: NEW_YEAR + 1_000_999, summary: '{"usage":{"m":{"total_tokens":14}}}' }),
    start('b', 1),
    endFact('b', { ended_at: NEW_YEAR + SECOND + 1000, exception: 'no', summary: '{"status_counts":{"error":1}}' }),
    { ...start('c', 2), op_name: 'h', display_name: 'h' },
    endFact('c', { ended_at: NEW_YEAR, summary: '{"status_counts":{"error":2.0}}' }),
    start('d', 3),
  ]);
}
