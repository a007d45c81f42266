import { expect, test } from 'vitest';
import { fitText } from '../../../src/ui/trace/canvas/fit-text.ts';

/** Ten pixels a letter. */
const widthOf = (text: string): number => Array.from(text).length * 10;

test('a name that has room is whole, and one that has not ends with an ellipsis after a whole letter', () => {
  expect(fitText('send_email', 100, widthOf)).toBe('send_email');
  expect(fitText('send_email', 99, widthOf)).toBe('send_ema…');
  expect(fitText('rerank × 148', 90, widthOf)).toBe('rerank ×…');
  expect(fitText('🙂🙂🙂🙂', 30, widthOf)).toBe('🙂🙂…');
});

test('a space before the ellipsis is left out', () => {
  expect(fitText('rerank × 148', 80, widthOf)).toBe('rerank…');
});

test('nothing is written where not even one letter has room', () => {
  expect(fitText('send_email', 19, widthOf)).toBe('');
  expect(fitText('', 0, widthOf)).toBe('');
});

test('a name of a million letters is measured a few times only', () => {
  let measured = 0;
  const count = (text: string): number => {
    measured += text.length;
    return widthOf(text);
  };
  expect(fitText('x'.repeat(1_000_000), 100, count)).toBe(`${'x'.repeat(9)}…`);
  expect(measured).toBeLessThan(2000);
});
