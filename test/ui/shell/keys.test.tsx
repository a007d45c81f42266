import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { handleKey, type KeyBinding, keysNow, LETTER_KEYS, runKey, useKeys } from '../../../src/ui/shell/keys.ts';
import { swapKey, resetKeys } from '../../../src/ui/shell/own-keys.ts';
import { remember } from '../../../src/ui/shell/remembered.ts';

afterEach(() => {
  cleanup();
  resetKeys();
  document.body.replaceChildren();
  document.removeEventListener('keydown', handleKey);
});

function Bound({ name, bindings }: { name: string; bindings: readonly KeyBinding[] }) {
  useKeys(name, bindings);
  return <input aria-label="field" />;
}

function press(key: string, target: EventTarget = document.body, options: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  target.dispatchEvent(event);
  return event;
}

function show(bindings: readonly KeyBinding[]) {
  document.addEventListener('keydown', handleKey);
  return render(<Bound name="List" bindings={bindings} />);
}

test('a key does what it is bound to, and two keys in a row too', () => {
  const [next, go] = [vi.fn<() => void>(), vi.fn<() => void>()];
  show([
    { keys: ['j'], label: 'Next', run: next },
    { keys: ['g c'], label: 'Calls', run: go },
  ]);
  expect(press('j').defaultPrevented).toBe(true);
  press('g');
  press('c');
  expect(next).toHaveBeenCalledOnce();
  expect(go).toHaveBeenCalledOnce();
});

test('keys of one character can be turned off; a button that stands for one still does what it does', () => {
  const [help, go, jump, close] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
  show([
    { keys: ['?'], label: 'Keys', run: help },
    { keys: ['g c'], label: 'Calls', run: go },
    { keys: ['Mod+k'], label: 'Jump', run: jump },
    { keys: ['Escape'], label: 'Close', run: close },
  ]);
  remember(LETTER_KEYS, 'off');
  for (const key of ['?', 'g', 'c', 'Escape']) press(key);
  press('k', document.body, { ctrlKey: true });
  expect([help, go, jump, close].map((run) => run.mock.calls.length)).toEqual([0, 0, 1, 1]);
  runKey('?');
  expect(help).toHaveBeenCalledOnce();
  remember(LETTER_KEYS, 'on');
  press('?');
  expect(help).toHaveBeenCalledTimes(2);
});

test('letters are letters while something is typed, but for those that work everywhere', () => {
  const [next, jump] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { getByLabelText } = show([
    { keys: ['j'], label: 'Next', run: next },
    { keys: ['Mod+k'], label: 'Jump', isEverywhere: true, run: jump },
  ]);
  press('j', getByLabelText('field'));
  press('k', getByLabelText('field'), { ctrlKey: true });
  expect(next).not.toHaveBeenCalled();
  expect(jump).toHaveBeenCalledOnce();
});

test('a key of a part is left to buttons in it', () => {
  const open = vi.fn<() => void>();
  const button = document.createElement('button');
  const row = document.createElement('div');
  document.body.append(row, button);
  row.append(button);
  show([{ keys: ['Enter'], label: 'Open', within: () => row, run: open }]);
  press('Enter', button);
  expect(open).not.toHaveBeenCalled();
  press('Enter', row);
  expect(open).toHaveBeenCalledOnce();
});

test('a key of a part works on a link in it, which has no use for any but Enter', () => {
  const [open, next] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const row = document.createElement('div');
  const link = document.createElement('a');
  document.body.append(row);
  row.append(link);
  show([
    { keys: ['Enter'], label: 'Open', within: () => row, run: open },
    { keys: ['ArrowDown'], label: 'Next', within: () => row, run: next },
  ]);
  press('Enter', link);
  press('ArrowDown', link);
  expect([open, next].map((run) => run.mock.calls.length)).toEqual([0, 1]);
});

test('a key of a part works where nothing has the focus, as a row gets it a moment after j', () => {
  const open = vi.fn<() => void>();
  const row = document.createElement('div');
  const elsewhere = document.createElement('div');
  document.body.append(row, elsewhere);
  show([{ keys: ['Enter'], label: 'Open', within: () => row, run: open }]);
  press('Enter', elsewhere);
  expect(open).not.toHaveBeenCalled();
  press('Enter', document.body);
  expect(open).toHaveBeenCalledOnce();
});

