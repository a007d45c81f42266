import * as fc from 'fast-check';
import { parse as parseSlowly } from 'lossless-json';
import { expect, test } from 'vitest';
import {
  canonicalJson,
  canonicalNumber,
  type JsonValue,
  NumberToken,
} from '../../src/protocol/values/canonical-json.ts';
import { TracingError } from '../../src/protocol/error.ts';
import { parseJson, stringifyJson } from '../../src/protocol/values/json.ts';

test.each([
  ['{"a":1.0,"b":[1e16,12345678901234567890]}', '{"a":1.0,"b":[1e+16,12345678901234567890]}'],
  ['{ "b" : 1 , "a" : [ ] }', '{"b":1,"a":[]}'],
  ['{"a":1,"a":2}', '{"a":2}'],
  ['{"a":1,"a":2.0}', '{"a":2.0}'],
  ['{"__proto__":{"x":1.0},"constructor":1}', '{"__proto__":{"x":1.0},"constructor":1}'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  [String.raw`["\ud800","\udc00x",{"\ud800":"\ud83d\ude00"}]`, '["\ufffd","\ufffdx",{"\ufffd":"😀"}]'],
  ['"1.0 1e5"', '"1.0 1e5"'],
  ['-0', '0'],
  ['[-0,0,-10,-12345678901234567890]', '[0,0,-10,-12345678901234567890]'],
])('%s is read and written without loss', (text, written) => {
  expect(stringifyJson(parseJson(text))).toBe(written);
});

test.each([
  '',
  '{',
  '{"a":}',
  '[1,]',
  'NaN',
  '[Infinity]',
  '01',
  '[1.]',
  "{'a':1}",
  '{"a":1}{',
  '[1e999]',
  '[-1e999]',
  '\ufeff{}',
])('%j is not JSON', (text) => {
  const parse = () => parseJson(text);
  expect(parse).toThrow(TracingError);
  expect(parse).toThrow(expect.objectContaining({ code: 'invalid_json' }) as Error);
});

test('a number of any length is read at once', () => {
  const digits = '7'.repeat(16_000_000);
  expect(stringifyJson(parseJson(`[${digits}]`)) === `[${digits}]`).toBe(true);
});

/** JSON texts with number tokens of every class. */
const token = fc.oneof(
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.tuple(fc.integer(), fc.nat(99)).map(([whole, fraction]) => `${whole}.${String(fraction).padEnd(4, '0')}`),
  fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -30, max: 30 }))
    .map(([digits, power]) => `${digits}E${power}`),
);
const text = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    token,
    fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
    fc.constantFrom('null', 'true', ' false '),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(',')}}`),
  ),
})).value;

test('what was written is read as the same value, so canonical text is stable', () => {
  fc.assert(
    fc.property(text, (json) => {
      const value = parseJson(json);
      const canonical = canonicalJson(value);
      expect(canonicalJson(parseJson(stringifyJson(value)))).toBe(canonical);
      expect(canonicalJson(parseJson(canonical))).toBe(canonical);
    }),
    { numRuns: 500 },
  );
});

/** Strings that are hard to find the end of, and numbers in them that are none. */
const hardString = fc
  .string({ unit: fc.constantFrom('\\', '"', '1', '.', '0', 'e', '-', '\n', '\ud800', 'é') })
  .map((value) => JSON.stringify(value));

test('a text is read as a parser reads it that looks at each character', () => {
  const item = fc.oneof(token, hardString, fc.constantFrom('-0', '-0.0', '[]', '{"__proto__":1.0}', 'null'));
  const member = fc.tuple(fc.oneof(hardString, fc.constant('"__proto__"')), item);
  const json = fc
    .tuple(fc.array(item), fc.array(member))
    .map(([items, members]) => `[[${items.join(' ,')}],{${members.map(([key, value]) => `${key}: ${value}`).join()}}]`);
  const parseNumber = (digits: string) => {
    const canonical = canonicalNumber(digits) ?? '';
    return JSON.stringify(Number(digits)) === canonical ? Number(digits) : new NumberToken(canonical);
  };
  const onDuplicateKey = ({ newValue }: { newValue: unknown }) => newValue;
  fc.assert(
    fc.property(json, (source) => {
      const slowly = parseSlowly(source, undefined, { parseNumber, onDuplicateKey }) as JsonValue;
      const wanted = canonicalJson(slowly).replaceAll(
        /\\u(?:d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..\\u)d[c-f]..)/g,
        '\\ufffd',
      );
      expect(canonicalJson(parseJson(source))).toBe(wanted);
    }),
    { numRuns: 500 },
  );
});

test.each([15, 16, 17, 999, 1000, 1001, 1016, 1017, 2016, 100_000])(
  'a number of %i digits ends where it ends',
  (digits) => {
    const number = '7'.repeat(digits);
    for (const json of [number, `[${number}]`, `{"a":${number},"b":[1.0,-${number}]}`, `[${number},"${number}"]`])
      expect(stringifyJson(parseJson(json))).toBe(json);
  },
);
