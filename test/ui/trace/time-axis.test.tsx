import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { timeScale } from '../../../src/ui/trace/layout/time-scale.ts';
import { TimeAxis } from '../../../src/ui/trace/tree/time-axis.tsx';

afterEach(cleanup);

test.each([
  [40, ['0', '2 s']],
  [320, ['0', '1 s', '2 s', '3 s', '4 s']],
])('in a lane of %i pixels no label touches the one before it', (width, labels) => {
  const { container } = render(<TimeAxis scale={timeScale(0, 4_120_000)} width={width} room={92} />);
  expect([...container.querySelectorAll('span')].map(({ textContent }) => textContent)).toEqual(labels);
});
