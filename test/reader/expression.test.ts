import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/protocol/values/canonical-json.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { allOf, anyOf, feedback, field, literal, type Operand } from '../../src/reader/expression.ts';
import { parseField } from '../../src/server/query/plan/field-path.ts';
import { parseExpression } from '../../src/server/query/plan/parse-expression.ts';
import { evaluate } from '../../src/storage/values/evaluate.ts';
import type { RecordValues } from '../../src/storage/values/record-values.ts';

/** What is sent for an operand. */
const sent = (operand: Operand): unknown => JSON.parse(JSON.stringify(operand));

describe('what is printed', () => {
  test.each<[string, Operand, unknown]>([
    ['eq', field('id').eq('c1'), { $eq: [{ $getField: 'id' }, { $literal: 'c1' }] }],
    ['gt', field('id').gt(1), { $gt: [{ $getField: 'id' }, { $literal: 1 }] }],
    ['gte', field('id').gte(true), { $gte: [{ $getField: 'id' }, { $literal: true }] }],
    ['lt', field('id').lt(1.5), { $lt: [{ $getField: 'id' }, { $literal: 1.5 }] }],
    ['lte', field('id').lte(field('op_name')), { $lte: [{ $getField: 'id' }, { $getField: 'op_name' }] }],
    ['in', field('id').in(['a', field('b')]), { $in: [{ $getField: 'id' }, [{ $literal: 'a' }, { $getField: 'b' }]] }],
    ['contains', field('id').contains('x'), { $contains: { input: { $getField: 'id' }, substr: { $literal: 'x' } } }],
    [
      'containsToken',
      field('id').containsToken('x', { ignoreCase: true }),
      { $containsToken: { input: { $getField: 'id' }, substr: { $literal: 'x' }, case_insensitive: true } },
    ],
    ['isNull', field('id').isNull(), { $eq: [{ $getField: 'id' }, { $literal: null }] }],
    ['exists', field('id').exists(), { $convert: { input: { $getField: 'id' }, to: 'exists' } }],
    ['to', field('id').to('double'), { $convert: { input: { $getField: 'id' }, to: 'double' } }],
    ['not', field('id').not(), { $not: [{ $getField: 'id' }] }],
    ['a time', field('a').gt(new Date(0)), { $gt: [{ $getField: 'a' }, { $literal: '1970-01-01T00:00:00.000Z' }] }],
    ['literal', literal({ $getField: 'x' }), { $literal: { $getField: 'x' } }],
  ])('%s', (_name, operand, expected) => {
    expect(sent(operand)).toEqual({ $expr: expected });
  });

  test('chains of one kind are one list, others are nested', () => {
    const [a, b, c, d] = [field('a'), field('b'), field('c'), field('d')];
    expect(sent(a.and(b).and(c, d))).toEqual({
      $expr: { $and: ['a', 'b', 'c', 'd'].map((path) => ({ $getField: path })) },
    });
    expect(sent(a.or(b).and(c))).toEqual({
      $expr: { $and: [{ $or: [{ $getField: 'a' }, { $getField: 'b' }] }, { $getField: 'c' }] },
    });
  });

  test.each<[Operand, string]>([
    [field('inputs', 'a.b', 0, 'c'), 'inputs.a\\.b.0.c'],
    [field('inputs.x', '..'), 'inputs.x.\\.\\.'],
    [field('inputs', 'ends with\\'), 'inputs.ends with\\'],
    [feedback('svc.note.1').payload('note'), 'feedback.[svc.note.1].payload.note'],
    [feedback('*').payload('a.b', 'c'), 'feedback.[*].payload.a\\.b.c'],
    [feedback('*').runnableRef, 'feedback.[*].runnable_ref'],
    [feedback('x').triggerRef, 'feedback.[x].trigger_ref'],
  ])('path %#', (operand, path) => {
    expect(operand.$expr).toEqual({ $getField: path });
    expect(() => parseField(path)).not.toThrow();
  });

  test('what has no form in a query is refused', () => {
    expect(() => field('inputs', 'a\\', 'b')).toThrow(RangeError);
    expect(() => field('id').eq(Number.NaN)).toThrow(TypeError);
    expect(() => field('id').in([Infinity])).toThrow(TypeError);
    expect(() => field('id').eq(undefined as unknown as null)).toThrow(TypeError);
    expect(() => field('id').eq(new Date(Number.NaN))).toThrow(RangeError);
    expect(() => allOf([])).toThrow(RangeError);
    expect(() => anyOf([])).toThrow(RangeError);
  });
});

type Truth = boolean | null;

interface Sample {
  readonly name: string | null;
  readonly inputs: Readonly<Record<string, JsonValue>>;
}

/** An expression, and what it says of a record by the rules of JavaScript and of three-valued logic. */
interface Meaning {
  readonly operand: Operand;
  readonly of: (sample: Sample) => Truth;
}

const KEYS = ['n', 'a.b', '.', 'x\\.y', '$literal', '__proto__', 'ü', 'last\\', ''];
const numbers = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const texts = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '1', ' ', '-'), maxLength: 4 });
const objects = fc.constantFrom({ $getField: 'id' }, { $literal: 1 }, { $and: [] }, [{ $eq: 'x' }], {});

const samples: fc.Arbitrary<Sample> = fc.record({
  name: fc.option(texts),
  inputs: fc.record({
    ...Object.fromEntries(KEYS.map((key) => [key, fc.option(numbers)])),
    object: objects,
    list: fc.array(numbers, { maxLength: 3 }),
  }),
});

