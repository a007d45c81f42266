import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PartSection } from '../../../src/ui/call/part-section.tsx';
import { ToastPlace } from '../../../src/ui/controls/toast.tsx';
import { rootOf } from '../../../src/ui/json/json-node.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** As a pane shows it, with its buttons. */
function show(value: unknown): HTMLElement {
  const text = JSON.stringify(value);
  const node = rootOf(text);
  render(
    <ToastPlace>
      <PartSection name="Output" part={{ node, value: undefined, isTooLarge: false }} text={text} none="none" />
    </ToastPlace>,
  );
  return screen.getByRole('tree', { name: 'output' });
}

const tree = () => screen.getByRole('tree', { name: 'output' });
const rows = () => within(tree()).getAllByRole('treeitem');
const textOf = (row: HTMLElement) => row.textContent;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** The row that is chosen, which has the only tab stop and, after a key, the focus. */
function chosen(): string {
  const row = screen.getByRole('treeitem', { selected: true });
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toEqual([row]);
  return row.textContent;
}

const ORDER = {
  order: { id: 7, to: { city: 'Oslo', street: 'Storgata' } },
  lines: [
    { sku: 'A-1', count: 2 },
    { sku: 'B-2', count: 1 },
  ],
  note: 'Leave it at the door',
};

describe('the keys of a tree', () => {
  function key(...names: string[]): void {
    for (const name of names) fireEvent.keyDown(tree(), { key: name });
  }

  test('arrows go from line to line over closing brackets, and to both ends', () => {
    show(ORDER);
    key('ArrowDown');
    expect(chosen()).toMatch(/^"order"/);
    expect(document.activeElement?.textContent).toMatch(/^"order"/);
    key('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(chosen()).toMatch(/^"street"/);
    key('ArrowDown');
    expect(chosen()).toMatch(/^"lines"/);
    key('ArrowUp');
    expect(chosen()).toMatch(/^"street"/);
    key('End');
    expect(chosen()).toMatch(/^"note"/);
    key('ArrowDown');
    expect(chosen()).toMatch(/^"note"/);
    key('Home');
    expect(chosen()).toMatch(/^\{/);
    expect(rows()).toHaveLength(14);
  });

  test('to the left folds, and then goes to what a line is in; to the right unfolds, and then goes into it', () => {
    show(ORDER);
    key('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft');
    expect(chosen()).toMatch(/^"to"/);
    key('ArrowLeft');
    expect(screen.getByRole('treeitem', { selected: true }).getAttribute('aria-expanded')).toBe('false');
    expect(chosen()).toMatch(/^"to": .*2 keys$/);
    expect(rows()).toHaveLength(12);
    key('ArrowLeft');
    expect(chosen()).toMatch(/^"order"/);
    key('Enter');
    expect(rows()).toHaveLength(10);
    key('ArrowRight');
    // What was folded in it is as it was.
    expect(rows()).toHaveLength(12);
    key('ArrowRight');
    expect(chosen()).toMatch(/^"id"/);
  });

  test('each line says its level, and its place among its siblings', () => {
    show(ORDER);
    key('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    const row = screen.getByRole('treeitem', { selected: true });
    const said = ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => row.getAttribute(name));
    expect([textOf(row), ...said]).toEqual(['"city": "Oslo",', '4', '1', '2', null]);
  });

  test('keys of the browser stay its own', () => {
    show(ORDER);
    fireEvent.keyDown(tree(), { key: 'ArrowDown', altKey: true });
    fireEvent.keyDown(tree(), { key: 'End', ctrlKey: true });
    expect(screen.queryByRole('treeitem', { selected: true })).toBeNull();
  });
});

describe('a search in a value', () => {
  const finder = () => document.querySelector('search');

  function find(text: string): HTMLElement {
    if (finder() === null) press('Search in output');
    const field = screen.getByRole('textbox', { name: 'Search in this value' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: text } });
    return field;
  }

  const said = () => finder()?.querySelector('output')?.textContent;

  test('counts names and values in any case, and goes through them round and back', () => {
    show(ORDER);
    const field = find('SKU');
    expect(said()).toBe('2 found');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect([said(), chosen()]).toEqual(['1 of 2', '"sku": "A-1",']);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect([said(), chosen()]).toEqual(['2 of 2', '"sku": "B-2",']);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect([said(), chosen()]).toEqual(['1 of 2', '"sku": "A-1",']);
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    expect([said(), chosen()]).toEqual(['2 of 2', '"sku": "B-2",']);
    // Whoever searches goes on typing.
    expect(document.activeElement).toBe(field);
    find('storgata');
    expect(said()).toBe('1 found');
    find('nowhere');
    expect(said()).toBe('not found');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(finder()).toBeNull();
  });

  test('goes back from the last place, also when it begins', () => {
    show(ORDER);
    const field = find('or');
    const back = () => fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    back();
    expect([said(), chosen()]).toEqual(['3 of 3', '"note": "Leave it at the door"']);
    back();
    expect([said(), chosen()]).toEqual(['2 of 3', '"street": "Storgata"']);
    back();
    expect([said(), chosen()]).toEqual(['1 of 3', '"order": {']);
    back();
    expect(said()).toBe('3 of 3');
  });

  test('opens what the place that was found is folded in', () => {
    show(ORDER);
    press('Expand all of output');
    press('Fold all of output');
    expect(rows()).toHaveLength(1);
    const field = find('storgata');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(chosen()).toBe('"street": "Storgata"');
    // No more than that is opened.
    expect(rows().map(textOf)).toEqual([
      '{',
      '"order": {',
      '"id": 7,',
      '"to": {',
      '"city": "Oslo",',
      '"street": "Storgata"',
      expect.stringMatching(/^"lines": .*2 items$/),
      '"note": "Leave it at the door"',
    ]);
  });

  test('finds what is written with signs that mean something in a pattern or in JSON', () => {
    show({ price: '(1+1) "each" \\ piece', other: '11' });
    find('(1+1) "each" \\');
    expect(said()).toBe('1 found');
  });

  test('says that there are more than it counts', () => {
    show({ all: 'x'.repeat(1500) });
    find('x');
    expect(said()).toBe('1,000+ found');
  });
});

describe('all of a value', () => {
  test('is opened and folded by one button', () => {
    const levels = { a: { b: { c: { d: { e: 'deep' } } } } };
    show({ levels, wide: Array.from({ length: 61 }, (_, index) => [index]) });
    // Only what fits on a screen is open at first.
    expect(rows().length).toBeLessThan(60);
    press('Expand all of output');
    expect(rows()).toHaveLength(1 + 6 + 1 + 2 * 61);
    expect(tree().textContent).toContain('"e": "deep"');
    expect(screen.queryByText(/rows are open/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Expand all of output' })).toBeNull();
    press('Fold all of output');
    expect(rows().map(textOf)).toEqual([expect.stringContaining('2 keys')]);
  });

  test('of a very large one as much as a page bears is opened, and that is said', () => {
    // 100 lists of 50 numbers are 5,100 lines; all but the numbers are one level.
    const lists = Array.from({ length: 100 }, () => Array.from({ length: 50 }, (_, index) => index));
    show(lists);
    press('Expand all of output');
    const note = screen.getByText(/rows are open/).textContent;
    const open = Number(
      /^The first ([\d,]+) rows are open; what is below is still folded\.$/.exec(note)?.[1]?.replace(',', ''),
    );
    expect(open).toBeGreaterThan(1000);
    expect(open).toBeLessThanOrEqual(2200);
    press('Fold all of output');
    expect(screen.queryByText(/rows are open/)).toBeNull();
  });
});

test('the path of a line and the whole value are copied', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  show(ORDER);
  press('Copy path output.lines[1].sku');
  await waitFor(() => expect(writeText).toHaveBeenLastCalledWith('output.lines[1].sku'));
  press('Copy output');
  await waitFor(() => expect(writeText).toHaveBeenLastCalledWith(JSON.stringify(ORDER)));
});

test('what stands for something else is shown as that, without a sign for opening it, and opens by its name', () => {
  const file = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'a.bin': 'digest' } };
  show({ file, lost: { _svc: { error: '<EXCEEDS_LIMITS>' } }, plain: { a: 1 } });
  const signsOf = (name: string): number => {
    const row = rows().find(({ textContent }) => textContent.startsWith(`"${name}"`));
    return row?.querySelectorAll('[aria-label="Fold"], [aria-label="Unfold"]').length ?? -1;
  };
  expect(['file', 'lost', 'plain'].map(signsOf)).toEqual([0, 0, 1]);
  expect(tree().textContent).toContain('"lost": not kept: too large for the service');
  fireEvent.click(within(tree()).getByText('"lost"'));
  expect(tree().textContent).toContain('"error"');
  expect(signsOf('lost')).toBe(1);
});
