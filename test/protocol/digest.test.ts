import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalFloat, canonicalJson, compareCodePoints } from '../../src/protocol/values/canonical-json.ts';
import { digestBytes, digestJson, digestTable } from '../../src/protocol/values/digest.ts';
import { parseJson } from '../../src/protocol/values/json.ts';

const HELLO = 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc';
const ROWS_REF = 'svc:///acme/demo/table/23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';

/** Every vector of the protocol: JSON text, canonical text, digest. */
test.each([
  ['{"i":1}', '{"i": 1}', 'X9JzV19XGsTuoYkllRKAipPm3SFXfSO3ce8QJUxep1k'],
  ['{}', '{}', 'RBNvo1WzZ4oRRq0W9XhknpT7T8If536DEMBg9hyqY4o'],
  ['[]', '[]', 'T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU'],
  ['null', 'null', 'dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs'],
  ['"hello"', '"hello"', 'WqdirjgYu3J688ejbUlApbjECpiUUtIwT8lYYz81Tno'],
  ['{"x":1.0,"y":1e16,"z":1e-7}', '{"x": 1.0, "y": 1e+16, "z": 1e-07}', '7fYFbAa3J1syzgd0vC04F8evRvKMabSTFrRBMFaETbM'],
  [
    '{"name":"m","temp":1.0,"n":1}',
    '{"n": 1, "name": "m", "temp": 1.0}',
    'm30XXr15rUTKeLrEzGyioxQ7KYAJWvVTcmFZVmhbO9w',
  ],
  ['{"name":"m","temp":1,"n":1}', '{"n": 1, "name": "m", "temp": 1}', 'AkLm8KlYMUMzLjhjoxOdiaSTQOd3eDkCAYmV4P9eatA'],
  [
    '{"\u{1f600}":2,"\uff5e":1}',
    String.raw`{"\uff5e": 1, "\ud83d\ude00": 2}`,
    'PAwVdjziBEUZ4QpRQngE620jjbYJb7s4pIWdODrZeIU',
  ],
  [
    '{"b": 2, "a": [1, 2.5, null, true], "é": "ü\\n"}',
    String.raw`{"a": [1, 2.5, null, true], "b": 2, "\u00e9": "\u00fc\n"}`,
    '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM',
  ],
  [
    `{"_type":"CustomType","svc_type":{"type":"Op"},"files":{"obj.ts":"${HELLO}"},"load_op":"NO_LOAD_OP"}`,
    `{"_type": "CustomType", "files": {"obj.ts": "${HELLO}"}, "load_op": "NO_LOAD_OP", "svc_type": {"type": "Op"}}`,
    'ynqx9MZlTmnyIOkyXrjM07r5zcYPz2qVFXAw2FCFJK0',
  ],
  [
    `{"_type":"Dataset","_class_name":"Dataset","_bases":["Object","BaseModel"],"name":"qa","description":null,"rows":"${ROWS_REF}"}`,
    `{"_bases": ["Object", "BaseModel"], "_class_name": "Dataset", "_type": "Dataset", "description": null, "name": "qa", "rows": "${ROWS_REF}"}`,
    'Yf6X4oOvkQnBonXzGuThiA5boyJYXQcsKemNaYX2XOQ',
  ],
])('%s has its canonical text and digest', (text, canonical, digest) => {
  const value = parseJson(text);
  expect(canonicalJson(value)).toBe(canonical);
  expect(digestJson(value)).toBe(digest);
});

test('files and tables have the digests of the protocol', () => {
  expect(digestBytes('hello world\n')).toBe(HELLO);
  expect(digestBytes(new Uint8Array())).toBe('47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU');
  const rows = ['{"q":"a","n":1}', '{"n":2,"q":"b"}'].map((row) => digestJson(parseJson(row)));
  expect(rows).toEqual(['DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU', '1G0Wv1X1l3ziu9usQN0vzUVHfHO648mTZ0rEZcZVccM']);
  expect(digestTable(rows)).toBe('23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3');
  expect(digestTable([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test.each([
  ['1', '1'],
  ['-0', '0'],
  ['1.0', '1.0'],
  ['-0.0', '-0.0'],
  ['1.50', '1.5'],
  ['1e16', '1e+16'],
  ['1E2', '100.0'],
  ['123456789012345680.0', '1.2345678901234568e+17'],
  ['9999999999999998.0', '9999999999999998.0'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['1.25e-7', '1.25e-07'],
  ['5e-324', '5e-324'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ['12345678901234567890123', '12345678901234567890123'],
])('the number %s is written %s', (token, canonical) => {
  expect(canonicalJson(parseJson(token))).toBe(canonical);
  expect(canonicalJson(parseJson(`[${token}]`))).toBe(`[${canonical}]`);
});

test('text is written in ASCII, with the short escapes and lower-case digits', () => {
  expect(canonicalJson('\b\f\n\r\t"\\/\u0001\u007f\u00e9\u2028\u{1f600}')).toBe(
    String.raw`"\b\f\n\r\t\"\\/\u0001\u007f\u00e9\u2028\ud83d\ude00"`,
  );
});

test('a float is written so that it reads back as the same float', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Object.is(Number(canonicalFloat(value)), value)).toBe(true);
      expect(canonicalFloat(value)).toMatch(/^-?\d(?:\d*\.\d+|(?:\.\d+)?e[+-]\d{2,})$/);
    }),
  );
});

test('members are ordered by code point', () => {
  const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(byCodePoint(a, b));
    }),
  );
});
