import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Received } from '../../../src/ui/calls/received.tsx';
import type { Client } from '../../../src/ui/data/answers.ts';

afterEach(cleanup);

const AT = '2026-01-01T10:00:00Z';
const LATER = '2026-01-01T10:00:01Z';

function clientOf(more: Partial<Client> = {}): Client {
  return {
    id: 'a',
    name: 'spoor',
    version: '1',
    address: '127.0.0.1',
    host: null,
    pid: null,
    first_seen_at: AT,
    last_seen_at: AT,
    is_connected: true,
    received_starts: 1,
    received_ends: 1,
    missing: 0,
    last_error: null,
    ...more,
  };
}

const refused = (status: number) => ({ status, error_code: 'too_large', message: 'too much', at: AT }) as const;

test.each([
  ['All received', [clientOf()]],
  ['Received: unknown', []],
  ['Received: unknown', [clientOf({ missing: null })]],
  ['Received: unknown from 1 client', [clientOf(), clientOf({ missing: null })]],
  ['Refused: 1 client', [clientOf(), clientOf({ received_starts: 0, received_ends: 0, last_error: refused(401) })]],
  // What it sent later does not bring back what was refused.
  ['Refused: 1 client', [clientOf({ last_seen_at: LATER, last_error: refused(413) })]],
  // Records wait for the right key, and came with it.
  ['All received', [clientOf({ last_seen_at: LATER, last_error: refused(401) })]],
  [
    'Refused: 1 clientReceived: unknown from 1 client',
    [clientOf({ last_error: refused(401) }), clientOf({ missing: null })],
  ],
  // It was another day, of which the list shows nothing.
  ['All received', [clientOf({ last_error: { ...refused(413), at: '2025-12-31T10:00:00Z' } })]],
] satisfies [string, Client[]][])('the foot says "%s" of %j', (words, clients) => {
  render(<Received clients={clients} shown={{ started_after: AT }} />);
  expect(document.body.textContent).toBe(words);
});

test('why something was refused is told, and leads to the clients', () => {
  render(<Received clients={[clientOf({ last_error: refused(413) })]} shown={{}} />);
  const link = screen.getByRole('link');
  expect(link.title).toMatch(/^spoor, .+: 413 too much$/);
  expect(link.getAttribute('href')).toBe('/settings');
});
