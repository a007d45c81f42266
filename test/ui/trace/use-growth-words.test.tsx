// @vitest-environment happy-dom
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
