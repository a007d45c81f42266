import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { feedbackKey, useCallChanges } from '../../../src/ui/data/call-changes.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { useTouchedCalls } from '../../../src/ui/data/touched-calls.ts';
import { Connection } from './connection.ts';

let visibility: DocumentVisibilityState = 'visible';

beforeEach(() => {
  Connection.opened.length = 0;
  visibility = 'visible';
  vi.stubGlobal('EventSource', Connection);
  // The page is the only window of this browser.
  vi.stubGlobal('navigator', { ...navigator, locks: undefined });
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A page that follows the calls of a project: what it was told, and how often it was told to catch up. */
function follow(isFollowing = true) {
  const seen = { told: [] as string[], returns: 0, changes: 0, touched: [] as string[], read: 0 };
  const client = createQueryClient(() => undefined);
  const { rerender } = renderHook(
    ({ is }) => {
      useTouchedCalls('local/app', (ids) => seen.touched.push(...ids));
      useQuery({ queryKey: feedbackKey('local/app', 'a'), queryFn: () => (seen.read += 1) });
      useCallChanges('local/app', is, {
        onChanges: ({ rows }) => {
          seen.changes += 1;
          seen.told.push(...rows.map(({ id }) => id));
        },
        onReturn: () => void (seen.returns += 1),
      });
    },
    {
      initialProps: { is: isFollowing },
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  return { seen, pause: () => rerender({ is: false }), goOn: () => rerender({ is: true }) };
}

const OPEN = 1;
const connections = () => Connection.opened.map(({ readyState }) => readyState);
const open = () => act(() => Connection.opened.at(-1)?.open());
const tell = (id: string) => tellOf('call', { id });
const tellOf = (event: string, data: object) =>
  act(() => {
    Connection.opened.at(-1)?.tell('1', event, data);
    vi.advanceTimersByTime(1000);
  });
const becomes = (next: DocumentVisibilityState) =>
  act(() => {
    visibility = next;
    document.dispatchEvent(new Event('visibilitychange'));
  });

test('a page that is hidden follows nothing, and catches up once when it is seen again', () => {
  const { seen } = follow();
  open();
  tell('a');
  expect([seen.told, seen.returns]).toEqual([['a'], 1]);

  becomes('hidden');
  expect(connections()).toEqual([Connection.CLOSED]);
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(connections()).toHaveLength(1);

  becomes('visible');
  expect(seen.returns).toBe(1);
  open();
  expect(connections()).toEqual([Connection.CLOSED, OPEN]);
  expect(seen.returns).toBe(2);
  tell('b');
  expect([seen.told, seen.returns]).toEqual([['a', 'b'], 2]);
});

test('a page that is opened in the background follows nothing until it is seen', () => {
  visibility = 'hidden';
  follow();
  expect(connections()).toEqual([]);
  becomes('visible');
  expect(connections()).toHaveLength(1);
});

test('a page that pauses follows nothing, and catches up once when it goes on', () => {
  const { seen, pause, goOn } = follow();
  open();
  pause();
  expect(connections()).toEqual([Connection.CLOSED]);
  goOn();
  open();
  expect(connections()).toEqual([Connection.CLOSED, OPEN]);
  expect(seen.returns).toBe(2);
});

test('feedback of others is told to who shows it, and is no change of a call', async () => {
  const { seen } = follow();
  open();
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  expect(seen).toMatchObject({ changes: 0, read: 1 });
  tellOf('feedback', { ids: ['a', 'b'] });
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  expect(seen).toMatchObject({ changes: 0, touched: ['a', 'b'], read: 2 });
  tellOf('feedback', { ids: ['b'] });
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  expect(seen).toMatchObject({ changes: 0, touched: ['a', 'b', 'b'], read: 2 });
});

test('feedback that may have been given unheard is read once', async () => {
  const { seen, pause, goOn } = follow();
  open();
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  pause();
  goOn();
  open();
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  expect(seen.read).toBe(2);
  tellOf('missed', { count: null });
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  expect(seen).toMatchObject({ changes: 1, read: 3 });
});

test('feedback that a paused page read is read again when it follows for the first time', async () => {
  const { seen, goOn } = follow(false);
  await act(async () => await vi.advanceTimersByTimeAsync(3_600_000));
  expect(seen.read).toBe(1);
  goOn();
  open();
  await act(async () => await vi.advanceTimersByTimeAsync(1));
  expect(seen).toMatchObject({ returns: 1, read: 2 });
});
