import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Boundary } from '../../../src/ui/controls/boundary.tsx';

// React reports what a boundary has caught.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Fragile({ isBroken }: { readonly isBroken: () => boolean }): ReactElement {
  if (isBroken()) throw new RangeError('Invalid time value');
  return <p>all calls</p>;
}

const page = (path: string, isBroken: () => boolean): ReactElement => (
  <main>
    <h1>Navigation</h1>
    <Boundary what="This page could not be shown" resetKey={path}>
      <Fragile isBroken={isBroken} />
    </Boundary>
  </main>
);

test('an error of a page is told in its place, and Retry shows the page again', () => {
  let isBroken = true;
  render(page('/calls', () => isBroken));
  expect(document.body.textContent).toContain('This page could not be shown: Invalid time value');
  expect(screen.getByRole('heading').textContent).toBe('Navigation');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(document.body.textContent).toContain('all calls');
});

test('another page does not have the error of the one before', () => {
  const { rerender } = render(page('/calls', () => true));
  rerender(page('/threads', () => false));
  expect(document.body.textContent).toContain('all calls');
});
