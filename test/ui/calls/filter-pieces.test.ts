import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from '../../../src/ui/calls/filter/filter-pieces.ts';

test('every term is a piece, with the dash before it', () => {
  const pieces = piecesOf('op:answer -status:ok refund');
  const terms = pieces.filter(({ fieldEnd }) => fieldEnd !== undefined);
  expect(terms.map(({ text, fieldEnd, isNot }) => [text, fieldEnd, isNot])).toEqual([
    ['op:answer', 3, false],
    ['-status:ok', 8, true],
    ['refund', 0, false],
  ]);
});

test('the pieces of any text are the whole text', () => {
  const parts = fc.constantFrom('op:a', '-', ' ', '"', 'or', '(', ')', 'refund', 'latency>2s', ',', 'x');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
      const text = words.join('');
      expect(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
