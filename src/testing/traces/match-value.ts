import { isDeepStrictEqual } from 'node:util';

/** `expect.any(…)`, `expect.stringContaining(…)` and the like of vitest and jest. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Is the value the expected one? Of an object only the expected members are looked at, of a list all items. An expression
 * stands for a text that it matches, a function is asked, and matchers of the test runner count.
 */
export function matchesValue(value: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(value);
  if (expected instanceof RegExp) return typeof value === 'string' && value.search(expected) !== -1;
  if (typeof expected === 'function') return Boolean((expected as (value: unknown) => unknown)(value));
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((item, index) => matchesValue(value[index], item))
    );
  }
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(value, expected);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(expected).every(([key, item]) => matchesValue(Reflect.get(value, key), item));
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value;
}
