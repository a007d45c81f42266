import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockTicks } from '../../../src/ui/format/clock-ticks.ts';
import { showInUtc } from '../../../src/ui/format/time.ts';

const HOUR = 3_600_000;
const TO = Date.UTC(2026, 10, 23, 19, 28, 11);

beforeEach(() => showInUtc(true));
afterEach(() => {
  showInUtc(false);
  vi.restoreAllMocks();
});

const labels = (spanMs: number, most = 9) => clockTicks(TO - spanMs, TO, most).map(({ label }) => label);

test('times below a chart are round', () => {
  expect(labels(24 * HOUR)).toEqual(['21:00', '00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00']);
  expect(labels(24 * HOUR, 5)).toEqual(['23 Nov', '06:00', '12:00', '18:00']);
  expect(labels(HOUR / 4)).toEqual(['19:14', '19:16', '19:18', '19:20', '19:22', '19:24', '19:26', '19:28']);
  expect(labels(30_000)).toEqual(['19:27:45', '19:27:50', '19:27:55', '19:28:00', '19:28:05', '19:28:10']);
});

test('days are said once midnights are what one looks for', () => {
  expect(labels(48 * HOUR)).toEqual(['22 Nov', '06:00', '12:00', '18:00', '23 Nov', '06:00', '12:00', '18:00']);
  expect(labels(7 * 24 * HOUR)).toEqual(['17 Nov', '18 Nov', '19 Nov', '20 Nov', '21 Nov', '22 Nov', '23 Nov']);
});

test.each([1, 1000, 1e6, 1e8, 1e10, 1e12])(
  'there are never more than asked for, all within the span (%d ms)',
  (span) => {
    const ticks = clockTicks(TO - span, TO, 9);
    expect(ticks.length).toBeLessThanOrEqual(9);
    expect(ticks.every(({ at }) => at >= TO - span && at <= TO)).toBe(true);
  },
);

test('they are round by the clock that is shown, also across a change of it', () => {
  showInUtc(false);
  for (const { label } of clockTicks(TO - 365 * 24 * HOUR, TO, 9)) expect(label).toMatch(/^\d+ [A-Z][a-z]{2}$/);
  for (const { label } of clockTicks(TO - 24 * HOUR, TO, 9)) expect(label).toMatch(/:00$/);
});

test.each([
  ['forward', -60, -120],
  ['back', -120, -60],
])('each is another instant, and they rise, where clocks go %s', (_way, before, after) => {
  showInUtc(false);
  const change = Date.parse('2026-03-29T01:00:00Z');
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
    return this.getTime() < change ? before : after;
  });
  for (const most of [5, 9, 20]) {
    const ats = clockTicks(change - 2 * HOUR, change + 3 * HOUR, most).map(({ at }) => at);
    expect(ats).toEqual([...new Set(ats)].toSorted((a, b) => a - b));
  }
});
