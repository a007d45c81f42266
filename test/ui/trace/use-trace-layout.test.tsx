import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { TraceSkeleton } from '../../../src/ui/trace/layout/skeleton.ts';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { useTraceLayout } from '../../../src/ui/trace/use-trace-layout.ts';
import { skeletonOf, START_US } from './skeletons.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LAYOUT = layOut(skeletonOf([{}]), START_US);

/** Threads that answer when they are told to. */
class HeldWorker extends EventTarget {
  static readonly open: HeldWorker[] = [];
  isEnded = false;

  constructor() {
    super();
    HeldWorker.open.push(this);
  }

  postMessage(): void {}

  terminate(): void {
    this.isEnded = true;
  }

  async answer(): Promise<void> {
    await act(async () => void this.dispatchEvent(new MessageEvent('message', { data: { layout: LAYOUT } })));
  }
}

/** So long that it is laid out in a thread. */
function longTrace(): TraceSkeleton {
  return { ...skeletonOf([{}]), count: 30_000 };
}

test('a layout comes to its end though the trace has grown meanwhile, and then the newest is laid out', async () => {
  vi.stubGlobal('Worker', HeldWorker);
  HeldWorker.open.length = 0;
  const [first, second, third] = [longTrace(), longTrace(), longTrace()];
  const { result, rerender, unmount } = renderHook(
    ({ skeleton }: { readonly skeleton: TraceSkeleton }) => useTraceLayout(skeleton),
    { initialProps: { skeleton: first } },
  );
  rerender({ skeleton: second });
  rerender({ skeleton: third });
  expect(HeldWorker.open.map(({ isEnded }) => isEnded)).toEqual([false]);
  await HeldWorker.open[0]?.answer();
  expect(result.current.trace?.skeleton).toBe(first);
  expect(HeldWorker.open).toHaveLength(2);
  await HeldWorker.open[1]?.answer();
  expect(result.current.trace?.skeleton).toBe(third);
  rerender({ skeleton: second });
  unmount();
  expect(HeldWorker.open.map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
});
