import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { WorkLine } from '../../../src/ui/calls/work-line.tsx';

afterEach(cleanup);

const lineOf = (stop: () => void, onLeave: () => void) => (
  <WorkLine work={{ doing: 'Exporting', far: '3 MB', stop }} onLeave={onLeave} />
);

test('a work says what it is and how far, and can be stopped', () => {
  const stop = vi.fn<() => void>();
  const { container } = render(lineOf(stop, () => undefined));
  expect(container.textContent).toContain('Exporting, 3 MB');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel: Exporting' }));
  expect(stop).toHaveBeenCalledOnce();
});

test('as it is over, whoever had the focus on its button gets it elsewhere, and nobody else', () => {
  const left = vi.fn<() => void>();
  const { rerender } = render(lineOf(() => undefined, left));
  rerender(<p />);
  expect(left).not.toHaveBeenCalled();
  rerender(lineOf(() => undefined, left));
  act(() => screen.getByRole('button', { name: 'Cancel: Exporting' }).focus());
  rerender(<p />);
  expect(left).toHaveBeenCalledOnce();
});
