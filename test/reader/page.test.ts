import { afterEach, expect, test } from 'vitest';
import { createReader } from '../../src/reader/reader.ts';
import { type RunningServer, startServer } from '../server/running-server.ts';
import { PROJECT, seed } from '../server/page/seed.ts';

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

test('a page without a key reads with the session that its browser has', async () => {
  server = await startServer();
  await seed(server, [{ id: 'a' }]);
  const { url, apiKey } = server;
  const { token } = await createReader({ url, apiKey }).page.session.createToken();
  let cookie = '';
  // What a browser does by itself.
  const browser: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
    cookie = (response.headers.get('set-cookie') ?? cookie).split(';', 1)[0] ?? '';
    return response;
  };
  const page = createReader({ url, project: PROJECT, fetch: browser, retries: 0 });
  await expect(page.page.session.read()).rejects.toMatchObject({
    code: 'unauthenticated',
    extra: { session: 'missing' },
  });
  expect(await page.page.session.start({ token })).toMatchObject({ user_id: 'local' });
  expect((await page.page.rows()).rows.map(({ id }) => id)).toEqual(['a']);
  expect(await page.calls.get('a')).toMatchObject({ id: 'a' });
  expect((await page.page.stats()).count).toBe(1);
  expect((await page.page.skeleton('trace-1')).ids).toEqual(['a']);
  expect(await page.page.projects()).toMatchObject([{ project_id: PROJECT }]);
  expect(await (await page.page.export({ format: 'jsonl', columns: ['id'] })).text()).toBe('{"id":"a"}\n');
  await page.page.session.end();
  await expect(page.page.rows()).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('changes go on where a connection has broken', async () => {
  server = await startServer();
  const { url, apiKey } = server;
  let connections = 0;
  let breakOff: (() => void) | undefined;
  const breaking: typeof fetch = async (input, init) => {
    connections += 1;
    const controller = new AbortController();
    breakOff = () => controller.abort();
    return await fetch(input, { ...init, signal: controller.signal });
  };
  const reader = createReader({ url, apiKey, project: PROJECT, fetch: breaking });
  let onOpen = () => undefined as void;
  const opened = new Promise<void>((resolve) => (onOpen = resolve));
  const changes = reader.page.changes({}, { onOpen })[Symbol.asyncIterator]();
  const first = changes.next();
  await opened;
  await seed(server, [{ id: 'a' }]);
  expect((await first).value).toMatchObject({ kind: 'call', row: { id: 'a' } });
  breakOff?.();
  await seed(server, [{ id: 'b' }]);
  expect((await changes.next()).value).toMatchObject({ kind: 'call', row: { id: 'b' } });
  expect(connections).toBe(2);
  await changes.return?.(undefined);
});
