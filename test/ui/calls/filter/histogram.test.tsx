import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Histogram } from '../../../../src/ui/calls/filter/histogram.tsx';

afterEach(cleanup);

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
