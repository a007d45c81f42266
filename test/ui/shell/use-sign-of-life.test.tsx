import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Session } from '../../../src/ui/data/answers.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { leave, SESSION_KEY } from '../../../src/ui/data/session.ts';
import { useSignOfLife } from '../../../src/ui/shell/gone-banner.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const OURS: Session = {
  user_id: 'ours',
  entities: ['ours'],
  version: '1.0.0',
  url: 'http://127.0.0.1:1',
  started_at: '2026-11-26T00:00:00Z',
  opens_files: false,
};

/** A page of `ours` that has read something, and what the service says of who is here. */
function follow(here: Session, isWorking = false) {
  const asked = vi.fn<() => Promise<Response>>(async () => Response.json(here));
  vi.stubGlobal('fetch', asked);
  const client = createQueryClient(() => undefined);
  client.setQueryData(SESSION_KEY, OURS);
  client.setQueryData(['rows'], 'read for ours');
  renderHook(() => useSignOfLife(OURS, isWorking), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  return { client, asked };
}

test('what was read for one is gone when somebody else has logged in in another window', async () => {
  const theirs = { ...OURS, user_id: 'theirs', entities: ['theirs'] };
  const { client } = follow(theirs);
  await waitFor(() => expect(client.getQueryData(SESSION_KEY)).toEqual(theirs));
  expect(client.getQueryData(['rows'])).toBeUndefined();
});

test('it stays for the same one, also with another session', async () => {
  const { client, asked } = follow({ ...OURS, started_at: '2026-11-26T01:00:00Z' });
  await waitFor(() => expect(asked).toHaveBeenCalled());
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(['rows'])).toBe('read for ours');
  expect(client.getQueryData(SESSION_KEY)).toBe(OURS);
});

test('whoever comes back from another window is asked for at once', async () => {
  const { asked } = follow(OURS);
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
});

test.each([
  [true, 'goes on asking'],
  [false, 'asks nothing'],
])('while it is not seen and works: %s, a page %s', async (isWorking) => {
  vi.useFakeTimers();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { asked } = follow(OURS, isWorking);
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
  expect(asked).toHaveBeenCalledTimes(1);
  await act(async () => void (await vi.advanceTimersByTimeAsync(10_500)));
  expect(asked).toHaveBeenCalledTimes(isWorking ? 2 : 1);
});

test('a page asks at once when somebody logs in or out in another window, also while it is not seen', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { asked } = follow(OURS);
  const lives = () => (asked.mock.calls as unknown as [string][]).filter(([url]) => url.endsWith('/x/session')).length;
  await waitFor(() => expect(lives()).toBe(1));
  await leave();
  await waitFor(() => expect(lives()).toBe(2));
});