const both = <T>(left: T | null | undefined, right: T, holds: (left: T, right: T) => boolean): Truth =>
  left === null || left === undefined ? null : holds(left, right);

const COMPARISONS = {
  eq: (a: number | string, b: number | string) => a === b,
  gt: (a: number | string, b: number | string) => a > b,
  gte: (a: number | string, b: number | string) => a >= b,
  lt: (a: number | string, b: number | string) => a < b,
  lte: (a: number | string, b: number | string) => a <= b,
};
const comparisons = fc.constantFrom(...(Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[]));
const keys = fc.constantFrom(...KEYS);
const numberIn = ({ inputs }: Sample, key: string) => inputs[key] as number | null | undefined;
const tokensOf = (text: string) => text.split(/[^a-zA-Z0-9]+/);

const conditions: fc.Arbitrary<Meaning> = fc.oneof(
  fc.tuple(keys, comparisons, numbers).map(([key, name, right]): Meaning => {
    const operand = field('inputs', key)[name](right);
    return { operand, of: (sample) => both(numberIn(sample, key), right, COMPARISONS[name]) };
  }),
  fc.tuple(comparisons, texts).map(([name, right]): Meaning => {
    return { operand: field('display_name')[name](right), of: (sample) => both(sample.name, right, COMPARISONS[name]) };
  }),
  fc.tuple(keys, fc.integer({ min: -9, max: 9 })).map(([key, right]): Meaning => {
    const truncated = (left: number) => Math.trunc(left) > right;
    return {
      operand: field('inputs', key).to('int').gt(right),
      of: (sample) => both(numberIn(sample, key), right, truncated),
    };
  }),
  fc.tuple(fc.nat(3), comparisons, numbers).map(([index, name, right]): Meaning => {
    const operand = field('inputs.list', index)[name](right);
    return { operand, of: ({ inputs }) => both((inputs['list'] as number[])[index], right, COMPARISONS[name]) };
  }),
  objects.map((value): Meaning => {
    const same = ({ inputs }: Sample) => JSON.stringify(inputs['object']) === JSON.stringify(value);
    return { operand: field('inputs.object').eq(value), of: same };
  }),
  fc.tuple(keys, fc.array(numbers, { maxLength: 3 })).map(([key, items]): Meaning => {
    const isOne = (left: number) => items.some((item) => item === left);
    return {
      operand: field('inputs', key).in(items),
      of: (sample) => (items.length === 0 ? false : both(numberIn(sample, key), 0, isOne)),
    };
  }),
  fc.tuple(texts, fc.boolean()).map(([text, ignoreCase]): Meaning => {
    const fold = (value: string) => (ignoreCase ? value.toLowerCase() : value);
    return {
      operand: field('display_name').contains(text, { ignoreCase }),
      of: ({ name }) => both(name, text, (left, right) => fold(left).includes(fold(right))),
    };
  }),
  fc.tuple(fc.constantFrom('a', 'A', 'ab', '1', 'b1'), fc.boolean()).map(([word, ignoreCase]): Meaning => {
    const fold = (value: string) => (ignoreCase ? value.toLowerCase() : value);
    return {
      operand: field('display_name').containsToken(word, { ignoreCase }),
      of: ({ name }) => both(name, word, (left, right) => tokensOf(fold(left)).includes(fold(right))),
    };
  }),
  keys.map((key): Meaning => ({
    operand: field('inputs', key).exists(),
    of: (sample) => typeof numberIn(sample, key) === 'number',
  })),
  fc.constant<Meaning>({ operand: field('display_name').isNull(), of: ({ name }) => name === null }),
  fc.boolean().map((value): Meaning => ({ operand: literal(value), of: () => value })),
);

const meanings = fc.letrec<{ any: Meaning }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    conditions,
    tie('any').map(({ operand, of }): Meaning => {
      return { operand: operand.not(), of: (sample) => negated(of(sample)) };
    }),
    fc
      .tuple(tie('any'), fc.array(tie('any'), { maxLength: 2 }), fc.boolean())
      .map(([first, others, isAnd]): Meaning => {
        const rest = others.map(({ operand }) => operand);
        const truths = (sample: Sample) => [first, ...others].map(({ of }) => of(sample));
        return isAnd
          ? { operand: first.operand.and(...rest), of: (sample) => negated(some(truths(sample).map(negated))) }
          : { operand: first.operand.or(...rest), of: (sample) => some(truths(sample)) };
      }),
  ),
})).any;

const negated = (truth: Truth): Truth => (truth === null ? null : !truth);

function some(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

function recordOf({ name, inputs }: Sample): RecordValues {
  return {
    text: (column) => (column === 'display_name' ? name : null),
    time: () => null,
    integer: () => null,
    json: (column) => (column === 'inputs' ? inputs : null),
  };
}

test('the service takes every expression that can be built, and understands what it says', () => {
  fc.assert(
    fc.property(meanings, fc.array(samples, { minLength: 1, maxLength: 5 }), ({ operand, of }, records) => {
      const { $expr } = sent(operand) as { $expr: unknown };
      const condition = parseExpression($expr, parseField, DEFAULT_LIMITS);
      for (const sample of records) expect(evaluate(condition, recordOf(sample))).toBe(of(sample));
    }),
    { numRuns: 2000 },
  );
});
