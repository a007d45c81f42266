import { expect, test } from 'vitest';
import { faultsOf } from '../../../../src/ui/calls/filter/filter-faults.ts';

/** What can be left out of a filter that cannot be read, and what is left of it then. */
const waysOut = (text: string): readonly (readonly string[])[] =>
  faultsOf(text).map(({ piece, without }) => [piece.text, without]);

test.each([
  [
    'latency>fast (',
    [
      ['latency>fast', '('],
      ['(', 'latency>fast'],
    ],
  ],
  ['op:answer )', [[')', 'op:answer']]],
  ['op:answer or', [['or', 'op:answer']]],
  ['op:answer "where', [['"where', 'op:answer']]],
  [
    'status:ok latency>fast cost>dear',
    [
      ['latency>fast', 'status:ok cost>dear'],
      ['cost>dear', 'status:ok latency>fast'],
    ],
  ],
  ['op:answer', []],
] satisfies [string, string[][]][])('each fault of %j can be left out', (text, ways) => {
  expect(waysOut(text)).toEqual(ways);
});

test('leaving out each fault in turn ends in a filter that can be read', () => {
  let text = 'latency>fast ( tokens>many op:answer';
  for (let fault = faultsOf(text)[0]; fault !== undefined; fault = faultsOf(text)[0]) text = fault.without;
  expect(text).toBe('op:answer');
});
