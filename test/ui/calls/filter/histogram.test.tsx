import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Histogram } from '../../../../src/ui/calls/filter/histogram.tsx';
import { showInUtc } from '../../../../src/ui/format/time.ts';

afterEach(() => {
  cleanup();
  showInUtc(false);
  vi.restoreAllMocks();
});

test.each([
  [1, '1'],
  [4, '4'],
  [11, '12'],
  [38, '40'],
  [299, '300'],
  [950, '1,000'],
])('the line is a round number that no bar goes over: of %d at most', (highest, line) => {
  const counts = [0, highest];
  const { container, getByText } = render(
    <Histogram
      counts={{
        from: '2026-11-27T08:00:00Z',
        to: '2026-11-27T10:00:00Z',
        bucket_ms: 3_600_000,
        counts,
        errors: [0, 0],
      }}
      onSelect={() => undefined}
    />,
  );
  getByText(line);
  const heights = [...container.querySelectorAll<HTMLElement>('i')].map(({ style }) => Number.parseFloat(style.height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(100);
});

test.each([
  ['2026-11-27T09:50:00Z', ['00:00', '02:00', '04:00', '06:00', '08:00', '09:50']],
  // There is no room for two.
  ['2026-11-27T08:58:00Z', ['00:00', '02:00', '04:00', '06:00', '08:00']],
])('where the bars end is said behind the last round time, if there is room: %s', (to, labels) => {
  showInUtc(true);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  const { container } = render(
    <Histogram
      counts={{ from: '2026-11-27T00:00:00Z', to, bucket_ms: 3_600_000, counts: [1], errors: [0] }}
      onSelect={() => undefined}
    />,
  );
  const shown = [...container.querySelectorAll('[aria-hidden] > span')].map(({ textContent }) => textContent);
  expect(shown).toEqual(labels);
});
