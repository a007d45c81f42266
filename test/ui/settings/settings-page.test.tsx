import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Client } from '../../../src/ui/data/answers.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { SettingsPage } from '../../../src/ui/settings/settings-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = '2026-01-01T10:00:00Z';
const SESSION = { user_id: 'ada', entities: null, version: '1', url: 'http://a', started_at: AT, opens_files: false };

function clientOf(id: string, missing: number | null): Client {
  return {
    id,
    name: 'node',
    version: '1',
    address: '127.0.0.1',
    host: null,
    pid: null,
    first_seen_at: AT,
    last_seen_at: AT,
    is_connected: false,
    received_starts: 1200,
    received_ends: 1195,
    missing,
    last_error: null,
  };
}

test.each([
  ['0 without end', [0]],
  ['7 without end', [3, 4]],
  ['Without end: unknown', [null]],
  // None that is known of some is not none of all.
  ['Without end: unknown from 1 client', [0, null]],
  ['3 without end, Without end: unknown from 2 clients', [3, null, null]],
] satisfies [string, (number | null)[]][])(
  'the foot says of calls without an end what is known: %s',
  async (words, missing) => {
    const clients = missing.map((each, index) => clientOf(String(index), each));
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ clients })));
    render(
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <SettingsPage session={SESSION} />
      </QueryClientProvider>,
    );
    const foot = screen.getByRole('contentinfo');
    await screen.findAllByText('127.0.0.1');
    const said = [...foot.children]
      .map(({ textContent }) => textContent)
      .filter((text) => /without end/i.test(text ?? ''));
    expect(said.join(', ')).toBe(words);
  },
);
