import { expect, test } from 'vitest';
import { tokensOf } from '../../src/filter/tokens-of.ts';

function kindsOf(text: string) {
  return tokensOf(text).map(({ kind, text: own, term }) => [kind, own, ...(term === undefined ? [] : [term])]);
}

test('tokens have kinds and the number of their term', () => {
  expect(kindsOf('refund (op:a*,"b c" or -tokens>=10) and latency:1s..2s')).toEqual([
    ['words', 'refund', 0],
    ['open', '('],
    ['field', 'op', 1],
    ['operator', ':', 1],
    ['value', 'a*', 1],
    ['comma', ',', 1],
    ['value', 'b c', 1],
    ['or', 'or'],
    ['not', '-', 2],
    ['field', 'tokens', 2],
    ['operator', '>=', 2],
    ['value', '10', 2],
    ['close', ')'],
    ['and', 'and'],
    ['field', 'latency', 3],
    ['operator', ':', 3],
    ['value', '1s', 3],
    ['range', '..', 3],
    ['value', '2s', 3],
  ]);
});

test('the dash before a group is of no term', () => {
  expect(kindsOf('-(a)')).toEqual([
    ['not', '-'],
    ['open', '('],
    ['words', 'a', 0],
    ['close', ')'],
  ]);
});

test('quotes are told, also those that do not end', () => {
  expect(tokensOf('"a b" op:"c').map(({ quotes, text }) => ({ quotes, text }))).toEqual([
    { quotes: 'closed', text: 'a b' },
    { quotes: undefined, text: 'op' },
    { quotes: undefined, text: ':' },
    { quotes: 'open', text: 'c' },
  ]);
});

test('spans are of what is written', () => {
  expect(tokensOf('  op:"a" ').map(({ span }) => span)).toEqual([
    { offset: 2, length: 2 },
    { offset: 4, length: 1 },
    { offset: 5, length: 3 },
  ]);
});
