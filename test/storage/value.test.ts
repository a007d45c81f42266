import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { canonicalJson, type JsonValue } from '../../src/protocol/values/canonical-json.ts';
import { isStructurallyEqual } from '../../src/storage/values/value.ts';

const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, 1, 0, '1', '', 'a'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0', 'constructor', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('values are equal whose canonical texts are', () => {
  fc.assert(
    fc.property(values, values, (left, right) => {
      expect(isStructurallyEqual(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
      expect(isStructurallyEqual(left, structuredClone(left))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('a large value is not listed anew for every small one that it is compared with', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  const large: JsonValue[] = [numbers, Object.fromEntries(numbers.map((index) => [`k${index}`, index]))];
  const listed = [vi.spyOn(Object, 'entries'), vi.spyOn(Object, 'keys')];
  for (const value of large) {
    for (const small of [[], {}, [0], { k0: 0 }]) {
      for (let times = 0; times < 50; times++) expect(isStructurallyEqual(value, small)).toBe(false);
    }
  }
  const calls = listed.flatMap((spy) => spy.mock.calls.filter(([value]) => large.includes(value as JsonValue)));
  for (const spy of listed) spy.mockRestore();
  expect(calls.length).toBeLessThanOrEqual(1);
});
