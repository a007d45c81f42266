import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { OwnRange } from '../../../../src/ui/calls/filter/own-range.tsx';
import { showInUtc } from '../../../../src/ui/format/time.ts';

afterEach(() => {
  cleanup();
  showInUtc(false);
});

test('a range by hand says by which clock it is', () => {
  showInUtc(true);
  render(<OwnRange after={0} before={1000} onChange={() => undefined} />);
  expect(screen.getByText(/UTC/)).toBeTruthy();
});
