// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useRangeNow } from '../../../../src/ui/calls/list/use-range-now.ts';

const MINUTE = 60_000;
const STEP = 10_000;
const BEGAN = Date.parse('2026-11-26T10:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: BEGAN }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A range of so many minutes that ends now. */
function rangeOf(minutes: number | undefined, isHeldFirst = false) {
  const asked: number[] = [];
  let isGone = false;
  const { result, rerender } = renderHook(
    ({ isHeld }: { readonly isHeld: boolean }) => {
      const [now, setNow] = useState(BEGAN);
      const after = minutes === undefined ? undefined : now - minutes * MINUTE;
      const goOn = async (next: number): Promise<void> => {
        asked.push(next);
        if (isGone) throw new Error('gone');
        setNow(next);
      };
      return { now, isBehind: useRangeNow({ now, after, isHeld, goOn }) };
    },
    { initialProps: { isHeld: isHeldFirst } },
  );
  return {
    asked,
    late: () => Date.now() - result.current.now,
    isBehind: () => result.current.isBehind,
    hold: (isHeld: boolean) => rerender({ isHeld }),
    lose: () => void (isGone = true),
    /** As it passes where a page is drawn in between. */
    pass: async (ms: number) => {
      for (let passed = 0; passed <= ms; passed += STEP) await act(() => vi.advanceTimersByTimeAsync(STEP));
    },
  };
}

test('a range that ends now goes on with the time, a short one more often', async () => {
  for (const [minutes, most] of [
    [15, 2],
    [24 * 60, 6],
  ] as const) {
    vi.setSystemTime(BEGAN);
    const range = rangeOf(minutes);
    await range.pass(120 * MINUTE);
    expect(range.late()).toBeLessThan(most * MINUTE);
    expect(range.asked.length).toBeLessThanOrEqual(120);
    expect(range.isBehind()).toBe(false);
    cleanup();
  }
});

test('it stays while something is held, which is said, and goes on at once then', async () => {
  const range = rangeOf(15, true);
  await range.pass(120 * MINUTE);
  expect([range.asked, range.isBehind()]).toEqual([[], true]);
  range.hold(false);
  await range.pass(0);
  expect(range.late()).toBeLessThanOrEqual(STEP);
  expect(range.isBehind()).toBe(false);
});

test('a range that does not end now stays', async () => {
  const range = rangeOf(undefined);
  await range.pass(120 * MINUTE);
  expect([range.asked, range.isBehind()]).toEqual([[], false]);
});

test('where the service is gone it is tried again', async () => {
  const range = rangeOf(15);
  range.lose();
  await range.pass(5 * MINUTE);
  expect(range.asked.length).toBeGreaterThan(1);
});
