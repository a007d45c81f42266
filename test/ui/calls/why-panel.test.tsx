// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { traitText } from '../../../src/ui/calls/why/trait-text.ts';
import { WhyPanel } from '../../../src/ui/calls/why/why-panel.tsx';
import type { Difference, Differences } from '../../../src/ui/data/answers.ts';
import type { ComparedSelection } from '../../../src/ui/calls/why/use-differences.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

const nothing = () => undefined;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const REGION: Difference = {
  field: 'attr.region',
  relation: 'is',
  value: 'eu\u202e3',
  where: 'attr.region:eu-3',
  calls: 9,
  share: 0.9,
  rest_calls: 840,
  rest_share: 0.14,
  lift: 6.4,
  p: 1e-9,
  same: [{ field: 'attr.zone', relation: 'present', value: '', where: 'has:attr.zone' }],
};

const LONG: Difference = {
  ...REGION,
  field: 'input.items',
  relation: 'length_at_least',
  value: '40',
  where: null,
  same: [],
};

const FOUND: Differences = {
  selection: { calls: 10, looked_at: 10, traces: 10 },
  rest: { calls: 18_133, looked_at: 6000, traces: 3000 },
  differences: [REGION, LONG],
  compared: 412,
  left_out: ['status', 'error'],
};

interface Shown {
  readonly found?: Differences;
  readonly compared?: ComparedSelection | undefined;
  readonly q?: string;
  readonly keptCount?: number;
  /** Somebody has just opened it. */
  readonly isNew?: boolean;
  /** Gives the answer of the service to a question, from the first one on. */
  readonly answer?: (asked: number) => Response | Promise<Response>;
}

function show(shown: Shown = {}) {
  const {
    found = FOUND,
    q = 'status:error',
    keptCount = 0,
    isNew = false,
    answer = () => Response.json(found),
  } = shown;
  const compared = 'compared' in shown ? shown.compared : { selection: { project_id: 'a/b' } };
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { readonly body: string }) => {
    asked.push(JSON.parse(body));
    return await answer(asked.length);
  });
  const onFilter = vi.fn<(q: string) => void>();
  const takesFocus = { current: isNew };
  const client = createQueryClient(() => undefined);
  const page = (filter: string, meant = compared): ReactElement => (
    <QueryClientProvider client={client}>
      <input aria-label="Filter" />
      <div role="row" tabIndex={-1}>
        a call
      </div>
      <WhyPanel
        compared={meant}
        keptCount={keptCount}
        q={filter}
        onFilter={onFilter}
        takesFocus={takesFocus}
        onClose={nothing}
        onLeave={nothing}
      />
    </QueryClientProvider>
  );
  const { rerender } = render(page(q));
  return {
    asked,
    onFilter,
    takesFocus,
    again: (filter: string, meant?: ComparedSelection) => rerender(page(filter, meant)),
  };
}

const row = (name: RegExp) => screen.findByRole<HTMLButtonElement>('button', { name });

test('differences are told in words, points and shares, with what is hidden in them written out', async () => {
  show();
  const region = await row(/attr\.region/);
  expect(region.textContent).toBe(
    'attr.region = eu⟨U+202E⟩3+76 pt90% of compared9 of 1014% of others840 of 6,000and has attr.zone',
  );
  expect(document.body.textContent).toContain('10 calls of the filter');
  expect(document.body.textContent).toContain('18,133 others of this time6,000 looked at');
  expect(document.body.textContent).toContain(
    '412 traits compared; left out, as the calls are selected by it: status, error.',
  );
});

test.each([
  ['latency', 'at_least', '1330', 'latency ≥ 1.33 s'],
  ['tokens.in', 'at_least', '1870', 'tokens.in ≥ 1,870'],
  ['input.score', 'at_least', '0.5', 'input.score ≥ 0.5'],
  ['input.items', 'length_at_least', '1200', 'length of input.items ≥ 1,200'],
  ['input', 'size_at_least', '4200', 'size of input ≥ 4.2 kB'],
  ['attr.zip', 'is', '10115', 'attr.zip = 10115'],
] as const)('%s %s %s is written as %s', (field, relation, value, text) => {
  expect(Object.values(traitText({ field, relation, value })).join(' ')).toBe(text);
});

test('a click adds the term to the filter, where there is one', async () => {
  const { onFilter } = show();
  fireEvent.click(await row(/attr\.region/));
  expect(onFilter.mock.calls).toEqual([['status:error attr.region:eu-3']]);
  expect((await row(/length of input\.items ≥ 40/)).disabled).toBe(true);
});

test('selected calls are compared with the others of a filter', async () => {
  const { asked } = show({
    compared: {
      selection: { project_id: 'a/b', filter: { call_ids: ['c'] } },
      against: { project_id: 'a/b', where: 'cost>1', time_zone: 'Europe/Berlin', roots_only: true },
    },
  });
  await row(/attr\.region/);
  expect(asked).toEqual([
    {
      project_id: 'a/b',
      filter: { call_ids: ['c'] },
      time_zone: 'Europe/Berlin',
      against: { where: 'cost>1', roots_only: true },
    },
  ]);
  expect(document.body.textContent).toContain('10 selected');
  expect(document.body.textContent).toContain('18,133 others of the list');
});

