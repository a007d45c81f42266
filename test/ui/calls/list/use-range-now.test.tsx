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

interface Shown {
  readonly isHeld: boolean;
  readonly key?: string;
}

/** A range of so many minutes that ends now. */
function rangeOf(minutes: number | undefined, isHeldFirst = false) {
  const asked: number[] = [];
  const signals: AbortSignal[] = [];
  let answer: () => Promise<void> = async () => undefined;
  const first: Shown = { isHeld: isHeldFirst };
  const { result, rerender, unmount } = renderHook(
    ({ isHeld, key = 'a' }: Shown) => {
      const [now, setNow] = useState(BEGAN);
      const after = minutes === undefined ? undefined : now - minutes * MINUTE;
      const read = async (next: number, signal: AbortSignal): Promise<() => void> => {
        asked.push(next);
        signals.push(signal);
        await answer();
        return () => setNow(next);
      };
      return { now, isBehind: useRangeNow({ key, now, after, isHeld, read }) };
    },
    { initialProps: first },
  );
  return {
    asked,
    signals,
    late: () => Date.now() - result.current.now,
    isBehind: () => result.current.isBehind,
    hold: (isHeld: boolean) => rerender({ isHeld }),
    show: (key: string) => rerender({ isHeld: false, key }),
    unmount,
    /** From here on what the range holds is answered so. */
    answerBy: (next: () => Promise<void>) => void (answer = next),
    /** As it passes where a page is drawn in between. */
    pass: async (ms: number) => {
      for (let passed = 0; passed <= ms; passed += STEP) await act(() => vi.advanceTimersByTimeAsync(STEP));
    },
  };
}

const refuse = async (): Promise<void> => {
  throw new Error('refused');
};

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

test('what the service refuses is tried again, ever more rarely, and the label says so', async () => {
  const range = rangeOf(24 * 60);
  range.answerBy(refuse);
  await range.pass(6 * MINUTE);
  expect(range.isBehind()).toBe(true);
  await range.pass(54 * MINUTE);
  expect(range.asked.length).toBeGreaterThan(5);
  // Each 10 seconds would be hundreds.
  expect(range.asked.length).toBeLessThan(20);
  range.answerBy(async () => undefined);
  await range.pass(6 * MINUTE);
  expect([range.isBehind(), range.late() < 6 * MINUTE]).toEqual([false, true]);
});

/** A read that is answered when the test says so. */
function heldRead(range: ReturnType<typeof rangeOf>): () => Promise<void> {
  let answer = (): void => undefined;
  const promise = new Promise<void>((resolve) => void (answer = resolve));
  range.answerBy(() => promise);
  return () => act(async () => answer());
}

test.each([
  ['something is selected', (range: ReturnType<typeof rangeOf>) => range.hold(true)],
  ['another list is shown', (range: ReturnType<typeof rangeOf>) => range.show('b')],
  ['the page is left', (range: ReturnType<typeof rangeOf>) => range.unmount()],
])('what is being read is dropped when %s meanwhile', async (_, turn) => {
  const range = rangeOf(15);
  const answer = heldRead(range);
  await range.pass(MINUTE);
  expect(range.asked).toHaveLength(1);
  range.answerBy(() => new Promise(() => undefined));
  turn(range);
  expect(range.signals[0]?.aborted).toBe(true);
  await answer();
  expect(range.late()).toBeGreaterThan(MINUTE);
});

test('a read that takes long is said, and not asked for twice', async () => {
  const range = rangeOf(15);
  const answer = heldRead(range);
  await range.pass(5 * MINUTE);
  expect([range.asked.length, range.isBehind()]).toEqual([1, true]);
  await answer();
  // From here on it is answered at once.
  await range.pass(0);
  expect([range.late() < 2 * MINUTE, range.isBehind()]).toEqual([true, false]);
});
