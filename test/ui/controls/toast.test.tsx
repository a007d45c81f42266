import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ToastMessage, ToastPlace, useToast } from '../../../src/ui/controls/toast.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

let show: (message: ToastMessage) => void = () => undefined;

function Page(): ReactElement {
  show = useToast();
  return <p>page</p>;
}

function open(): { readonly undo: ReturnType<typeof vi.fn>; readonly gone: ReturnType<typeof vi.fn> } {
  render(
    <ToastPlace>
      <Page />
    </ToastPlace>,
  );
  const [undo, gone] = [vi.fn<() => void>(), vi.fn<(isLeaving: boolean) => void>()];
  act(() => show({ text: 'deleted', action: { label: 'Undo', run: undo }, onGone: gone }));
  return { undo, gone };
}

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

test('what can be undone stays when something else is said', () => {
  const { undo, gone } = open();
  act(() => show({ text: 'copied' }));
  act(() => show({ text: 'exported' }));
  expect(screen.getByRole('status').textContent).toBe('deletedUndoexported');
  expect(gone).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  pass(60_000);
  expect(undo).toHaveBeenCalledOnce();
  expect(gone).not.toHaveBeenCalled();
  expect(screen.getByRole('status').textContent).toBe('');
});

test('it waits while somebody points at it or has the focus in it', () => {
  const { gone } = open();
  const button = screen.getByRole('button', { name: 'Undo' });
  fireEvent.pointerEnter(button.parentElement ?? button);
  act(() => button.focus());
  pass(60_000);
  fireEvent.pointerLeave(button.parentElement ?? button);
  pass(60_000);
  expect(gone).not.toHaveBeenCalled();
  act(() => button.blur());
  pass(6000);
  expect(gone).toHaveBeenCalledExactlyOnceWith(false);
});

test('what was said to be done is done when the page is left before', () => {
  const { gone } = open();
  act(() => void dispatchEvent(new Event('pagehide')));
  expect(gone).toHaveBeenCalledExactlyOnceWith(true);
  pass(60_000);
  expect(gone).toHaveBeenCalledOnce();
});
