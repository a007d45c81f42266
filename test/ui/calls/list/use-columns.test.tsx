import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useColumns } from '../../../../src/ui/calls/list/use-columns.ts';
import { showInUtc } from '../../../../src/ui/format/time.ts';

beforeEach(() => {
  showInUtc(true);
  vi.useFakeTimers({ now: Date.parse('2026-11-26T12:00:00Z') });
});
afterEach(() => {
  cleanup();
  showInUtc(false);
  vi.useRealTimers();
});

const columns = (t: string) =>
  renderHook(() => useColumns({ project: 'local/app', named: ['op', 'started'], t, p95: undefined, widthPx: 2000 }));

test.each([
  ['6h', '80px'],
  ['24h', '108px'],
  ['all', '108px'],
])('rows of a range that began on another day have room for their day: %s', (t, width) => {
  const { result } = columns(t);
  expect(result.current.shown.map((column) => [column.id, column.width])).toContainEqual(['started', width]);
});

test('rows that are on the screen are drawn anew at midnight, and not before', () => {
  const { result, rerender } = columns('24h');
  const before = result.current.shown;
  vi.setSystemTime(Date.parse('2026-11-26T23:59:59Z'));
  rerender();
  expect(result.current.shown).toBe(before);
  vi.setSystemTime(Date.parse('2026-11-27T00:00:01Z'));
  rerender();
  expect(result.current.shown).not.toBe(before);
});
