import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GridState } from '../../../src/ui/grid/use-grid.ts';
import { useGrid } from '../../../src/ui/grid/use-grid.ts';
import { VirtualGrid } from '../../../src/ui/grid/virtual-grid.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const ids = ['a', 'b', 'c'];
const COLUMNS = [{ id: 'name', head: 'Name', width: '1fr', minPx: 10, cell: (row: string) => row }];
const nothing = () => undefined;

let grid: GridState;

function List(): ReactElement {
  grid = useGrid(ids);
  const ways = { onSort: nothing, onPeek: nothing, onOpen: nothing, onStart: nothing, onEnd: nothing };
  return (
    <>
      <button type="button">item of a menu</button>
      <VirtualGrid
        label="Names"
        rows={ids}
        above={0}
        idOf={(row) => row}
        columns={COLUMNS}
        rowCount={ids.length}
        rowPx={28}
        grid={grid}
        openId=""
        sorting={{ field: 'name', direction: 'asc' }}
        bones={0}
        phoneRow={undefined}
        scroller={nothing}
        onScroll={nothing}
        {...ways}
      />
    </>
  );
}

test('the focus follows to the row that keys lead to', () => {
  render(<List />);
  act(() => void grid.move(1));
  act(() => void vi.advanceTimersToNextFrame());
  expect(document.activeElement?.textContent).toContain('b');
});

test('what took the focus before the next frame, as a menu that a key has opened, keeps it', () => {
  render(<List />);
  act(() => void grid.move(1));
  const item = screen.getByRole('button', { name: 'item of a menu' });
  item.focus();
  act(() => void vi.advanceTimersToNextFrame());
  expect(document.activeElement).toBe(item);
});
