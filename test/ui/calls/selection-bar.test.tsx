// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { SelectionBar } from '../../../src/ui/calls/selection-bar.tsx';

afterEach(cleanup);

const nothing = () => undefined;

function offered(): readonly string[] {
  render(
    <SelectionBar count={2} total={100} onExport={nothing} onCopy={nothing} onDelete={nothing} onClear={nothing} />,
  );
  // The browser's own part of a menu.
  Object.defineProperty(HTMLElement.prototype, 'showPopover', { value: nothing, configurable: true });
  fireEvent.click(screen.getByRole('button', { name: /Export/ }));
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
}

test('all of a filter can be exported', () => {
  expect(offered()).toContain('All 100 calls of the filter as JSONL');
});
