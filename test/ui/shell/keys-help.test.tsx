import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { KeyCap } from '../../../src/ui/controls/signs/key-cap.tsx';
import { KeysHelp } from '../../../src/ui/shell/keys-help.tsx';
import { type KeyBinding, useKeys } from '../../../src/ui/shell/keys.ts';
import { ownKey, resetKeys, swapKey } from '../../../src/ui/shell/own-keys.ts';

afterEach(() => {
  cleanup();
  resetKeys();
});

const run = (): void => undefined;

const BINDINGS: readonly KeyBinding[] = [
  { keys: ['j'], label: 'Next', run },
  { keys: ['x'], label: 'Select', run },
  { keys: ['g c'], label: 'Calls', run },
  { keys: ['Enter'], label: 'Look', within: () => null, run },
  { keys: ['Escape'], label: 'Close it', run },
];

function Page({ isOfAll = false, isOnly = false }) {
  useKeys('List', BINDINGS);
  return (
    <>
      <KeyCap keys="j" />
      <KeysHelp isOfAll={isOfAll} isOnly={isOnly} onClose={run} />
    </>
  );
}

function show(isOfAll = false, isOnly = false) {
  const shown = render(<Page isOfAll={isOfAll} isOnly={isOnly} />);
  // Keys of a part are known once it is drawn, and `?` opens later than that.
  shown.rerender(<Page isOfAll={isOfAll} isOnly={isOnly} />);
  const change = (label: string) => shown.getByRole('button', { name: new RegExp(`^${label}: .*, change$`) });
  const press = (key: string) => fireEvent.keyDown(shown.getByRole('button', { name: /press a key$/ }), { key });
  const words = () => shown.getByRole('status').textContent;
  return { ...shown, change, press, words };
}

test('the next key that is pressed is the new one, and is shown wherever the command is', () => {
  const { change, press, container } = show();
  fireEvent.click(change('Next'));
  // A key that is on its way to another one is none yet.
  press('Shift');
  press('M');
  expect(ownKey('j')).toBe('M');
  expect([...container.querySelectorAll('kbd')].map(({ textContent }) => textContent)).toEqual([
    'M',
    'M',
    'x',
    'g c',
    '↵',
    'Esc',
  ]);
  expect(document.activeElement).toBe(change('Next'));
});

test('a key that has a meaning already is named, and changes places when it is pressed once more', () => {
  const { change, press, words } = show();
  fireEvent.click(change('Next'));
  press('x');
  expect(words()).toContain('x is “Select”: press it once more to give “Select” the key j instead');
  expect(ownKey('j')).toBe('j');
  press('x');
  expect([ownKey('j'), ownKey('x')]).toEqual(['x', 'j']);
});

test('a key that begins another, and keys of lists and fields, are refused with the reason', () => {
  const { change, press, words } = show();
  fireEvent.click(change('Next'));
  for (const [key, reason] of [
    ['g', 'g begins the keys of “Calls”'],
    ['Enter', '↵ is a key of lists, fields and menus'],
    [' ', 'is a key of lists'],
  ] as const) {
    press(key);
    press(key);
    expect(words()).toContain(reason);
  }
  press('Escape');
  expect(ownKey('j')).toBe('j');
  expect(change('Next').textContent).toBe('j');
});

test.each([
  ...[...'cvxazrfltwnp'].map((key) => ({ key, ctrlKey: true })),
  { key: 'T', ctrlKey: true, shiftKey: true },
  { key: 'F5' },
  { key: 'ArrowLeft', altKey: true },
])('a key of the browser is refused: %j', (pressed) => {
  const { change, getByRole, words } = show();
  fireEvent.click(change('Next'));
  fireEvent.keyDown(getByRole('button', { name: /press a key$/ }), pressed);
  expect(words()).toContain('is a key of the browser');
  expect(ownKey('j')).toBe('j');
});

test('other keys with Ctrl or Alt are taken', () => {
  const { change, getByRole } = show();
  for (const [pressed, key] of [
    [{ key: 'b', ctrlKey: true }, 'Mod+b'],
    [{ key: 'j', altKey: true }, 'Alt+j'],
  ] as const) {
    fireEvent.click(change('Next'));
    fireEvent.keyDown(getByRole('button', { name: /press a key$/ }), pressed);
    expect(ownKey('j')).toBe(key);
  }
});

test('a key goes back only where it leaves no command without one: what is in the way is said', () => {
  const { change, press, words, getByRole } = show();
  // The others that begin with g.
  act(() => swapKey('g t', 'v'));
  act(() => swapKey('g r', 'b'));
  for (const [label, key] of [
    ['Calls', 'q'],
    ['Next', 'g'],
  ] as const) {
    fireEvent.click(change(label));
    press(key);
  }
  // “g” alone is a command now: “g c” would never be heard.
  fireEvent.click(getByRole('button', { name: 'Calls: back to g c' }));
  expect(words()).toBe('g c begins with the key of “Next”: change that first');
  expect([ownKey('g c'), ownKey('j')]).toEqual(['q', 'g']);
  fireEvent.click(getByRole('button', { name: 'Next: back to j' }));
  fireEvent.click(getByRole('button', { name: 'Calls: back to g c' }));
  expect([ownKey('g c'), ownKey('j')]).toEqual(['g c', 'j']);
  expect(words()).toBe('g c it is');
});

