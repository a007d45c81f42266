import { expect, test } from 'vitest';
import { joinedLines } from '../../../src/cli/output/joined-lines.ts';

test('facts go into as few lines as there is room for', () => {
  expect(joinedLines(['one', 'two', 'three'])).toEqual(['one · two · three']);
  expect(joinedLines(['one', 'two', 'three'], 9)).toEqual(['one · two', 'three']);
});

test('colour takes no room', () => {
  expect(joinedLines(['\u001b[1mone\u001b[22m', 'two'], 9)).toEqual(['\u001b[1mone\u001b[22m · two']);
});
