import { expect, test } from 'vitest';
import { PAGE, type PageEndpoint } from '../../../src/protocol/page-endpoints.ts';
import { serverPerTest } from '../server-per-test.ts';

const start = serverPerTest();

const POSTS = Object.values(PAGE).filter(({ method }: PageEndpoint) => method === 'POST');

/** The longest body that is just below `bytes`. */
function bodyOf(text: string, bytes: number): string {
  const items = Array<string>(Math.floor((bytes - 20) / (text.length + 1))).fill(text);
  return `{"project_id":[${items.join(',')}]}`;
}

test('no endpoint of the page takes what is long to parse', async () => {
  const server = await start();
  const refused = [413, expect.objectContaining({ error_code: 'payload_too_large' })];
  for (const { path } of POSTS) {
    const { status, body } = await server.post(path, bodyOf('[]', 1024 * 1024));
    expect([path, status, body]).toEqual([path, ...refused]);
  }
  for (const text of ['{}', '1e5']) {
    const { status, body } = await server.post('/x/projects', bodyOf(text, 1024 * 1024));
    expect([text, status, body]).toEqual([text, ...refused]);
  }
});

test('who has no key yet sends a key or a token and nothing long', async () => {
  const server = await start();
  const long = { key: 'k'.repeat(16 * 1024) };
  expect(await server.post('/x/session', long)).toMatchObject({ status: 413 });
  expect(await server.post('/x/session/end', long)).toMatchObject({ status: 413 });
});

test('of a thousand chosen calls, a condition each is read', async () => {
  const server = await start();
  const ids = Array.from({ length: 1000 }, (_, index) => `01a2${String(index).padStart(32, '0')}`);
  const { status } = await server.post('/x/calls/rows', { project_id: 'acme/demo', filter: { call_ids: ids } });
  expect(status).toBe(200);
});
