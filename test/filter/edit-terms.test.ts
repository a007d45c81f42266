import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutTerm, withTerm } from '../../src/filter/edit-terms.ts';
import { lengthError, limitError } from '../../src/filter/limit-error.ts';
import { parseFilter } from '../../src/filter/parse-filter.ts';
import { printFilter } from '../../src/filter/print-filter.ts';
import { tokensOf } from '../../src/filter/tokens-of.ts';
import { anyTree } from './any-filter.ts';

describe('withTerm', () => {
  test.each([
    ['', 'op:a', 'op:a'],
    ['refund', 'op:a', 'refund op:a'],
    ['a or b', 'op:a', '(a or b) op:a'],
    ['(a or b) c', 'op:a', '(a or b) c op:a'],
    ['op:"a" c', 'op:a', 'op:"a" c'],
    ['op:"a" or c', 'op:a', '(op:"a" or c) op:a'],
    ['stats:1', 'op:a', 'stats:1 op:a'],
  ])('%s with %s is %s', (text, term, expected) => {
    expect(withTerm(text, term)).toBe(expected);
  });
});

describe('withoutTerm', () => {
  test.each([
    ['a op:b,"c d" e', 1, 'a e'],
    ['a', 0, ''],
    ['a', 7, 'a'],
    ['a -op:b', 1, 'a'],
    ['a or b', 0, 'b'],
    ['a or b', 1, 'a'],
    ['a or b or c', 1, 'a or c'],
    ['a and b c', 1, 'a and c'],
    ['a (b or c) d', 2, 'a (b) d'],
    ['a (b)', 1, 'a'],
    ['a -((b)) c', 1, 'a c'],
    ['a or (b)', 1, 'a'],
    ['(a or b) c', 0, '(b) c'],
    ['stats:1 op:a', 0, 'op:a'],
  ])('%s without term %i is %s', (text, index, expected) => {
    expect(withoutTerm(text, index)).toBe(expected);
  });

  test('a filter that is right stays so', () => {
    fc.assert(
      fc.property(anyTree, fc.nat({ max: 8 }), (tree, index) => {
        const text = printFilter(tree);
        fc.pre((lengthError(text) ?? limitError(tokensOf(text))) === undefined);
        expect(Array.isArray(parseFilter(withoutTerm(text, index)))).toBe(false);
        expect(Array.isArray(parseFilter(withTerm(text, 'op:a')))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
