import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CallDetail } from '../../../src/ui/call/call-detail.tsx';
import { type CallSource, CallSourceContext } from '../../../src/ui/call/call-source.ts';
import { changeDraft, draftOf } from '../../../src/ui/call/drafts.ts';
import { ToastPlace } from '../../../src/ui/controls/toast.tsx';
import type { GivenFeedback } from '../../../src/ui/data/give-feedback.ts';
import { useTouchedCalls } from '../../../src/ui/data/touched-calls.ts';

afterEach(cleanup);

const CALL = {
  project_id: 'local/app',
  op_name: 'plan',
  display_name: null,
  trace_id: 't',
  parent_id: null,
  thread_id: null,
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
  exception: null,
  attributes: {},
  inputs: {},
  output: 1,
  summary: {},
};

let visitors = 0;
let asked: GivenFeedback[];
let touched: string[];
let answer: (error?: Error) => Promise<void>;
let source: CallSource;

/** The service saves what it is asked to once it is told to, or refuses it with an error. */
beforeEach(() => {
  asked = [];
  touched = [];
  const waiting: ((error?: Error) => void)[] = [];
  answer = (error) => act(async () => waiting.shift()?.(error));
  visitors += 1;
  source = {
    projectId: 'local/app',
    userId: `visitor ${visitors}`,
    hrefOfRef: () => undefined,
    readCall: async (id) => JSON.stringify({ call: { ...CALL, id } }),
    readFile: async () => undefined,
    readObject: async () => undefined,
    readFeedback: async () => [],
    giveFeedback: async (_id, feedback) => {
      asked.push(feedback);
      const error = await new Promise<Error | undefined>((resolve) => waiting.push(resolve));
      if (error !== undefined) throw error;
    },
  };
});

interface PageProps {
  readonly call: string;
  readonly of?: CallSource;
  /** Absent: one goes to the tab of feedback by oneself. */
  readonly tab?: 'feedback';
}

function Page({ call, of = source, tab }: PageProps): ReactElement {
  useTouchedCalls('local/app', (ids) => touched.push(...ids));
  return (
    <CallSourceContext value={of}>
      <CallDetail callId={call} tab={tab} />
    </CallSourceContext>
  );
}

function pageOf(call: string, of?: CallSource, tab: PageProps['tab'] | null = 'feedback'): ReactElement {
  return (
    <QueryClientProvider client={client}>
      <ToastPlace>
        <Page call={call} {...(of && { of })} {...(tab !== null && { tab })} />
      </ToastPlace>
    </QueryClientProvider>
  );
}

const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: 0 } } });

const opens = async (name: string) =>
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }));
const field = (name: string) => screen.queryByRole<HTMLInputElement>('textbox', { name });
const write = (name: string, text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value: text } });

test('a score that is typed while a note is being saved stays', async () => {
  render(pageOf('c1'));
  await opens('Note');
  write('Note', 'Keep it');
  fireEvent.click(screen.getByText('Save note'));
  await opens('Score');
  write('Score', '0.8');
  await answer();
  await waitFor(() => expect(touched).toEqual(['c1']));
  await act(async () => undefined);
  expect(field('Score')?.value).toBe('0.8');
  fireEvent.click(screen.getByText('Save score'));
  await answer();
  await waitFor(() => expect(field('Score')).toBeNull());
  expect(asked.map(({ payload }) => payload)).toEqual([{ note: 'Keep it' }, { value: 0.8 }]);
});

/** Sends a note for a call, and looks at another one before the answer. */
async function leaveWhileNoteIsSaved(): Promise<ReturnType<typeof render>> {
  const page = render(pageOf('c1'));
  await opens('Note');
  write('Note', 'Keep it');
  fireEvent.click(screen.getByText('Save note'));
  page.rerender(pageOf('c2'));
  await waitFor(() => expect(field('Note')).toBeNull());
  return page;
}

