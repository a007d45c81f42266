import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useGrowthWords } from '../../../src/ui/trace/use-growth-words.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('what comes is said together every few seconds, also after some have left', async () => {
  const { result, rerender } = renderHook(({ calls, errors }) => useGrowthWords(calls, errors), {
    initialProps: { calls: 10, errors: 1 },
  });
  const pass = () => act(() => vi.advanceTimersByTimeAsync(5000));
  expect(result.current).toBe('');
  rerender({ calls: 12, errors: 1 });
  rerender({ calls: 13, errors: 2 });
  await pass();
  expect(result.current).toBe('3 new calls, 1 error');
  rerender({ calls: 8, errors: 0 });
  rerender({ calls: 9, errors: 0 });
  await pass();
  expect(result.current).toBe('1 new call');
});

test.each([9, 10])('nothing is said of what has left before it was said: %d', async (left) => {
  const { result, rerender } = renderHook(({ calls }) => useGrowthWords(calls, 0), { initialProps: { calls: 10 } });
  rerender({ calls: 12 });
  rerender({ calls: left });
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(result.current).toBe('');
});

test('what came is said also where counts are not known for a while', async () => {
  const first: { readonly calls: number | undefined } = { calls: undefined };
  const { result, rerender } = renderHook(({ calls }) => useGrowthWords(calls, 0), { initialProps: first });
  rerender({ calls: 10 });
  rerender({ calls: 12 });
  rerender({ calls: undefined });
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(result.current).toBe('2 new calls');
});
