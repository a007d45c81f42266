import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FilterBar } from '../../../../src/ui/calls/filter/filter-bar.tsx';
import { useLanguage } from '../../../../src/ui/calls/filter/use-language.ts';

beforeEach(async () => {
  const { result } = renderHook(() => useLanguage(true));
  await vi.waitUntil(() => result.current.language, { timeout: 20_000 });
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const client = new QueryClient();
let draw: () => void = () => undefined;
let told: string[] = [];

/** A page that is drawn whenever a call comes, and keeps the filter. */
function Page(): ReactElement {
  const [value, setValue] = useState('');
  const [, setCalls] = useState(0);
  draw = () => setCalls((count) => count + 1);
  const onChange = (next: string) => {
    told.push(next);
    setValue(next);
  };
  return (
    <QueryClientProvider client={client}>
      <FilterBar value={value} selection={{ project_id: 'local/app' }} onChange={onChange} />
      <button type="button" onClick={() => setValue('refund')}>
        Back
      </button>
    </QueryClientProvider>
  );
}

function open(): HTMLInputElement {
  told = [];
  render(<Page />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter' });
  act(() => field.focus());
  return field;
}

const type = (field: HTMLInputElement, value: string): void => void fireEvent.change(field, { target: { value } });
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

test('a blank stays when typing pauses behind it', () => {
  const field = open();
  type(field, 'where is ');
  pass(1000);
  expect(told).toEqual(['where is']);
  expect(field.value).toBe('where is ');
  type(field, 'where is my');
  pass(1000);
  expect(told).toEqual(['where is', 'where is my']);
});

test('a filter counts when typing pauses, however many calls come meanwhile', () => {
  const field = open();
  type(field, 'refund');
  for (const _ of [1, 2, 3, 4]) {
    pass(100);
    act(draw);
  }
  expect(told).toEqual(['refund']);
});

test('a filter that changes elsewhere is written into the field', () => {
  const field = open();
  type(field, 'parcel');
  pass(1000);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(field.value).toBe('refund');
});

test.each([
  ['', 'op', 'op:', ''],
  ['refund ', 'op', 'op:', 'refund'],
  ['', '-mod', '-model:', ''],
  ['', 'op', 'op:ans', ''],
])(
  'behind %j, %j that turns out to be a field was no word: the list is as without it',
  (before, word, half, without) => {
    const field = open();
    type(field, before + word);
    pass(1000);
    expect(told).toEqual([(before + word).trim()]);
    type(field, before + half);
    pass(1000);
    expect(told.slice(1)).toEqual([without]);
    expect(field.value).toBe(before + half);
  },
);

test('a value that is written anew keeps the list of the one before', () => {
  const field = open();
  type(field, 'op:answer ');
  pass(1000);
  type(field, 'op:ans');
  pass(1000);
  expect(told).toEqual(['op:answer']);
});
