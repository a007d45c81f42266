import { expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatDurations,
  formatShare,
  formatShortTime,
  formatTime,
} from '../../../src/cli/output/numbers.ts';

test.each([
  [0, '0.0 ms'],
  [412, '0.4 ms'],
  [9_949, '9.9 ms'],
  [9_950, '10 ms'],
  [310_400, '310 ms'],
  [999_499, '999 ms'],
  [999_500, '1.00 s'],
  [4_120_000, '4.12 s'],
  [59_994_000, '59.99 s'],
  [59_995_000, '1 m 00 s'],
  [123_000_000, '2 m 03 s'],
  [3_599_600_000, '1 h 00 m'],
  [3_720_000_000, '1 h 02 m'],
])('%i µs are %s', (micros, text) => {
  expect(formatDuration(micros)).toBe(text);
});

test('counts have groups', () => {
  expect(formatCount(1234567)).toBe('1,234,567');
});

test.each([
  [999, '999 B'],
  [4200, '4.2 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 %'],
  [0.0001, '0.1 %'],
  [0.042, '4.2 %'],
  [0.4, '40 %'],
  [0.994, '99 %'],
  [0.996, '99.6 %'],
  [0.99999, '99.9 %'],
  [1, '100 %'],
])('a share of %d is %s: neither none nor all, unless it is', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test('a time is told in the local time zone', () => {
  const local = new Date(2026, 0, 31, 4, 9, 1);
  expect(formatTime(local.getTime() * 1000)).toBe('2026-01-31 04:09:01');
});

test.each([
  [[5_900, 2_700], '2.7–5.9 ms'],
  [[310_000, 1_240_000], '310 ms – 1.24 s'],
  [[1000, 1010], '1.0 ms'],
  [[65_000_000, 123_000_000], '1 m 05 s – 2 m 03 s'],
])('durations %j are %s', (micros, text) => {
  expect(formatDurations(micros)).toBe(text);
});

test('a short time tells what is not of now', () => {
  const now = new Date(2026, 5, 30, 12).getTime();
  const at = (...parts: [number, number, number]) => formatShortTime(new Date(...parts, 4, 9, 1).getTime() * 1000, now);
  expect(at(2026, 5, 30)).toBe('04:09:01');
  expect(at(2026, 0, 31)).toBe('01-31 04:09');
  expect(at(2025, 5, 30)).toBe('2025-06-30');
});
