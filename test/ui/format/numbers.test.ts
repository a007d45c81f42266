import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatBytes } from '../../../src/ui/format/bytes.ts';
import { countOf, formatCount, formatShare, formatSum } from '../../../src/ui/format/count.ts';
import { formatMoney } from '../../../src/ui/format/money.ts';
import { formatAgo, formatDay, formatInstant, formatTime, showInUtc, shownZone } from '../../../src/ui/format/time.ts';

test.each([
  [0, '$0'],
  [0.00002, '< $0.0001'],
  [0.00041, '$0.00041'],
  [0.0061, '$0.0061'],
  [0.00999, '$0.010'],
  [0.0214, '$0.021'],
  [0.5, '$0.50'],
  [0.996, '$1.00'],
  [212.4, '$212.40'],
  [1_234_567, '$1,234,567.00'],
  [-0.02, '−$0.020'],
])('%d dollars are written %s', (dollars, text) => {
  expect(formatMoney(dollars)).toBe(text);
});

test('money below a dollar has two significant digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.0001, max: 0.99, noNaN: true }), (dollars) => {
      const digits = formatMoney(dollars).replace(/^\$0\.0*/, '');
      expect(digits).toMatch(/^\d\d$/);
      expect(Math.abs(Number(formatMoney(dollars).slice(1)) - dollars)).toBeLessThan(dollars * 0.051);
    }),
  );
});

test('counts have commas, and millions only in sums', () => {
  expect(formatCount(18_204)).toBe('18,204');
  expect(formatCount(-4)).toBe('−4');
  expect(formatSum(9_999_999)).toBe('9,999,999');
  expect(formatSum(21_400_000)).toBe('21.4 M');
  expect(countOf(1, 'call')).toBe('1 call');
  expect(countOf(0, 'call')).toBe('0 calls');
  expect(formatShare(1, 1000)).toBe('< 1%');
  expect(formatShare(999, 1000)).toBe('> 99%');
  expect(formatShare(1000, 1000)).toBe('100%');
  expect(formatShare(0, 0)).toBe('–');
});

test('bytes are counted in thousands', () => {
  expect([0, 196, 999, 1000, 4_200_000, 99_960, 999_600].map(formatBytes)).toEqual([
    '0 B',
    '196 B',
    '999 B',
    '1.0 kB',
    '4.2 MB',
    '100 kB',
    '1.0 MB',
  ]);
});

test('a time is a clock on its day, then a day, then a date', () => {
  const at = new Date(2026, 10, 23, 14, 9, 41, 204).getTime();
  const day = 86_400_000;
  const [first, last] = [new Date(2026, 10, 23).getTime(), new Date(2026, 10, 24).getTime() - 1];
  expect([formatTime(at, first), formatTime(at, last)]).toEqual(['14:09:41', '14:09:41']);
  expect([formatTime(at, first - 1), formatTime(at, last + 1)]).toEqual(['23 Nov 14:09', '23 Nov 14:09']);
  expect(formatTime(at, at + 400 * day)).toBe('2026-11-23');
  expect(formatInstant(at)).toMatch(/^2026-11-23 14:09:41\.204 UTC/);
  expect(formatAgo(at, at + 4000)).toBe('4 s ago');
  expect(formatAgo(at, at + 3 * 3_600_000)).toBe('3 h ago');
  expect(formatAgo(at + 5000, at)).toBe('0 s ago');
});

test('times are those of UTC once that is chosen, whatever the clock here is', () => {
  const at = Date.parse('2026-11-23T23:09:41.204Z');
  try {
    showInUtc(true);
    expect(formatInstant(at)).toBe('2026-11-23 23:09:41.204 UTC');
    expect(formatDay(at)).toBe('23 Nov');
    expect(shownZone()).toBe('UTC');
  } finally {
    showInUtc(false);
  }
  const here = new Date(at);
  expect(formatTime(at, at)).toBe(here.toTimeString().slice(0, 8));
});
