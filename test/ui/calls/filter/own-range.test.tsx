import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { OwnRange } from '../../../../src/ui/calls/filter/own-range.tsx';
import { showInUtc } from '../../../../src/ui/format/time.ts';

afterEach(() => {
  cleanup();
  showInUtc(false);
  vi.unstubAllGlobals();
});

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const write = (name: string, text: string): void => void fireEvent.change(field(name), { target: { value: text } });

test('a range by hand says by which clock it is', () => {
  showInUtc(true);
  render(<OwnRange after={0} before={1000} onChange={() => undefined} />);
  expect(screen.getByText('UTC')).toBeTruthy();
});

test('its instants are written as all others: the year first, by a clock of 24 hours', () => {
  showInUtc(true);
  const told = vi.fn<(value: string) => void>();
  render(<OwnRange after={Date.UTC(2026, 10, 23, 9)} before={Date.UTC(2026, 10, 23, 21)} onChange={told} />);
  expect([field('From').value, field('To').value]).toEqual(['2026-11-23 09:00:00', '2026-11-23 21:00:00']);
  write('To', '2026-11-24 07:30');
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect(told.mock.calls).toEqual([['2026-11-23T09:00:00.000Z,2026-11-24T07:30:00.000Z']]);
});

test('what is no time is marked, and shows nothing', () => {
  render(<OwnRange after={0} before={1000} onChange={() => undefined} />);
  const show = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Show' }).disabled;
  expect([field('To').getAttribute('aria-invalid'), show()]).toEqual(['false', false]);
  write('To', 'tomorrow');
  expect([field('To').getAttribute('aria-invalid'), show()]).toEqual(['true', true]);
});
