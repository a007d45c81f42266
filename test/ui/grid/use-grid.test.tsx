import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { fittingColumns } from '../../../src/ui/grid/column.ts';
import { useGrid } from '../../../src/ui/grid/use-grid.ts';

afterEach(cleanup);

const ids = ['a', 'b', 'c', 'd'];

test('steps stay in the list', () => {
  const { result } = renderHook(() => useGrid(ids));
  expect(result.current.focused).toBe('a');
  act(() => void result.current.move(2));
  expect(result.current.focused).toBe('c');
  act(() => void result.current.move(10));
  expect(result.current.focused).toBe('d');
  act(() => void result.current.move(-10));
  expect(result.current.focused).toBe('a');
});

test('a range is all from the last choice on', () => {
  const { result } = renderHook(() => useGrid(ids));
  act(() => result.current.toggle('b'));
  act(() => result.current.toggle('d', true));
  expect([...result.current.selected]).toEqual(['b', 'c', 'd']);
  act(() => result.current.toggle('c'));
  expect([...result.current.selected]).toEqual(['b', 'd']);
});

test('a range whose first end has left begins where it was to end, and what was cleared begins none', () => {
  const { result, rerender } = renderHook((list: readonly string[]) => useGrid(list), { initialProps: ids });
  act(() => result.current.toggle('a'));
  rerender(['b', 'c', 'd']);
  act(() => result.current.toggle('c', true));
  expect([...result.current.selected]).toEqual(['c']);
  act(() => result.current.toggle('d', true));
  expect([...result.current.selected]).toEqual(['c', 'd']);
  act(() => result.current.clear());
  act(() => result.current.toggle('b', true));
  expect([...result.current.selected]).toEqual(['b']);
});

test('focus and choice stay with their rows when new ones come on top', () => {
  const { result, rerender } = renderHook((list: readonly string[]) => useGrid(list), { initialProps: ids });
  act(() => result.current.toggle('b'));
  rerender(['new', ...ids]);
  expect(result.current.focused).toBe('b');
  expect([...result.current.selected]).toEqual(['b']);
});

test('columns leave in their order until the rest has room', () => {
  const columns = ['op', 'output', 'cost'].map((id) => ({
    id,
    head: id,
    width: '100px',
    minPx: 100,
    cell: () => null,
  }));
  const shown = (px: number) => fittingColumns(columns, px, ['output', 'cost']).map(({ id }) => id);
  expect(shown(300)).toEqual(['op', 'output', 'cost']);
  expect(shown(299)).toEqual(['op', 'cost']);
  expect(shown(10)).toEqual(['op']);
});

test('no row is meant before somebody has gone to one', () => {
  const { result } = renderHook(() => useGrid(ids));
  expect(result.current.active).toBeUndefined();
  act(() => result.current.focus('c'));
  expect(result.current.active).toBe('c');
});

test.each([
  ['b', ['a', 'c', 'd'], 'c'],
  ['d', ['a', 'b', 'c'], 'c'],
  ['b', ['a'], 'a'],
  ['b', [], undefined],
])('when the row %s goes and %j stay, %s has the focus', (gone, left, next) => {
  const { result, rerender } = renderHook((list: readonly string[]) => useGrid(list), { initialProps: ids });
  act(() => result.current.focus(gone));
  rerender(left);
  expect(result.current.active).toBe(next);
});

test('a row that leaves the list is selected no more, also when it comes back', () => {
  const { result, rerender } = renderHook((list: readonly string[]) => useGrid(list), { initialProps: ids });
  act(() => result.current.selectAll());
  rerender(['a', 'c']);
  expect([...result.current.selected]).toEqual(['a', 'c']);
  rerender(ids);
  expect([...result.current.selected]).toEqual(['a', 'c']);
});

test('a list that was read again and ends before the row leaves nobody at it', () => {
  const { result, rerender } = renderHook((list: readonly string[]) => useGrid(list), { initialProps: ids });
  act(() => result.current.focus('d'));
  rerender(['newest', 'a']);
  expect(result.current.active).toBeUndefined();
  expect(result.current.focused).toBe('newest');
});

test('what is done with is unselected, and not what was selected since', () => {
  const { result } = renderHook(() => useGrid(ids));
  for (const id of ['a', 'b', 'c']) act(() => result.current.toggle(id));
  act(() => result.current.unselect(['a', 'c']));
  expect([...result.current.selected]).toEqual(['b']);
  // The last choice has been used: no range begins with it.
  act(() => result.current.toggle('d', true));
  expect([...result.current.selected]).toEqual(['b', 'd']);
});
