import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TreeLine } from '../../../src/ui/tree/tree-line.tsx';
import { treeActions } from '../../../src/ui/tree/tree-actions.ts';
import { useSteadyCursor } from '../../../src/ui/tree/tree-cursor.ts';
import { useTreeWindow } from '../../../src/ui/tree/use-tree-window.ts';
import { RowList, type VisibleRows } from '../../../src/ui/tree/visible-rows.ts';
import { VirtualTree } from '../../../src/ui/tree/virtual-tree.tsx';

const ROW_PX = 28;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(10 * ROW_PX);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function listOf(count: number): VisibleRows {
  const rows = new RowList();
  for (let code = 0; code < count; code++) rows.add(code, -1);
  return rows.finish();
}

const opened = vi.fn<() => void>();

function Numbers({ rows }: { readonly rows: VisibleRows }): ReactElement {
  const [code, select] = useState(0);
  const cursor = useSteadyCursor({ code, select: (line: number) => select(line), toggle: () => undefined });
  const window = useTreeWindow({ rows, cursor: code, phoneRowPx: 44 });
  const actions = { ...treeActions({ rows, cursor, isOpen: () => undefined }), open: opened };
  return (
    <VirtualTree label="Numbers" columnCount={1} rows={rows} cursor={code} window={window} actions={actions}>
      {(line, place) => (
        <TreeLine {...place} isOpen={undefined} className="row" onSelect={cursor.select}>
          <div role="gridcell">{line}</div>
        </TreeLine>
      )}
    </VirtualTree>
  );
}

const selected = () => within(screen.getByRole('treegrid')).getByRole('row', { selected: true }).textContent;
const press = (key: string, more = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

test('of a hundred thousand lines only those in sight are there, and the selected one', () => {
  render(<Numbers rows={listOf(100_000)} />);
  const tree = screen.getByRole('treegrid', { name: 'Numbers' });
  expect(tree.getAttribute('aria-rowcount')).toBe('100000');
  expect(tree.style.height).toBe(`${100_000 * ROW_PX}px`);
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  const scroller = tree.parentElement as HTMLElement;
  scroller.scrollTop = 50_000 * ROW_PX;
  fireEvent.scroll(scroller);
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toContain('50005');
  expect(rows[0]).toBe('0');
  expect(rows.length).toBeLessThan(40);
});

test('keys of trees lead from line to line with the focus, pages are as long as what is in sight', () => {
  render(<Numbers rows={listOf(1000)} />);
  screen.getByRole('row', { name: '0' }).focus();
  press('ArrowDown');
  press('ArrowDown');
  press('ArrowUp');
  expect(selected()).toBe('1');
  press('PageDown');
  expect(selected()).toBe('9');
  expect(document.activeElement?.textContent).toBe('9');
  press('PageUp');
  expect(selected()).toBe('1');
  press('End');
  expect(selected()).toBe('999');
  expect(document.activeElement?.textContent).toBe('999');
  press('Home', { ctrlKey: true });
  expect(selected()).toBe('999');
  press('Home');
  expect(selected()).toBe('0');
  press('Enter');
  expect(opened).toHaveBeenCalledOnce();
});

test('a tree that never had the focus is not given it', () => {
  render(<Numbers rows={listOf(10)} />);
  fireEvent.click(screen.getByRole('row', { name: '5' }));
  expect(selected()).toBe('5');
  expect(document.activeElement).toBe(document.body);
  expect(
    screen
      .getAllByRole('row')
      .filter((row) => row.tabIndex === 0)
      .map((row) => row.textContent),
  ).toEqual(['5']);
});
