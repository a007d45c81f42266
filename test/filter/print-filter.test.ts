import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthError, limitError } from '../../src/filter/limit-error.ts';
import { parseFilter } from '../../src/filter/parse-filter.ts';
import { printFilter, printValue } from '../../src/filter/print-filter.ts';
import { tokensOf } from '../../src/filter/tokens-of.ts';
import { anyInput, anyText, anyTree } from './any-filter.ts';
import { treeOf, withoutSpans } from './reading.ts';

test('what is printed is read as the same tree', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const text = printFilter(tree);
      fc.pre((lengthError(text) ?? limitError(tokensOf(text))) === undefined);
      expect(withoutSpans(treeOf(text))).toEqual(withoutSpans(tree));
    }),
    { numRuns: 2000 },
  );
});

test('what is printed once is printed the same again', () => {
  fc.assert(
    fc.property(anyInput, (text) => {
      const tree = parseFilter(text);
      fc.pre(!Array.isArray(tree));
      const printed = printFilter(tree);
      expect(printFilter(treeOf(printed))).toBe(printed);
    }),
    { numRuns: 2000 },
  );
});

test('a value for a suggestion is read as that text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const named = { field: 'attr', path: 'tenant' } as const;
      const tree = treeOf(`attr.tenant:${printValue(text, named)}`);
      expect(tree).toMatchObject({ ...named, test: { kind: 'is', values: [{ kind: 'text', text }] } });
    }),
  );
});

test.each([
  ['a AND b', 'a b'],
  ['a or b and c', 'a or b c'],
  ['(a or b) c', '(a or b) c'],
  ['((a))', 'a'],
  ['-(a)', '-a'],
  ['-(a b)', '-(a b)'],
  ['"refund"', 'refund'],
  ['"two words"', '"two words"'],
  ['attr.\\  >', '"attr.\\\\" >'],
  ['attr.n=>*', 'attr.n=>*'],
  ['attr.n==a*', 'attr.n==a*'],
  ['attr.\\)=\\*', 'attr.\\)=\\*'],
  ['status:SUCCESS', 'status:ok'],
  ['op=answer', 'op:answer'],
  ['tokens:>10k', 'tokens>10000'],
  ['cost>=$0.01', 'cost>=0.01'],
  ['latency>2000ms', 'latency>2s'],
  ['latency:90s..5m', 'latency:90s..5m'],
  ['started:24h', 'started:24h'],
  ['started:2w', 'started:14d'],
  ['attr.n:"5"', 'attr.n:"5"'],
  ['attr.n:"five"', 'attr.n:five'],
  ['Op:a', 'op:a'],
  ['"or"', '"or"'],
  ['"std::vector"', 'std::vector'],
])('%s is printed as %s', (text, printed) => {
  expect(printFilter(treeOf(text))).toBe(printed);
});
