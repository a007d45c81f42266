import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pressInBar, SelectionBar, useActions } from '../../../src/ui/calls/use-actions.tsx';
import { WorksFoot } from '../../../src/ui/calls/works-foot.tsx';
import { useHiddenCalls } from '../../../src/ui/calls/works.tsx';
import type { CallRow, Session } from '../../../src/ui/data/answers.ts';
import { useGoneCalls, useTouchedCalls } from '../../../src/ui/data/touched-calls.ts';
import { ProjectButton } from '../../../src/ui/shell/project-button.tsx';
import { VisitorPlaces } from '../../../src/ui/visitor-places.tsx';

const nothing = (): void => undefined;

beforeEach(() => {
  // The browser's own parts of a menu.
  for (const name of ['showPopover', 'hidePopover'])
    Object.defineProperty(HTMLElement.prototype, name, { value: nothing, configurable: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const PROJECT = 'local/app';
const ROWS = ['a', 'b'].map((id) => ({ id }) as CallRow);
/** More than are given feedback at a time. */
const MANY = Array.from({ length: 20 }, (_, index) => ({ id: `call-${index}` }) as CallRow);

interface ListProps {
  readonly rows: readonly CallRow[];
  readonly onDone?: () => void;
}

function List({ rows, onDone = nothing }: ListProps): ReactElement {
  const actions = useActions({ project: PROJECT, selection: undefined, rows, onDone });
  const hidden = useHiddenCalls(PROJECT);
  return (
    <>
      <p>{rows.filter(({ id }) => !hidden.has(id)).length} rows</p>
      <SelectionBar
        onWhy={nothing}
        count={rows.length}
        total={rows.length}
        actions={actions}
        onClear={nothing}
        onLeave={nothing}
      />
    </>
  );
}

/** A list whose selection goes when it has been used. */
function Selection({ told }: { readonly told: number[] }): ReactElement {
  const [rows, setRows] = useState<readonly CallRow[]>(ROWS);
  useTouchedCalls(PROJECT, () => told.push(rows.length));
  return <List rows={rows} onDone={() => setRows([])} />;
}

const client = new QueryClient();

const SESSION = { version: '1.0.0', url: 'http://127.0.0.1:1', started_at: '2026-11-26T00:00:00Z', opens_files: false };

const sessionOf = (visitor: string | undefined): Session | undefined =>
  visitor === undefined ? undefined : { ...SESSION, user_id: visitor, entities: [visitor] };

/** `visitor`: null while nobody is logged in. */
const pageWith = (list: boolean, rows = ROWS, visitor: string | null = 'anna') => (
  <QueryClientProvider client={client}>
    <VisitorPlaces session={sessionOf(visitor ?? undefined)}>
      {visitor !== null && (
        <>
          <ProjectButton project={PROJECT} />
          {list ? <List rows={rows} /> : <p>elsewhere</p>}
          <WorksFoot project={list ? PROJECT : 'local/other'} />
        </>
      )}
    </VisitorPlaces>
  </QueryClientProvider>
);

const giveGood = async (): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: /^Feedback/ }));
  fireEvent.click(screen.getByRole('menuitem', { name: /Good/ }));
};

/** The service answers once it is told to. */
function heldService(): { readonly asked: string[]; readonly answer: () => void } {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/projects')) return Response.json({ projects: [] });
    asked.push(url);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ id: `feedback-${asked.length}` });
  });
  return { asked, answer: () => waiting.splice(0).forEach((resolve) => resolve()) };
}

test('a work goes on while one is elsewhere, is shown there, and is done once', async () => {
  const { asked, answer } = heldService();
  const { rerender } = render(pageWith(true));
  await giveGood();
  await screen.findByText('0 of 2 calls');
  const line = () => screen.getByRole('region', { name: 'Under way' }).textContent;
  expect(line()).toBe('Giving feedback, 0 of 2 callsCancel');
  rerender(pageWith(false));
  expect(line()).toBe(`Giving feedback in ${PROJECT}, 0 of 2 callsCancel`);
  rerender(pageWith(true));
  // The same calls would get it twice.
  await giveGood();
  await screen.findByText(/Feedback is being given/);
  expect(asked).toHaveLength(2);
  rerender(pageWith(false));
  await act(async () => answer());
  await screen.findByText('Feedback given to 2 calls');
  expect(screen.queryByRole('region', { name: 'Under way' })).toBeNull();
});

test('a work is stopped from another page', async () => {
  const { asked, answer } = heldService();
  const { rerender } = render(pageWith(true, MANY));
  await giveGood();
  await screen.findByText('0 of 20 calls');
  rerender(pageWith(false));
  fireEvent.click(screen.getByRole('button', { name: `Cancel: Giving feedback in ${PROJECT}` }));
  await act(async () => answer());
  // Those that were under way have it, and no more are asked for.
  await screen.findByText('Feedback given to 6 of 20 calls, then stopped');
  expect(asked).toHaveLength(6);
  expect(screen.queryByText(/ of 20 calls$/)).toBeNull();
});

test('whoever leaves the page while a work is under way is asked first, and nobody else', async () => {
  const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { answer } = heldService();
  render(pageWith(true));
  expect(isAsked()).toBe(false);
  await giveGood();
  await screen.findByText('0 of 2 calls');
  expect(isAsked()).toBe(true);
  await act(async () => answer());
  await screen.findByText('Feedback given to 2 calls');
  expect(isAsked()).toBe(false);
});