test('a key that is held down deletes once, and steps on and on', () => {
  const [remove, next] = [vi.fn<() => void>(), vi.fn<() => void>()];
  show([
    { keys: ['#'], label: 'Delete', isOnce: true, run: remove },
    { keys: ['j'], label: 'Next', run: next },
  ]);
  for (const key of ['#', 'j']) {
    press(key);
    expect(press(key, document.body, { repeat: true }).defaultPrevented).toBe(true);
  }
  expect(remove).toHaveBeenCalledTimes(1);
  expect(next).toHaveBeenCalledTimes(2);
});

test('an open menu has the keys: Escape closes it, and no call behind it', () => {
  const [close, jump] = [vi.fn<() => void>(), vi.fn<() => void>()];
  show([
    { keys: ['Escape'], label: 'Close', run: close },
    { keys: ['Mod+k'], label: 'Jump', isEverywhere: true, run: jump },
  ]);
  // The browser's part: which element floats.
  const menu = vi.spyOn(document, 'querySelector');
  menu.mockImplementation((selector) => (selector.includes(':popover-open') ? document.body : null));
  expect(press('Escape').defaultPrevented).toBe(false);
  press('k', document.body, { ctrlKey: true });
  menu.mockRestore();
  expect(close).not.toHaveBeenCalled();
  expect(jump).toHaveBeenCalledOnce();
  press('Escape');
  expect(close).toHaveBeenCalledOnce();
});

test('what is listed is what works: a part that is gone has no keys', () => {
  const { unmount } = show([{ keys: ['j'], label: 'Next', run: () => undefined }]);
  expect(keysNow().map(({ name }) => name)).toEqual(['List']);
  unmount();
  expect(keysNow()).toEqual([]);
});

test('what is selected is meant before what was opened later, and after it when there is nothing selected', () => {
  document.addEventListener('keydown', handleKey);
  const [list, panel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const all = (isFirst: boolean) => (
    <>
      <Bound name="List" bindings={[{ keys: ['+'], label: 'Good', isFirst, run: list }]} />
      <Bound name="Call" bindings={[{ keys: ['+'], label: 'good', run: panel }]} />
    </>
  );
  const { rerender } = render(all(true));
  press('+');
  expect([list.mock.calls.length, panel.mock.calls.length]).toEqual([1, 0]);
  rerender(all(false));
  press('+');
  expect([list.mock.calls.length, panel.mock.calls.length]).toEqual([1, 1]);
});

test('a command is done by the key that it was given, and its own key does what that one did', () => {
  const [next, select, calls] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
  show([
    { keys: ['j'], label: 'Next', run: next },
    { keys: ['x'], label: 'Select', run: select },
    { keys: ['g c'], label: 'Calls', run: calls },
  ]);
  const counts = () => [next, select, calls].map((run) => run.mock.calls.length);
  swapKey('j', 'm');
  press('j');
  expect(counts()).toEqual([0, 0, 0]);
  press('m');
  expect(counts()).toEqual([1, 0, 0]);
  swapKey('j', 'x');
  press('x');
  expect(counts()).toEqual([2, 0, 0]);
  press('m');
  expect(counts()).toEqual([2, 1, 0]);
  swapKey('g c', 'q');
  press('g');
  press('c');
  expect(counts()).toEqual([2, 1, 0]);
  press('q');
  expect(counts()).toEqual([2, 1, 1]);
  runKey('j');
  expect(counts()).toEqual([3, 1, 1]);
});

test('a key with Ctrl goes on where keys of one character are off; a letter types, whatever it was given', () => {
  const [next, jump] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { getByLabelText } = show([
    { keys: ['j'], label: 'Next', run: next },
    { keys: ['Mod+k'], label: 'Jump', isEverywhere: true, run: jump },
  ]);
  swapKey('Mod+k', 'm');
  expect(press('m', getByLabelText('field')).defaultPrevented).toBe(false);
  expect(jump).not.toHaveBeenCalled();
  press('m');
  expect(jump).toHaveBeenCalledOnce();
  swapKey('j', 'Alt+j');
  remember(LETTER_KEYS, 'off');
  press('j', document.body, { altKey: true });
  press('m');
  remember(LETTER_KEYS, 'on');
  expect([next, jump].map((run) => run.mock.calls.length)).toEqual([1, 1]);
});
