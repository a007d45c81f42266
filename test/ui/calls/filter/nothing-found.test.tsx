import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Chips } from '../../../../src/ui/calls/filter/chips.tsx';
import { NothingFound } from '../../../../src/ui/calls/filter/nothing-found.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Change = Parameters<Parameters<typeof NothingFound>[0]['onChange']>[0];

/** Calls are counted as `countOf` says for the filter in the request. */
function show(q: string, countOf: (asked: string) => number, isUnreadable = false): Change[] {
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => Response.json({ count: countOf(body) }));
  const changes: Change[] = [];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NothingFound
        project="local/app"
        q={q}
        t="all"
        roots={false}
        isUnreadable={isUnreadable}
        onChange={(change) => changes.push(change)}
      />
    </QueryClientProvider>,
  );
  return changes;
}

const said = async (pattern: RegExp): Promise<string> => (await screen.findByText(pattern)).textContent;

test('of a lone term that removes all calls their number is said once', async () => {
  show('op:nothing', (asked) => (asked.includes('nothing') ? 0 : 1150));
  expect(await said(/alone removes/)).toBe('op:nothing alone removes all 1,150 calls.');
});

test('of one among others it is said, too, how many match without it', async () => {
  show('op:nothing op:other', (asked) => {
    if (asked.includes('nothing')) return 0;
    return asked.includes('other') ? 70 : 1150;
  });
  const words = () => screen.queryAllByText(/alone removes/).map(({ textContent }) => textContent);
  await vi.waitFor(() =>
    expect(words()).toEqual([
      'op:nothing alone removes all 1,150 calls; without it 70 match.',
      'op:other alone removes 1,080 of 1,150 calls; without it still none match.',
    ]),
  );
});

test('of a filter that cannot be read each fault can be dropped, and what makes sense is not offered', () => {
  const changes = show('op:answer latency>fast (', () => 0, true);
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(names).toEqual(['Drop latency>fast', 'Drop (']);
  fireEvent.click(screen.getByRole('button', { name: 'Drop (' }));
  expect(changes).toEqual([{ q: 'op:answer latency>fast' }]);
});

test('a piece that makes no sense says why when it is pointed at; one that does says nothing', () => {
  render(<Chips text="op:answer latency>fast (" />);
  const titles = ['answer', 'fast', '('].map((text) => screen.getByText(text).title);
  expect(titles).toEqual([
    '',
    expect.stringContaining('fast'),
    'This parenthesis is never closed; expected a ) further on',
  ]);
});