test('when somebody else is at the page, works of the one before stop and nothing of them is shown', async () => {
  const { asked, answer } = heldService();
  const { rerender } = render(pageWith(true, MANY));
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  await giveGood();
  await screen.findByText('0 of 20 calls');
  rerender(pageWith(true, MANY, 'ben'));
  await screen.findByText('20 rows');
  expect(screen.queryByRole('region', { name: 'Under way' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await act(async () => answer());
  expect(asked).toHaveLength(6);
  expect(screen.queryByText(/^Feedback given/)).toBeNull();
});

test('a deletion outlasts a session that ends, and is dropped only for somebody else', async () => {
  const { asked } = heldService();
  const { rerender } = render(pageWith(true));
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  rerender(pageWith(true, ROWS, null));
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  rerender(pageWith(true));
  await screen.findByText('0 rows');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('2 rows');
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  rerender(pageWith(true, ROWS, null));
  rerender(pageWith(true, ROWS, 'ben'));
  await screen.findByText('2 rows');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(asked).toEqual([]);
});

/** More than are deleted at a time. */
const THOUSANDS = Array.from({ length: 2500 }, (_, index) => ({ id: `call-${index}` }) as CallRow);

/** Begins to delete all rows: the time in which it can be undone is over. */
async function deleteForGood(): Promise<void> {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  await act(async () => void (await vi.advanceTimersByTimeAsync(7000)));
}

test('a large deletion is a work: it says how far it is, guards the page, and what is left of it can be stopped', async () => {
  const { asked, answer } = heldService();
  render(pageWith(true, THOUSANDS));
  await deleteForGood();
  await screen.findByText('0 of 2,500 calls');
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await act(async () => answer());
  await screen.findByText('1,000 of 2,500 calls');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel: Deleting' }));
  await act(async () => answer());
  await screen.findByText('2,000 of 2,500 calls deleted, then stopped');
  expect(screen.getByText('2500 rows')).toBeTruthy();
  expect(asked).toHaveLength(2);
  expect(screen.queryByRole('region', { name: 'Under way' })).toBeNull();
});

test('a large deletion is not gone on with in the name of somebody else', async () => {
  const { asked, answer } = heldService();
  const { rerender } = render(pageWith(true, THOUSANDS));
  await deleteForGood();
  await screen.findByText('0 of 2,500 calls');
  rerender(pageWith(true, THOUSANDS, 'ben'));
  await act(async () => answer());
  await screen.findByText('2500 rows');
  expect(asked).toHaveLength(1);
});

test('whoever logs out has deleted before what was deleted, and works stop', async () => {
  const { asked, answer } = heldService();
  render(pageWith(true, MANY));
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  await giveGood();
  await screen.findByText('0 of 20 calls');
  asked.length = 0;
  fireEvent.click(screen.getByRole('button', { name: 'app' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Log out' }));
  await waitFor(() => expect(asked.map((url) => url.split('/x/')[1])).toEqual(['api/calls/delete']));
  await act(async () => answer());
  await waitFor(() => expect(asked.map((url) => url.split('/x/')[1])).toContain('session/end'));
  await screen.findByText('Feedback given to 6 of 20 calls, then stopped');
});

test('without a place for works there are none', () => {
  vi.spyOn(console, 'error').mockImplementation(nothing);
  expect(() => renderHook(() => useHiddenCalls(PROJECT))).toThrow('need a WorksPlace');
  vi.restoreAllMocks();
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

test('calls that were deleted leave the lists that are kept, and are seen again when they come back', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/projects')) return Response.json({ projects: [] });
    asked.push(url);
    return Response.json({ num_deleted: 2 });
  });
  const page = { rows: [...ROWS, { id: 'c' }], next_cursor: null, askedAt: 0 };
  const elsewhere = ['rows', { project_id: 'local/other' }, undefined];
  const here = ['rows', { project_id: PROJECT }, undefined];
  for (const key of [here, elsewhere]) client.setQueryData(key, { pages: [page], pageParams: [{ above: 0 }] });
  const gone: string[] = [];
  render(pageWith(true));
  const listener = renderHook(() => useGoneCalls(PROJECT, (ids) => gone.push(...ids)));
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  await screen.findByText('0 rows');
  expect(asked).toEqual([]);
  // As when the message that offers Undo has been there long enough.
  act(() => void dispatchEvent(new Event('pagehide')));
  await screen.findByText('2 rows');
  const idsIn = (key: readonly unknown[]) =>
    client
      .getQueryData<{ readonly pages: readonly (typeof page)[] }>(key)
      ?.pages.flatMap(({ rows }) => rows.map(({ id }) => id));
  expect([idsIn(here), idsIn(elsewhere)]).toEqual([['c'], ['a', 'b', 'c']]);
  expect(gone).toEqual(['a', 'b']);
  listener.unmount();
});

test('what got feedback is told when it is selected no more: the list reads it once', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ id: 'feedback' }));
  const told: number[] = [];
  render(
    <QueryClientProvider client={client}>
      <VisitorPlaces session={sessionOf('anna')}>
        <Selection told={told} />
      </VisitorPlaces>
    </QueryClientProvider>,
  );
  await giveGood();
  await screen.findByText('Feedback given to 2 calls');
  expect(told).toEqual([0]);
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
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (url.endsWith('/projects')) return Response.json({ projects: [] });
    sent.push((JSON.parse(body as string) as { readonly payload: unknown }).payload);
    return Response.json({ id: `feedback-${sent.length}` });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }));
  await screen.findByText('Feedback given to 2 calls');
  expect(sent).toEqual([{ note: 'wrong tool' }, { note: 'wrong tool' }]);
});
