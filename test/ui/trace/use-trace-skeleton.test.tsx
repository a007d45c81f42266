import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallState, type TraceSkeleton } from '../../../src/ui/trace/layout/skeleton.ts';
import { type TraceListener, useTraceSkeleton } from '../../../src/ui/trace/use-trace-skeleton.ts';
import { skeletonOf } from './skeletons.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A trace whose service takes so long to tell it. */
function traceOf(first: TraceSkeleton, ms: number) {
  let skeleton = first;
  let reads = 0;
  let listener: TraceListener | undefined;
  let isPaused = false;
  const source = {
    isPaused: () => isPaused,
    read: async () => {
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, ms));
      return skeleton;
    },
    watch: (told: TraceListener) => {
      listener = told;
      return () => undefined;
    },
  };
  const { result } = renderHook(() => useTraceSkeleton(source));
  return {
    become: (next: TraceSkeleton) => void (skeleton = next),
    change: () => listener?.onChange(),
    return: () => listener?.onReturn(),
    pause: (isSo: boolean) => void (isPaused = isSo),
    retry: () => act(() => result.current.retry()),
    reads: () => reads,
    shown: () => result.current.skeleton,
    pass: (time: number) => act(() => vi.advanceTimersByTimeAsync(time)),
  };
}

const RUNNING = skeletonOf([{ state: CallState.running, end: null }]);
const OVER = skeletonOf([{}]);

test('what runs is asked for without a word of the service, until it does no more', async () => {
  const gone = skeletonOf([{ state: CallState.neverEnded, end: null }]);
  const trace = traceOf(RUNNING, 10);
  await trace.pass(100);
  expect(trace.reads()).toBe(1);
  trace.become(gone);
  await trace.pass(15_000);
  expect(trace.shown()).toBe(gone);
  const reads = trace.reads();
  await trace.pass(60_000);
  expect(trace.reads()).toBe(reads);
});

test('a trace that grows all the time is read for no more than a fifth of it', async () => {
  const trace = traceOf(RUNNING, 1000);
  for (let passed = 0; passed < 60_000; passed += 100) {
    trace.change();
    await trace.pass(100);
  }
  expect(trace.reads()).toBeLessThanOrEqual(13);
  expect(trace.reads()).toBeGreaterThan(9);
});

test('what is over is read once', async () => {
  const trace = traceOf(OVER, 10);
  await trace.pass(60_000);
  expect(trace.reads()).toBe(1);
});

test.each<[string, (trace: ReturnType<typeof traceOf>) => unknown]>([
  ['is followed again', (trace) => trace.return()],
  ['was read again since it was followed', (trace) => (trace.return(), trace.retry())],
  ['is followed only long after it was read, as one that is opened in a pause, or unseen', () => undefined],
])('what is over is read once more where it %s', async (_when, before) => {
  const trace = traceOf(OVER, 10);
  await trace.pass(100);
  await before(trace);
  await trace.pass(3_600_000);
  const reads = trace.reads();
  const late = skeletonOf([{}, { parent: 0, op: 'late' }]);
  trace.become(late);
  trace.return();
  await trace.pass(1000);
  expect([trace.reads() - reads, trace.shown()]).toEqual([1, late]);
});

test('a pause holds what runs, and not a trace of which nothing has come', async () => {
  const running = traceOf(RUNNING, 10);
  await running.pass(100);
  running.pause(true);
  await running.pass(60_000);
  expect(running.reads()).toBe(1);
  const empty = traceOf(skeletonOf([]), 10);
  empty.pause(true);
  await empty.pass(100);
  empty.become(OVER);
  await empty.pass(60_000);
  expect(empty.shown()).toBe(OVER);
});

test('what was asked for before a pause is read when one goes on', async () => {
  const trace = traceOf(RUNNING, 10);
  trace.return();
  await trace.pass(20);
  trace.change();
  trace.pause(true);
  await trace.pass(60_000);
  expect(trace.reads()).toBe(1);
  trace.pause(false);
  trace.return();
  await trace.pass(20);
  expect(trace.reads()).toBe(2);
});
