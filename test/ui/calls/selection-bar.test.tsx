// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SelectionBar } from '../../../src/ui/calls/selection-bar.tsx';

const nothing = () => undefined;

// The browser's own part of a menu.
beforeEach(
  () => void Object.defineProperty(HTMLElement.prototype, 'showPopover', { value: nothing, configurable: true }),
);
afterEach(cleanup);

function barOf(total: number | undefined): ReactElement {
  return (
    <SelectionBar count={2} total={total} onExport={nothing} onCopy={nothing} onDelete={nothing} onClear={nothing} />
  );
}

test('all of a filter can be exported', () => {
  render(barOf(100));
  fireEvent.click(screen.getByRole('button', { name: /Export/ }));
  const offered = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(offered).toContain('All 100 calls of the filter as JSONL');
});

test('an item that has the focus keeps it when its count changes', () => {
  const { rerender } = render(barOf(undefined));
  fireEvent.click(screen.getByRole('button', { name: /Export/ }));
  const item = screen.getByRole('menuitem', { name: 'All of the filter as JSONL' });
  act(() => item.focus());
  for (const total of [1, 2, 1_000_000]) {
    rerender(barOf(total));
    expect(document.activeElement).toBe(item);
    expect(item.textContent).toMatch(/^All [\d,]+ calls? of the filter as JSONL$/);
  }
});
