import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useStillRunning } from '../../../src/ui/calls/use-still-running.ts';
import type { CallRow } from '../../../src/ui/data/answers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Given {
  readonly states: readonly CallRow['state'][];
  readonly isFollowing?: boolean;
}

test('as long as calls run, and somebody looks, it is asked whether they still do', async () => {
  const look = vi.fn<() => void>();
  const { rerender } = renderHook<void, Given>(
    ({ states, isFollowing = true }) =>
      useStillRunning(
        states.map((state) => ({ state })),
        isFollowing,
        look,
      ),
    { initialProps: { states: ['success', 'running'] } },
  );
  const asked = async (ms: number) => {
    look.mockClear();
    await act(() => vi.advanceTimersByTimeAsync(ms));
    return look.mock.calls.length;
  };
  expect(await asked(30_000)).toBe(3);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  expect(await asked(30_000)).toBe(0);
  vi.restoreAllMocks();
  rerender({ states: ['running'], isFollowing: false });
  expect(await asked(30_000)).toBe(0);
  rerender({ states: ['success', 'never_ended'] });
  expect(await asked(30_000)).toBe(0);
});

test('a service that takes long is not asked again before it has answered', async () => {
  let answer = (): void => undefined;
  const look = vi.fn<() => Promise<void>>(() => new Promise((resolve) => void (answer = resolve)));
  renderHook(() => useStillRunning([{ state: 'running' }], true, look));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(look).toHaveBeenCalledTimes(1);
  answer();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(look).toHaveBeenCalledTimes(2);
});
