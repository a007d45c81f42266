import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canonicalJson,
  canonicalLength,
  type JsonValue,
  NumberToken,
} from '../../src/protocol/values/canonical-json.ts';

test('the length is that of the text', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 });
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
  fc.assert(
    fc.property(value, (json) => {
      expect(canonicalLength(json)).toBe(canonicalJson(json).length);
    }),
    { numRuns: 1000 },
  );
});
