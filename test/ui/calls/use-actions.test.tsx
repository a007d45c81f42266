// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pressInBar, SelectionBar, useActions, WorkLine } from '../../../src/ui/calls/use-actions.tsx';
import { useHiddenCalls, WorksPlace } from '../../../src/ui/calls/works.tsx';
import { ToastPlace } from '../../../src/ui/controls/toast.tsx';
import type { CallRow } from '../../../src/ui/data/answers.ts';

const nothing = (): void => undefined;

beforeEach(() => {
  // The browser's own parts of a menu.
  for (const name of ['showPopover', 'hidePopover'])
    Object.defineProperty(HTMLElement.prototype, name, { value: nothing, configurable: true });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PROJECT = 'local/app';
const ROWS = ['a', 'b'].map((id) => ({ id }) as CallRow);

/** As much of a list as there is to do with its calls. */
function List(): ReactElement {
  const actions = useActions({ project: PROJECT, selection: undefined, rows: ROWS, onDone: nothing });
  const hidden = useHiddenCalls(PROJECT);
  return (
    <>
      {actions.works.map((work) => (
        <WorkLine key={work.doing} work={work} onLeave={nothing} />
      ))}
      <p>{ROWS.filter(({ id }) => !hidden.has(id)).length} rows</p>
      <SelectionBar count={2} total={2} actions={actions} onClear={nothing} onLeave={nothing} />
    </>
  );
}

const client = new QueryClient();

const pageWith = (list: boolean) => (
  <QueryClientProvider client={client}>
    <ToastPlace>
      <WorksPlace>{list ? <List /> : <p>elsewhere</p>}</WorksPlace>
    </ToastPlace>
  </QueryClientProvider>
);

/** The service answers once it is told to. */
function heldService(): { readonly asked: string[]; readonly answer: () => void } {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ id: `feedback-${asked.length}` });
  });
  return { asked, answer: () => waiting.splice(0).forEach((resolve) => resolve()) };
}

test('a work goes on while one is elsewhere, is there again with the list, and is done once', async () => {
  const { asked, answer } = heldService();
  const { rerender } = render(pageWith(true));
  fireEvent.click(await screen.findByRole('button', { name: /^Feedback/ }));
  fireEvent.click(screen.getByRole('menuitem', { name: /Good/ }));
  await screen.findByText('0 of 2 calls');
  rerender(pageWith(false));
  expect(screen.queryByText('0 of 2 calls')).toBeNull();
  rerender(pageWith(true));
  await screen.findByText('0 of 2 calls');
  // The same calls would get it twice.
  fireEvent.click(screen.getByRole('button', { name: /^Feedback/ }));
  fireEvent.click(screen.getByRole('menuitem', { name: /Good/ }));
  await screen.findByText(/Feedback is being given/);
  expect(asked).toHaveLength(2);
  rerender(pageWith(false));
  await act(async () => answer());
  await screen.findByText('Feedback given to 2 calls');
  rerender(pageWith(true));
  expect(screen.queryByText(/of 2 calls/)).toBeNull();
});

test('a work that was begun before one went elsewhere is stopped where one comes back', async () => {
  const { answer } = heldService();
  const { rerender } = render(pageWith(true));
  fireEvent.click(await screen.findByRole('button', { name: /^Feedback/ }));
  fireEvent.click(screen.getByRole('menuitem', { name: /Good/ }));
  await screen.findByText('0 of 2 calls');
  rerender(pageWith(false));
  rerender(pageWith(true));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await act(async () => answer());
  await waitFor(() => expect(screen.queryByText('0 of 2 calls')).toBeNull());
});

test('calls that are being deleted do not come back with the list, but by Undo', async () => {
  const { asked } = heldService();
  const { rerender } = render(pageWith(true));
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  rerender(pageWith(false));
  rerender(pageWith(true));
  expect(screen.getByText('0 rows')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(screen.getByText('2 rows')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('a button of the bar is pressed at once, or as soon as the bar has come', async () => {
  const pressed = vi.fn<() => void>();
  const bar = () => (
    <button type="button" id="export" onClick={pressed}>
      Export
    </button>
  );
  pressInBar('export');
  // The row was chosen, and the bar is drawn with the next frame.
  const { rerender } = render(bar());
  await waitFor(() => expect(pressed).toHaveBeenCalledTimes(1));
  pressInBar('export');
  expect(pressed).toHaveBeenCalledTimes(2);
  rerender(<p />);
  pressInBar('export');
  await act(async () => void (await new Promise((resolve) => requestAnimationFrame(resolve))));
  expect(pressed).toHaveBeenCalledTimes(2);
});

test('a note for many that could not be saved is still there, and is sent again', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ reason: 'no room', error_code: 'forbidden' }, { status: 403 }));
  render(pageWith(true));
  fireEvent.click(await screen.findByRole('button', { name: /^Feedback/ }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'wrong tool' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }));
  await screen.findByText('Feedback given to 0 of 2 calls: no room');
  const note = screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' });
  expect(note.value).toBe('wrong tool');
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push((JSON.parse(body as string) as { readonly payload: unknown }).payload);
    return Response.json({ id: `feedback-${sent.length}` });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }));
  await screen.findByText('Feedback given to 2 calls');
  expect(sent).toEqual([{ note: 'wrong tool' }, { note: 'wrong tool' }]);
});
