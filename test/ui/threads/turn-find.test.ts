import { expect, test } from 'vitest';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { foundInTurn, stepFrom, turnsWith } from '../../../src/ui/threads/turn-find.ts';

const TURNS = [
  { id: 'a1', name: 'turn', input: 'Where is my Parcel?', output: 'On its way', error: null },
  { id: 'a2', name: 'turn', input: 'Thanks', output: null, error: '550 mailbox unavailable' },
  { id: 'a3', name: 'turn', input: null, output: 'The parcel is in box 17', error: null },
  { id: '01a21648-50a0-7829', name: 'turn', input: 'Bye', output: null, error: null },
] as CallRow[];

test.each([
  ['parcel', [0, 2]],
  [' MAILBOX ', [1]],
  ['a3', [2]],
  ['a', [0, 1, 2]],
  ['turn', [2]],
  ['48', []],
  ['01a21648', [3]],
  ['01A21648-50a0-7829', [3]],
  ['nothing of this', []],
  ['  ', []],
])('turns are found by what was said, by errors and ids: %s', (text, found) => {
  expect(turnsWith(TURNS, text)).toEqual(found);
});

test('steps go round, and nowhere where nothing was found', () => {
  expect([stepFrom([0, 2], 0, 1), stepFrom([0, 2], 2, 1), stepFrom([0, 2], 1, -1), stepFrom([0, 2], 0, -1)]).toEqual([
    2, 0, 0, 2,
  ]);
  expect(stepFrom([], 1, 1)).toBeUndefined();
});

test.each([
  [0, 'parcel', 'Where is my Parcel?', undefined],
  [0, 'on its', 'Where is my Parcel?', 'On its way'],
  [1, 'mailbox', 'Thanks', '550 mailbox unavailable'],
  [3, '01a21648', 'Bye', '01a21648-50a0-7829'],
  [0, '', 'Where is my Parcel?', undefined],
])('the row of turn %i shows where "%s" was found: %s', (index, wanted, text, beside) => {
  const [turn] = TURNS.slice(index);
  if (turn === undefined) throw new Error('There is no such turn');
  expect(foundInTurn(turn, wanted)).toEqual({ text, ...(beside === undefined ? {} : { beside }) });
});
