import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SelectionBar } from '../../../src/ui/calls/selection-bar.tsx';
import type { GivenFeedback } from '../../../src/ui/data/give-feedback.ts';

const nothing = () => undefined;

// The browser's own parts of a menu.
beforeEach(() => {
  for (const name of ['showPopover', 'hidePopover'])
    Object.defineProperty(HTMLElement.prototype, name, { value: nothing, configurable: true });
});
afterEach(cleanup);

const ACTIONS = { exportAs: nothing, copy: nothing, give: nothing, remove: nothing };

const BAR = {
  count: 2,
  actions: ACTIONS,
  onWhy: nothing,
  onClear: nothing,
  onLeave: nothing,
};

function barOf(total: number | undefined): ReactElement {
  return <SelectionBar {...BAR} total={total} />;
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

describe('feedback is given to what is selected', () => {
  function open() {
    const given = vi.fn<(feedback: GivenFeedback) => void>();
    render(<SelectionBar {...BAR} total={100} actions={{ ...ACTIONS, give: given }} />);
    fireEvent.click(screen.getByRole('button', { name: /Feedback/ }));
    return given;
  }

  test('a thumb by its item', () => {
    const given = open();
    fireEvent.click(screen.getByRole('menuitem', { name: /Bad/ }));
    expect(given.mock.calls).toEqual([[{ feedback_type: 'svc.reaction.1', payload: { emoji: '👎' } }]]);
  });

  test('a note by its field', () => {
    const given = open();
    const save = screen.getByRole('button', { name: 'Save note' });
    expect(save).toHaveProperty('disabled', true);
    fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: ' wrong tool ' } });
    fireEvent.click(save);
    expect(given.mock.calls).toEqual([[{ feedback_type: 'svc.note.1', payload: { note: 'wrong tool' } }]]);
  });

  test.each(['Home', 'End', 'ArrowLeft', 'b'])('%s stays in the field of the note', (key) => {
    open();
    const field = screen.getByRole('textbox', { name: 'Note' });
    act(() => field.focus());
    expect(fireEvent.keyDown(field, { key })).toBe(true);
    expect(document.activeElement).toBe(field);
  });

  test.each([
    ['ArrowUp', 'Bad'],
    ['ArrowDown', 'Good'],
  ])('%s leads from the field to the items', (key, name) => {
    open();
    const field = screen.getByRole('textbox', { name: 'Note' });
    act(() => field.focus());
    fireEvent.keyDown(field, { key });
    expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: new RegExp(name) }));
  });
});

test.each([
  ['its own button', () => screen.getByRole('button', { name: /Delete/ }), 1],
  ['something else', () => screen.getByRole('button', { name: 'elsewhere' }), 0],
])('as it goes while %s has the focus, the focus is handed on or not', (_, find, times) => {
  const left = vi.fn<() => void>();
  const page = (isShown: boolean) => (
    <>
      <button type="button">elsewhere</button>
      {isShown && <SelectionBar {...BAR} total={1} onLeave={left} />}
    </>
  );
  const { rerender } = render(page(true));
  act(() => find().focus());
  rerender(page(false));
  expect(left).toHaveBeenCalledTimes(times);
});
