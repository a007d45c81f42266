import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { handleKey } from '../../../src/ui/shell/keys.ts';
import { ThreadTable } from '../../../src/ui/threads/thread-table.tsx';

const THREADS = ['first', 'second', 'third'].map((id) => ({
  thread_id: id,
  turn_count: 1,
  first_turn_id: id,
  last_turn_id: id,
  start_time: '2026-11-26T09:50:00Z',
  last_updated: '2026-11-26T09:50:00Z',
  p50_turn_duration_ms: 12,
  p99_turn_duration_ms: 12,
  first: undefined,
  last: undefined,
}));

beforeEach(() => addEventListener('keydown', handleKey));
afterEach(() => {
  removeEventListener('keydown', handleKey);
  cleanup();
  vi.unstubAllGlobals();
});

function press(...keys: readonly string[]): void {
  for (const key of keys) {
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }
}

const focused = () => document.activeElement?.textContent;

test('keys lead from thread to thread, and stay at the ends', () => {
  render(<ThreadTable project="local/app" threads={THREADS} />);
  const places = ['k', 'j', 'ArrowDown', 'j', 'ArrowUp', 'End', 'Home'].map((key) => {
    press(key);
    return focused();
  });
  expect(places).toEqual(['first', 'second', 'third', 'third', 'second', 'third', 'first']);
});

test('a key goes on where one was, though the focus has gone elsewhere', () => {
  render(<ThreadTable project="local/app" threads={THREADS} />);
  press('j', 'j');
  screen.getByText('second').closest('a')?.blur();
  press('j');
  expect(focused()).toBe('third');
});

test('the link of a thread is copied by a key', async () => {
  const texts: string[] = [];
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => void texts.push(text) } });
  render(<ThreadTable project="local/app" threads={THREADS} />);
  press('y', 'j', 'j', 'y');
  expect(texts.map((text) => new URL(text).pathname)).toEqual([expect.stringMatching(/\/threads\/second$/)]);
});

test('arrows, Home and End are those of the table only in it, or where nothing has the focus', () => {
  render(
    <>
      <div data-testid="scroller" tabIndex={0} />
      <button type="button">Menu</button>
      <ThreadTable project="local/app" threads={THREADS} />
    </>,
  );
  for (const elsewhere of [screen.getByTestId('scroller'), screen.getByText('Menu')]) {
    elsewhere.focus();
    press('ArrowDown', 'ArrowUp', 'Home', 'End');
    expect(document.activeElement).toBe(elsewhere);
  }
  press('j');
  expect(focused()).toBe('first');
  press('ArrowDown');
  expect(focused()).toBe('second');
});

test.each([
  ['running', { state: 'running' }],
  ['SMTPError', { state: 'error', error_type: 'SMTPError' }],
  ['ok', { state: 'success', error_type: null }],
] satisfies [string, Partial<CallRow>][])('a thread says how its last turn is: %s', (word, last) => {
  // Nothing else of the turn is looked at.
  const threads = THREADS.slice(0, 1).map((thread) => ({ ...thread, last: last as CallRow }));
  render(<ThreadTable project="local/app" threads={threads} />);
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const cells = [...(screen.getAllByRole('row')[1]?.children ?? [])].map(({ textContent }) => textContent);
  expect(cells[heads.indexOf('Status')]).toBe(word);
});
