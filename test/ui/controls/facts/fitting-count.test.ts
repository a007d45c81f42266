import { expect, test } from 'vitest';
import { fittingCount } from '../../../../src/ui/controls/facts/fitting-count.ts';

const WIDTHS = [50, 60, 70];
const room = (px: number) => ({ px, gapPx: 10, morePx: 24 });

test.each([
  [200, 3],
  [199, 2],
  [154, 2],
  [153, 1],
  [84, 1],
  [83, 0],
  [0, 0],
])('of three facts in %i px so many fit, with the button where one is missing: %i', (px, count) => {
  expect(fittingCount(WIDTHS, room(px))).toBe(count);
});

test('a fact narrower than the button does not stand in its place', () => {
  expect(fittingCount([50, 10], room(69))).toBe(0);
  expect(fittingCount([50, 10], room(70))).toBe(2);
});

test('no facts fit anywhere', () => {
  expect(fittingCount([], room(0))).toBe(0);
});