test('a key that another command has meanwhile goes back when that is asked for once more', () => {
  const { getByRole, words } = show();
  // Next has m, Select has j, and x is free.
  act(() => {
    swapKey('j', 'm');
    swapKey('x', 'j');
  });
  const back = () => fireEvent.click(getByRole('button', { name: 'Next: back to j' }));
  back();
  expect(words()).toContain('j is “Select”: press “back to j” once more to give “Select” the key m instead');
  expect([ownKey('j'), ownKey('x')]).toEqual(['m', 'j']);
  back();
  expect([ownKey('j'), ownKey('x')]).toEqual(['j', 'm']);
});

test('keys of a list that has the focus, and Escape, are shown and stay what they are', () => {
  const { getAllByRole } = show();
  const names = getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? '');
  expect(names.filter((name) => name.endsWith('change'))).toEqual([
    'Next: j, change',
    'Select: x, change',
    'Calls: g c, change',
  ]);
});

test('one key, and all of them, go back to what they were', () => {
  const { change, press, getByRole, queryByRole } = show();
  for (const [label, key] of [
    ['Next', 'm'],
    ['Calls', 'q'],
  ] as const) {
    fireEvent.click(change(label));
    press(key);
  }
  fireEvent.click(getByRole('button', { name: 'Next: back to j' }));
  expect([ownKey('j'), ownKey('g c')]).toEqual(['j', 'q']);
  expect(document.activeElement).toBe(change('Next'));
  fireEvent.click(getByRole('button', { name: 'All back to default' }));
  expect(ownKey('g c')).toBe('g c');
  expect(queryByRole('button', { name: /back to/ })).toBeNull();
});

test('whoever goes elsewhere has changed nothing', () => {
  const { change, getByRole } = show();
  fireEvent.click(change('Next'));
  act(() => getByRole('button', { name: 'Close' }).focus());
  expect(change('Next').textContent).toBe('j');
});

test('a key that has a meaning on another page is named with the part that it is of', () => {
  const { change, press, words } = show();
  fireEvent.click(change('Next'));
  press('n');
  expect(words()).toContain(
    'n is “Next error” (Trace) and “Next difference” (Compare) and “Next error” (Thread): press it once more',
  );
  expect([ownKey('j'), ownKey('n')]).toEqual(['j', 'n']);
  press('n');
  expect([ownKey('j'), ownKey('n')]).toEqual(['n', 'j']);
});

test('the keys of all pages can be changed where they are listed together', () => {
  const { getAllByRole, change, press } = show(true);
  const parts = getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(parts).toEqual(['Everywhere', 'List', 'Trace', 'Compare', 'Call', 'Feedback', 'Threads', 'Runs', 'Thread']);
  fireEvent.click(change('Zoom to the call'));
  press('v');
  expect(ownKey('f')).toBe('v');
});

test('keys of the page stand before those of all pages, whichever came first', () => {
  const Parts = () => {
    useKeys('Everywhere', [{ keys: ['t'], label: 'Switch theme', run }]);
    return <Page />;
  };
  const { rerender, getAllByRole } = render(<Parts />);
  rerender(<Parts />);
  const parts = getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(parts).toEqual(['List', 'Everywhere']);
});

test('keys that do the same stand in one line, and parts of one name below one heading', () => {
  const Parts = () => {
    useKeys('List', [
      { keys: ['ArrowDown'], label: 'Next', within: () => null, run },
      { keys: ['/'], label: 'Filter', run },
    ]);
    return <Page />;
  };
  const { rerender, container, getAllByRole } = render(<Parts />);
  rerender(<Parts />);
  expect(getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['List']);
  const lines = [...container.querySelectorAll('dl > div')].map((line) => [
    line.querySelector('dt')?.textContent,
    ...[...line.querySelectorAll('kbd')].map(({ textContent }) => textContent),
  ]);
  expect(lines.filter(([label]) => label === 'Next')).toEqual([['Next', expect.anything(), expect.anything()]]);
  expect(
    lines
      .find(([label]) => label === 'Next')
      ?.slice(1)
      .toSorted(),
  ).toEqual(['j', '↓']);
});

test('where there is no other page no key is taken by one', () => {
  const { change, press, words } = show(false, true);
  expect(words()).toBe('Click a key to change it.');
  fireEvent.click(change('Next'));
  // On the page of a trace it folds.
  press('h');
  expect([words(), ownKey('j')]).toEqual(['h it is', 'h']);
});
