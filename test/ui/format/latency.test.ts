import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatLatency,
  formatLatencyChange,
  formatRoughLatency,
  formatRunning,
} from '../../../src/ui/format/latency.ts';

test.each([
  [0, '0 ms'],
  [0.04, '0.1 ms'],
  [0.4, '0.4 ms'],
  [61.4, '61 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [4120, '4.12 s'],
  [9994, '9.99 s'],
  [9996, '10.0 s'],
  [48_200, '48.2 s'],
  [59_960, '1 m 00 s'],
  [123_000, '2 m 03 s'],
  [372_000, '6 m 12 s'],
  [3_599_700, '1 h 00 m'],
  [7_500_000, '2 h 05 m'],
])('%d ms is written %s', (ms, text) => {
  expect(formatLatency(ms)).toBe(text);
});

test('a sum has a digit less, and time that runs ends in dots', () => {
  expect(formatRoughLatency(2310)).toBe('2.3 s');
  expect(formatRoughLatency(9960)).toBe('9.96 s');
  expect(formatRoughLatency(61)).toBe('61 ms');
  expect(formatRunning(1234)).toBe('1.2 s…');
  expect(formatRunning(61_000)).toBe('1 m 01 s…');
});

test('a change has its sign, with a true minus', () => {
  expect(formatLatencyChange(510)).toBe('+510 ms');
  expect(formatLatencyChange(-31)).toBe('−31 ms');
});

test('no time is written with an exponent, 60 seconds or 1,000 milliseconds', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (ms) => {
      expect(formatLatency(ms)).toMatch(
        /^(?:0 ms|0\.\d ms|\d{1,3} ms|\d\.\d\d s|[1-5]\d\.\d s|[1-5]?\d m [0-5]\d s|\d+ h [0-5]\d m)$/,
      );
    }),
  );
});
