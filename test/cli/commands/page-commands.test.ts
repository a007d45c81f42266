import { expect, test } from 'vitest';
import { selectionOf } from '../../../src/cli/selected-calls.ts';
import { openerOf } from '../../../src/cli/commands/open.ts';
import { pageLink } from '../../../src/cli/page-link.ts';
import { startServer } from '../../server/running-server.ts';

test('a filter that cannot be read says where', () => {
  expect(() => selectionOf({ filter: 'status:(' }, 'a/b')).toThrow(/Cannot read the filter at character \d+/);
});

test.each([
  ['status:error cost>1', 'cost>1'],
  ['op:a or (op:b -model:gpt*)', 'model:gpt*'],
  ['tokens.in:1..2', 'tokens.in:1..2'],
  ['-has:cost', 'has:cost'],
  ['status:error,running', 'status:error,running'],
  ['status:never', 'status:never'],
])('a filter for lists only, %s, is refused and the part named', (filter, part) => {
  expect(() => selectionOf({ filter }, 'a/b')).toThrow(`meet "${part}"`);
});

test('a filter without such a part is asked for whole', () => {
  expect(selectionOf({ filter: 'op:a -model:gpt-x status:ok' }, 'a/b')).toHaveProperty('query');
});

test('the later of two beginnings counts', () => {
  const since = Date.UTC(2026, 0, 2) / 1000;
  const selection = selectionOf({ filter: 'op:answer started>=2026-01-01T00:00:00Z', since }, 'a/b');
  expect(selection).toMatchObject({ started_after: '2026-01-02T00:00:00.000Z' });
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
