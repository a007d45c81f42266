import { act, cleanup, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangeAddress, TraceAddress } from '../../../src/ui/trace/trace-address.ts';
import { useCalmZoom } from '../../../src/ui/trace/use-calm-zoom.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function look() {
  const written: (readonly [Partial<TraceAddress>, string])[] = [];
  const { result } = renderHook(() => {
    const [address, setAddress] = useState<TraceAddress>({ as: 'tree', find: '', fold: [] });
    const change: ChangeAddress = (part, step) => {
      written.push([part, step]);
      setAddress((was) => ({ ...was, ...part }));
    };
    return useCalmZoom(address, change);
  });
  const zoomTo = (to: number): void => act(() => result.current[1]({ zoom: { from: 0, to } }, 'replace'));
  return { written, zoomTo, result };
}

test('a drag is seen at once and is in the address at most ten times a second, with its end', () => {
  const { written, zoomTo, result } = look();
  for (let to = 1; to <= 100; to += 1) {
    zoomTo(to);
    expect(result.current[0].zoom?.to).toBe(to);
    act(() => void vi.advanceTimersByTime(10));
  }
  expect(written.length).toBeLessThanOrEqual(11);
  act(() => void vi.advanceTimersByTime(1000));
  expect(written.at(-1)).toEqual([{ zoom: { from: 0, to: 100 } }, 'replace']);
  expect(result.current[0].zoom?.to).toBe(100);
});

test('what else changes is written at once, with the zoom that was not yet', () => {
  const { written, zoomTo, result } = look();
  zoomTo(1);
  zoomTo(2);
  act(() => result.current[1]({ call: 'c' }, 'push'));
  expect(written.at(-1)).toEqual([{ zoom: { from: 0, to: 2 }, call: 'c' }, 'push']);
  act(() => void vi.advanceTimersByTime(1000));
  expect(written).toHaveLength(2);
  expect(result.current[0]).toMatchObject({ call: 'c', zoom: { to: 2 } });
});
