import { expect, test } from 'vitest';
import { selectionOf } from '../../../src/cli/selected-calls.ts';
import { openerOf } from '../../../src/cli/commands/open.ts';
import { pageLink } from '../../../src/cli/page-link.ts';
import { startServer } from '../../server/running-server.ts';

test('a filter that cannot be read says where', () => {
  expect(() => selectionOf({ filter: 'status:(' })).toThrow(/Cannot read the filter at character \d+/);
});

test('a filter is asked for as it is written, with the zone of its times', () => {
  const since = Date.UTC(2026, 0, 2) / 1000;
  expect(selectionOf({ filter: 'op:a cost>1', since })).toEqual({
    where: 'op:a cost>1',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    started_after: '2026-01-02T00:00:00.000Z',
  });
  expect(selectionOf({ filter: ' ' })).toEqual({});
});

test('a browser is looked for where there may be one', () => {
  expect(openerOf('darwin', {})).toEqual(['open']);
  expect(openerOf('linux', {})).toBeUndefined();
  expect(openerOf('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(openerOf('linux', { DISPLAY: ':0', SSH_CONNECTION: 'x' })).toBeUndefined();
});

test('a link logs in once, and holds its token where no service sees it', async () => {
  const server = await startServer();
  try {
    const link = new URL(await pageLink(server.url, server.apiKey, { project: 'a/b', traceId: 't', callId: 'c' }));
    expect(link.pathname).toBe('/ui/login');
    expect(link.search).toBe('');
    const fragment = new URLSearchParams(link.hash.slice(1));
    expect(fragment.get('to')).toBe('/a/b/trace/t?call=c');
    const { url } = server;
    const login = async () =>
      await fetch(`${url}/x/session`, {
        method: 'POST',
        headers: { 'x-spoor-page': '1' },
        body: JSON.stringify({ token: fragment.get('token') }),
      });
    expect((await login()).status).toBe(200);
    expect((await login()).status).toBe(401);
  } finally {
    await server.close();
  }
});
