import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CallsPage } from '../../../src/ui/calls/calls-page.tsx';
import { WorksPlace } from '../../../src/ui/calls/works.tsx';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A stream that tells nothing. */
class Stream extends EventTarget {
  close = () => undefined;
}

const STATS = {
  count: 1147,
  errors: 71,
  never_ended: 3,
  latency_ms: null,
  tokens: { total: 0 },
  cost: null,
  unpriced_models: [],
  histogram: { from: 0, to: 1000, counts: [1147], errors: [71] },
};

test('of a list that could not be read nothing is counted', async () => {
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (url.endsWith('/calls/stats')) return Response.json(STATS);
    if (url.endsWith('/calls/rows')) return Response.json({ reason: 'Too many' }, { status: 400 });
    return Response.json({ projects: [{ project_id: 'local/app', calls: 1147 }], clients: [], views: [] });
  });
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <WorksPlace>
        <CallsPage project="local/app" url="http://127.0.0.1:1" />
      </WorksPlace>
    </QueryClientProvider>,
  );
  await screen.findByText(/Calls could not be read: Too many/);
  await vi.waitFor(() => expect(asked.some((url) => url.endsWith('/calls/stats'))).toBe(true));
  expect(screen.getAllByRole('columnheader').length).toBeGreaterThan(3);
  expect(screen.getByRole('contentinfo').textContent).not.toMatch(/1,147|71 errors/);
  // An empty place would say that there are none.
  expect(screen.getByText('Calls will be here once they can be read')).toBeTruthy();
});
