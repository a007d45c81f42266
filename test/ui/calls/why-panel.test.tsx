// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { WhyPanel } from '../../../src/ui/calls/why/why-panel.tsx';
import type { Difference, Differences } from '../../../src/ui/data/answers.ts';
import type { ComparedSelection } from '../../../src/ui/calls/why/use-differences.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

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
  rest_calls: 14,
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
  readonly compared?: ComparedSelection;
  readonly q?: string;
}

function show({ found = FOUND, compared = { selection: { project_id: 'a/b' } }, q = 'status:error' }: Shown = {}) {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { readonly body: string }) => {
    asked.push(JSON.parse(body));
    return Response.json(found);
  });
  const onFilter = vi.fn<(q: string) => void>();
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <WhyPanel compared={compared} q={q} onFilter={onFilter} />
    </QueryClientProvider>,
  );
  return { asked, onFilter };
}

test('differences are told in words and shares, with what is hidden in them written out', async () => {
  show();
  const row = await screen.findByRole('button', { name: /attr\.region/ });
  expect(row.textContent).toBe('attr.region = eu⟨U+202E⟩3and has attr.zone90% selected14% others');
  expect(document.body.textContent).toContain('10 calls beside 18,133 others, of which 6,000 were looked at.');
  expect(document.body.textContent).toContain(
    '412 traits compared; left out, as the calls are selected by it: status, error.',
  );
});

test('a click adds the term to the filter, where there is one', async () => {
  const { onFilter } = show();
  fireEvent.click(await screen.findByRole('button', { name: /attr\.region/ }));
  expect(onFilter.mock.calls).toEqual([['status:error attr.region:eu-3']]);
  const long = screen.getByRole<HTMLButtonElement>('button', { name: /length of input\.items ≥ 40/ });
  expect(long.disabled).toBe(true);
});

test('selected calls are compared with the others of a filter', async () => {
  const { asked } = show({
    compared: {
      selection: { project_id: 'a/b', filter: { call_ids: ['c'] } },
      against: { project_id: 'a/b', where: 'cost>1', time_zone: 'Europe/Berlin', roots_only: true },
    },
  });
  await screen.findByRole('button', { name: /attr\.region/ });
  expect(asked).toEqual([
    {
      project_id: 'a/b',
      filter: { call_ids: ['c'] },
      time_zone: 'Europe/Berlin',
      against: { where: 'cost>1', roots_only: true },
    },
  ]);
});

test('where nothing differs, or there is nothing to compare with, the panel says so', async () => {
  show({ found: { ...FOUND, differences: [] } });
  expect(await screen.findByText('Nothing differs by more than chance.')).toBeDefined();
  cleanup();
  show({ found: { ...FOUND, rest: { calls: 0, looked_at: 0, traces: 0 }, differences: [] } });
  expect(await screen.findByText('There are no other calls to compare with.')).toBeDefined();
});
