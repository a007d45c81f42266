import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachCanonicalPiece } from '../../src/protocol/values/canonical-pieces.ts';
import {
  canonicalJson,
  canonicalLength,
  type JsonValue,
  NumberToken,
} from '../../src/protocol/values/canonical-json.ts';

/** Some are longer than the parts that long ones are cut into. */
const texts = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 5000))
  .map(([text, times]) => text.repeat(times));

const values = jsonValues();

function jsonValues(): fc.Arbitrary<JsonValue> {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      texts,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constantFrom(null, new NumberToken('1.0'), '\u0000\u001f\u007f\b\t\n\f\r"\\/', '😀é'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
    ),
  }));
  return value;
}

test('the length is that of the text', () => {
  fc.assert(
    fc.property(values, (json) => {
      expect(canonicalLength(json)).toBe(canonicalJson(json).length);
    }),
    { numRuns: 1000 },
  );
});

function inPieces(value: JsonValue): { readonly text: string; readonly longest: number } {
  const pieces: string[] = [];
  eachCanonicalPiece(value, (piece) => pieces.push(piece));
  return { text: pieces.join(''), longest: Math.max(...pieces.map(({ length }) => length)) };
}

test('the pieces are those of the text', () => {
  fc.assert(
    fc.property(values, (json) => {
      expect(inPieces(json).text).toBe(canonicalJson(json));
    }),
    { numRuns: 1000 },
  );
});

test.each<readonly [string, JsonValue]>([
  ['long text', 'x'.repeat(1_000_000)],
  ['text of pairs', 'x' + '😀'.repeat(100_000)],
  ['list', Array.from({ length: 100_000 }, (_, index) => index)],
  ['object', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, { index }]))],
  [
    'list of levels',
    JSON.parse(
      `[${Array(500)
        .fill('['.repeat(400) + ']'.repeat(400))
        .join(',')}]`,
    ),
  ],
])('a %s is never there as one piece', (_kind, value) => {
  const { text, longest } = inPieces(value);
  expect(text).toBe(canonicalJson(value));
  expect(longest).toBeLessThan(250_000);
});