test('where nothing differs, or there is nothing to compare with, the panel says so', async () => {
  show({ found: { ...FOUND, differences: [] } });
  expect(await screen.findByText('Nothing differs by more than chance.')).toBeDefined();
  cleanup();
  show({ found: { ...FOUND, rest: { calls: 0, looked_at: 0, traces: 0 }, differences: [] } });
  expect(await screen.findByText('There are no other calls to compare with.')).toBeDefined();
});

test('while no calls are meant, it asks for some and the service for nothing', () => {
  const { asked } = show({ compared: undefined });
  expect(screen.getByText(/^Write a filter, or select calls/)).toBeDefined();
  expect(asked).toEqual([]);
});

test('who opens it has the focus in it, arrows lead on, and after a click it is at the first of the new traits', async () => {
  const zone: Difference = { ...REGION, field: 'attr.zone', value: 'z', where: 'attr.zone:z', same: [] };
  const { again } = show({ isNew: true, found: { ...FOUND, differences: [REGION, LONG, zone] } });
  const region = await row(/attr\.region/);
  await waitFor(() => expect(document.activeElement).toBe(region));
  // What no filter can ask for is passed over.
  fireEvent.keyDown(region, { key: 'ArrowDown' });
  const last = await row(/attr\.zone = z/);
  expect(document.activeElement).toBe(last);
  fireEvent.click(last);
  again('status:error attr.zone:z', { selection: { project_id: 'a/b', where: 'attr.zone:z' } });
  await waitFor(() => expect(document.activeElement).toBe(region));
});

test('who comes to an address with it keeps the focus where it is', async () => {
  show();
  await row(/attr\.region/);
  expect(document.activeElement).toBe(document.body);
});

test('who writes, or has gone on to something else, before the answer is there keeps the focus', async () => {
  let release = (_answer: Response): void => undefined;
  const answer = async (): Promise<Response> => await new Promise((resolve) => (release = resolve));
  for (const elsewhere of [() => screen.getByLabelText('Filter'), () => screen.getByRole('row')]) {
    const { asked } = show({ isNew: true, answer });
    await waitFor(() => expect(asked).toHaveLength(1));
    elsewhere().focus();
    release(Response.json(FOUND));
    await row(/attr\.region/);
    expect(document.activeElement).toBe(elsewhere());
    cleanup();
  }
});

test('what opened it gives the focus to it, and so does what went as it was opened', async () => {
  const opener = document.body.appendChild(document.createElement('button'));
  opener.focus();
  show({ isNew: true });
  const region = await row(/attr\.region/);
  await waitFor(() => expect(document.activeElement).toBe(region));
  cleanup();
  let release = (_answer: Response): void => undefined;
  opener.focus();
  const { asked } = show({ isNew: true, answer: async () => await new Promise((resolve) => (release = resolve)) });
  await waitFor(() => expect(asked).toHaveLength(1));
  // As a list of commands, which gives the focus back to what had it.
  opener.remove();
  screen.getByRole('row').focus();
  release(Response.json(FOUND));
  const again = await row(/attr\.region/);
  await waitFor(() => expect(document.activeElement).toBe(again));
});

test('after a failure the focus is not taken later, and not lost with the traits', async () => {
  const refused = () => Response.json({ reason: 'no' }, { status: 400 });
  const { again } = show({ isNew: true, answer: (asked) => (asked === 2 ? refused() : Response.json(FOUND)) });
  const region = await row(/attr\.region/);
  await waitFor(() => expect(document.activeElement).toBe(region));
  fireEvent.click(region);
  again('status:error attr.region:eu-3', { selection: { project_id: 'a/b', where: 'attr.region:eu-3' } });
  await screen.findByText(/Differences could not be read/);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 })));
  screen.getByRole('row').focus();
  again('status:error', { selection: { project_id: 'a/b', where: 'status:error' } });
  await row(/attr\.region/);
  expect(document.activeElement).toBe(screen.getByRole('row'));
});

test('who tries again after a failure has the focus at the first trait', async () => {
  const refused = () => Response.json({ reason: 'no' }, { status: 400 });
  show({ isNew: true, answer: (asked) => (asked === 1 ? refused() : Response.json(FOUND)) });
  const retry = await row(/Retry/);
  retry.focus();
  fireEvent.click(retry);
  const region = await row(/attr\.region/);
  await waitFor(() => expect(document.activeElement).toBe(region));
});

test('who comes back to it after it went does not lose the focus to it', async () => {
  const { takesFocus } = show({ isNew: true, answer: async () => await new Promise<never>(() => undefined) });
  cleanup();
  expect(takesFocus.current).toBe(false);
});

test('of so many calls that the address does not name them it says so, and does not tell of others in their place', async () => {
  show({ keptCount: 600 });
  await row(/attr\.region/);
  expect(document.body.textContent).toContain('or the page loaded anew, does not know this selection');
  cleanup();
  const { asked } = show({ keptCount: 600, compared: undefined });
  expect(document.body.textContent).toContain('The 600 selected calls are not kept here any more: select them again.');
  expect(document.body.textContent).not.toContain('Write a filter');
  expect(asked).toEqual([]);
});
