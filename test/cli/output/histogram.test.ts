import { describe, expect, test } from 'vitest';
import { barsWithin, histogramLines } from '../../../src/cli/output/histogram.ts';
import { displayWidth, toPlainText } from '../../../src/cli/output/plain-text.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Calls from a local time on. */
function histogram(from: Date, bucket_ms: number, counts: readonly number[], errors: readonly number[] = []) {
  return {
    from: from.toISOString(),
    to: new Date(from.getTime() + bucket_ms * counts.length).toISOString(),
    bucket_ms,
    counts: [...counts],
    errors: counts.map((_count, index) => errors[index] ?? 0),
  };
}

function linesOf(...of: Parameters<typeof histogram>): string[] {
  return histogramLines(histogram(...of), 200).map(toPlainText);
}

/** At ten in the morning, by the clocks here. */
const TEN = new Date(2026, 0, 31, 10);
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 8];

describe('calls over time', () => {
  test('are bars on one scale, those that failed below them, with the times of the first and the last', () => {
    expect(
      linesOf(TEN, 3 * MINUTE_MS, [...EIGHT, 0, 0, 16_000, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 5]),
    ).toEqual([
      'a bar is 3 m 00 s, the highest 16,000 calls',
      'calls    ▁▁▁▁▁▁▁  █▁',
      'failed   ▁   ▁',
      '        10:00:00    11:00:00',
    ]);
    expect(linesOf(TEN, MINUTE_MS, [...EIGHT, ...EIGHT, ...EIGHT, 0, 0])).toEqual([
      'a bar is 1 m 00 s, the highest 8 calls',
      'calls    ▁▂▃▄▅▆█ ▁▂▃▄▅▆█ ▁▂▃▄▅▆█',
      '        10:00:00          10:26:00',
    ]);
  });

  test('have a time in the middle where there is room, and days or years where these differ', () => {
    const bars = (count: number) => Array.from({ length: count }, () => 1);
    const times = (...of: Parameters<typeof linesOf>) =>
      linesOf(...of)
        .at(-1)
        ?.slice(8);
    expect(times(TEN, MINUTE_MS, bars(60))).toBe('10:00:00                  10:30:00                  11:00:00');
    expect(times(TEN, HOUR_MS, bars(60))).toBe('01-31 10:00             02-01 16:00              02-02 22:00');
    expect(times(TEN, 365 * HOUR_MS, bars(30))).toBe('2026-01-31          2027-05-02');
    expect(times(TEN, MINUTE_MS, bars(17))).toBe('10:00:00');
  });

  test('that were over within a second are no picture', () => {
    expect(linesOf(TEN, 10, EIGHT)).toEqual([]);
  });

  test.each([20, 40, 60, 80, 200, Infinity])('have as many bars as fit into %d columns', (room) => {
    const counts = Array.from({ length: barsWithin(room) }, (_, index) => index);
    expect(counts.length).toBeLessThanOrEqual(60);
    for (const width of [MINUTE_MS, HOUR_MS, 365 * HOUR_MS]) {
      const lines = histogramLines(histogram(TEN, width, counts, counts), room);
      expect(lines.filter((line) => displayWidth(toPlainText(line)) > room)).toEqual([]);
    }
  });
});
