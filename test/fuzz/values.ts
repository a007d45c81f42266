import * as fc from 'fast-check';
import { RawToken } from './json-text.ts';
import type { Names } from './world.ts';

/** Texts that have broken programs: NUL, lone surrogates, astral characters, markup, SQL, format strings, paths. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u{1f600}',
    '\uffff',
    '\ufeffx',
    '\u202e',
    '\u2028\u2029',
    'İıſK',
    '%s%n%00',
    "'); DROP TABLE calls;--",
    '"\\',
    '../../etc/passwd',
    '<script>',
    '${x}',
    '$.a[0]',
    '*',
    ':*',
    'null',
    'true',
    'NaN',
    '1e999',
    '0x10',
    '1',
    '-0',
    '9223372036854775808',
    'constructor',
    '__proto__',
    'toString',
    'latest',
    'v0',
    'v99999999999999999999',
    'svc:///',
    'svc:///a/b/object/o:x/key',
    'svc-internal:///x',
    'weave:///beta/one/object/o0:latest',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.integer({ min: 100, max: 300_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 100, max: 3000 }).map((length) => '\u{1f600}é\0'.repeat(length)),
);

export const oddKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    '',
    '\0',
    '\ud800',
    '0',
  ),
  fc.constantFrom(
    '$expr',
    '$literal',
    '_type',
    'svc_type',
    '_bases',
    '_class_name',
    'svc',
    '_svc',
    'files',
    'weave_type',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

const token = (...texts: string[]) => fc.constantFrom(...texts).map((text) => new RawToken(text));

export const oddNumber: fc.Arbitrary<unknown> = fc.oneof(
  token(
    '-0',
    '-0.0',
    '1.0',
    '5.0',
    '1e2',
    '1e16',
    '1e308',
    '1e-400',
    '-1',
    '12345678901234567890123',
    '9007199254740993',
  ),
  fc.constantFrom(2_000_000).map((length) => new RawToken('7'.repeat(length))),
  token('NaN', 'Infinity', '-Infinity', '1e999', '01', '.5', '+1', '0x1', '1_000'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** A value of another type, size or shape than anybody wants. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { $literal: 1 }, { $getField: 'id' }),
  oddText,
  oddNumber,
  fc.tuple(fc.constantFrom(1, 20, 60, 520, 3000), fc.boolean()).map(([levels, isList]) => nest('x', levels, isList)),
  fc.tuple(fc.integer({ min: 1, max: 12_000 }), fc.constantFrom<unknown>(0, 'c0', null, {})).map(([length, item]) => {
    return new RawToken(`[${Array.from({ length }, () => JSON.stringify(item)).join()}]`);
  }),
  fc.integer({ min: 1, max: 3000 }).map((length) => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]))),
);

/** A value below so many levels of lists or objects, as text: nothing here may recurse that deep. */
export function nest(value: unknown, levels: number, isList: boolean): RawToken {
  const [open, close] = isList ? ['[', ']'] : ['{"a":', '}'];
  return new RawToken(open.repeat(levels) + JSON.stringify(value) + close.repeat(levels));
}

/** Any JSON, with the references and shapes that the service looks for inside of it. */
export function jsonValue(names: Names): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, 0, 1, 2.5, 'x', '5', 'true', ''),
      fc.constantFrom(...names.refs),
      fc.string({ unit: 'binary', maxLength: 6 }),
      token('1.0', '-0.0', '1e16', '12345678901234567890'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(
          fc.tuple(
            fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: oddKey }),
            tie('value'),
          ),
          {
            maxLength: 3,
          },
        )
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));
  return value;
}

const KEYS = ['a', 'b', 'n', 'model', 'note', 'emoji', 'value', 'output', 'usage', 'status_counts', 'a.b', '0'];

export function jsonObject(names: Names): fc.Arbitrary<object> {
  return fc
    .array(fc.tuple(fc.constantFrom(...KEYS), jsonValue(names)), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
}