test('a note that is refused while another call is looked at is there again with its own', async () => {
  const { rerender } = await leaveWhileNoteIsSaved();
  await answer(new Error('no room'));
  await screen.findByText('Feedback on “plan” could not be saved: no room');
  // Nothing has changed for any list.
  expect(touched).toEqual([]);
  await opens('Note');
  expect(field('Note')?.value).toBe('');
  rerender(pageOf('c1'));
  await waitFor(() => expect(field('Note')?.value).toBe('Keep it'));
  // Nobody has asked to write: keys are still those of the list.
  expect(document.activeElement).not.toBe(field('Note'));
  fireEvent.click(screen.getByText('Save note'));
  await answer();
  await waitFor(() => expect(field('Note')).toBeNull());
  expect(touched).toEqual(['c1']);
  await opens('Note');
  expect(field('Note')?.value).toBe('');
});

test('what one has written nobody else sees', async () => {
  const { rerender } = render(pageOf('c1'));
  await opens('Note');
  write('Note', 'Keep it');
  rerender(pageOf('c2'));
  await waitFor(() => expect(field('Note')).toBeNull());
  rerender(pageOf('c1', { ...source, userId: 'somebody else' }));
  await opens('Note');
  expect(field('Note')?.value).toBe('');
});

test.each([
  ['note', ['Note']],
  ['score', ['Name of the score', 'Score']],
])('while a %s is saved nothing of it can be changed, and its button keeps the focus', async (what, names) => {
  render(pageOf('c1'));
  await opens(names.at(-1) ?? '');
  for (const name of names) write(name, '1');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: `Save ${what}` });
  expect(save.getAttribute('aria-disabled')).toBe('false');
  save.focus();
  fireEvent.click(save);
  expect(names.map((name) => field(name)?.readOnly)).toEqual(names.map(() => true));
  expect([save.getAttribute('aria-disabled'), save.disabled]).toEqual(['true', false]);
  // Once is enough.
  fireEvent.click(save);
  expect(asked).toHaveLength(1);
  expect(document.activeElement).toBe(save);
  await answer(new Error('no room'));
  await waitFor(() => expect(names.map((name) => field(name)?.readOnly)).toEqual(names.map(() => false)));
});

test('a note that is refused while another call is looked at is named, and found by the mark of its tab', async () => {
  const { rerender } = render(pageOf('c1', source, null));
  fireEvent.click(await screen.findByRole('tab', { name: 'Feedback' }));
  await opens('Note');
  write('Note', 'Keep it');
  fireEvent.click(screen.getByText('Save note'));
  rerender(pageOf('c2', source, null));
  await screen.findByRole('tab', { name: 'Feedback' });
  await answer(new Error('no room'));
  await screen.findByText('Feedback on “plan” could not be saved: no room');
  rerender(pageOf('c1', source, null));
  const tab = await screen.findByRole('tab', { name: /^Feedback ?draft$/ });
  expect(tab.getAttribute('aria-selected')).toBe('false');
  fireEvent.click(tab);
  expect(field('Note')?.value).toBe('Keep it');
});

test('a form that one has come back to while it is saved closes once it is', async () => {
  const { rerender } = await leaveWhileNoteIsSaved();
  rerender(pageOf('c1'));
  await waitFor(() => expect(field('Note')?.value).toBe('Keep it'));
  await answer();
  await waitFor(() => expect(field('Note')).toBeNull());
});

test.each(['Note', 'Score'])('once it is saved the button that opened %s has the focus', async (name) => {
  render(pageOf('c1'));
  await opens(name);
  write(name, '1');
  const save = screen.getByRole('button', { name: `Save ${name.toLowerCase()}` });
  save.focus();
  fireEvent.click(save);
  await answer();
  await waitFor(() => expect(field(name)).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: new RegExp(`^${name}`) }));
});

test('drafts are kept of the calls that one has written for last', () => {
  for (let call = 0; call < 200; call++) changeDraft(`many ${call}`, { note: `${call}` });
  const kept = Array.from({ length: 200 }, (_, call) => draftOf(`many ${call}`).note).filter((note) => note !== '');
  expect(kept).toEqual(Array.from({ length: 100 }, (_, call) => `${call + 100}`));
});
