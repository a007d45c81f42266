import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { diffRows } from '../../../src/ui/compare/text/diff-rows.ts';
import { DiffView } from '../../../src/ui/compare/text/diff-view.tsx';

afterEach(cleanup);

function linesOf(count: number, last: string): string {
  return [...Array.from({ length: count }, (_, index) => `line ${index + 1}`), last].join('\n');
}

function press(name: RegExp): void {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
}

test('lines that are unfolded have the focus in the place of what was pressed', () => {
  render(<DiffView label="Source" rows={diffRows(linesOf(40, 'a'), linesOf(40, 'b'))} />);
  press(/equal lines$/);
  expect(document.activeElement?.textContent).toMatch(/^1\s*line 1$/);
  expect(screen.queryByRole('button', { name: /equal lines$/ })).toBeNull();
});

test('further lines have the focus from the first of them on', () => {
  render(<DiffView label="Source" rows={diffRows(undefined, linesOf(1000, 'b'))} isPlain />);
  press(/more lines$/);
  expect(document.activeElement?.textContent).toMatch(/^601\s*line 601$/);
  expect(screen.queryByRole('button', { name: /more lines$/ })).toBeNull();
});
