import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { latePart } from '../../../src/ui/controls/late-part.tsx';
import { HeldKeys, holdKeys } from '../../../src/ui/shell/held-keys.ts';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

interface BoxProps {
  readonly onClose: () => void;
}

function Box({ onClose }: BoxProps): ReactElement {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <dialog open>
      <label>
        Jump to <input ref={field} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button onClick={onClose}>Close</button>
    </dialog>
  );
}

/** A page that counts the keys that it gets. */
function keysOfPage(): readonly string[] {
  const keys: string[] = [];
  const onKey = (event: KeyboardEvent) => void keys.push(event.key);
  addEventListener('keydown', onKey);
  onTestFinished(() => removeEventListener('keydown', onKey));
  return keys;
}

function press(...keys: readonly string[]): void {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

test.each([
  [['N', 'e', 'x', 't'], 'Next'],
  [['#', 'd', 'Backspace', 'Backspace', 'Backspace', 'a', ' ', 'b'], 'a b'],
  [['ArrowDown', 'Enter'], ''],
  [['😀', 'Backspace', '😀', 'é'], '😀é'],
  [Array.from({ length: 500 }, () => 'x'), 'x'.repeat(500)],
])('keys that follow the one that opens a part are typed into it when it comes, %#', async (keys, typed) => {
  const seen = keysOfPage();
  let arrive: (code: typeof Box) => void = () => undefined;
  const code = new Promise<typeof Box>((resolve) => (arrive = resolve));
  const Late = latePart(() => code, HeldKeys);
  render(<Late onClose={() => undefined} />);
  press(...keys);
  expect(seen).toEqual([]);
  await act(async () => arrive(Box));
  const field = screen.getByRole<HTMLInputElement>('textbox');
  expect(field.value).toBe(typed);
  // Of whoever goes on typing, nothing is held any more.
  press('j');
  expect(seen).toEqual(['j']);
});

test('Escape gives the part up, and what was typed is typed nowhere', () => {
  const filter = document.body.appendChild(document.createElement('input'));
  filter.focus();
  const onClose = vi.fn<() => void>();
  const { rerender } = render(<HeldKeys onClose={onClose} />);
  press('a', 'b', 'Escape');
  expect(onClose).toHaveBeenCalledOnce();
  rerender(<p />);
  expect(filter.value).toBe('');
});

test('a part that cannot be loaded leaves nothing in the field that had the focus before', () => {
  const filter = document.body.appendChild(document.createElement('input'));
  filter.focus();
  const release = holdKeys(() => undefined);
  press('a', 'b');
  release();
  expect(filter.value).toBe('');
});

test('keys of the browser are not held', () => {
  const seen = keysOfPage();
  const release = holdKeys(() => undefined);
  onTestFinished(release);
  press('Tab', 'F5');
  fireEvent.keyDown(document.body, { key: 'r', ctrlKey: true });
  expect(seen).toEqual(['Tab', 'F5', 'r']);
});

test('signs that need AltGr or Option are held, those of shortcuts and of a key that is held down are not', () => {
  const seen = keysOfPage();
  const field = document.body
    .appendChild(document.createElement('dialog'))
    .appendChild(document.createElement('input'));
  field.closest('dialog')?.setAttribute('open', '');
  const release = holdKeys(() => undefined);
  fireEvent.keyDown(document.body, { key: 'k', repeat: true });
  fireEvent.keyDown(document.body, { key: '@', altKey: true });
  fireEvent.keyDown(document.body, { key: '{', altKey: true, ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
  expect(seen).toEqual(['a']);
  field.focus();
  release();
  expect(field.value).toBe('@{');
});

test('who points elsewhere meanwhile goes on there', () => {
  const seen = keysOfPage();
  const release = holdKeys(() => undefined);
  press('a');
  fireEvent.pointerDown(document.body);
  press('b');
  expect(seen).toEqual(['b']);
  release();
});
