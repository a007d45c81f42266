import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { PAGE_HEADER } from '../../../src/protocol/page/page-header.ts';
import type { RunningServer } from '../running-server.ts';
import { servedRoutes, type ServedRoute } from '../served-routes.ts';
import { serverPerTest } from '../server-per-test.ts';
import { type Browser, openBrowser } from './browser.ts';

const start = serverPerTest();

let routes: readonly ServedRoute[];
beforeAll(async () => {
  routes = await sessionRoutes();
});

/** All that a session can reach: the endpoints of the page, and through `/x/api` those that need a key elsewhere. */
async function sessionRoutes(): Promise<readonly ServedRoute[]> {
  const served = await servedRoutes();
  const ofPage = served.filter(({ path }) => path.startsWith('/x/'));
  const ofKeys = served.filter(({ path, isOpen }) => !path.startsWith('/x/') && !isOpen);
  return [...ofPage, ...ofKeys.map((route) => ({ ...route, path: `/x/api${route.path}` }))];
}

const isRead = ({ method }: ServedRoute): boolean => method === 'GET' || method === 'HEAD';

async function loggedIn(service: RunningServer): Promise<Browser> {
  const { body } = await service.post('/x/session/token', {});
  const browser = openBrowser(service.url);
  const answer = await browser.post('/x/session', { token: (body as { token: string }).token });
  expect(answer.status).toBe(200);
  return browser;
}

/** Asks as the page does, but for these headers. */
async function statusOf(
  { url }: RunningServer,
  { cookie }: Browser,
  { method, path }: ServedRoute,
  headers: Record<string, string>,
): Promise<number | undefined> {
  // `fetch` chooses the name of the host by itself.
  const sent = request(new URL(path, url), { method, headers: { cookie, [PAGE_HEADER]: '1', ...headers } });
  sent.end(method === 'POST' ? '{}' : undefined);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

/** How a request gives away that no page of ours has sent it. */
const FOREIGN = [
  { name: 'without the header', headers: { [PAGE_HEADER]: '' }, isTaken: isRead },
  { name: 'from the page of another host', headers: { origin: 'http://evil.example' } },
  { name: 'from the page of another port', headers: { origin: 'http://127.0.0.1:1' } },
  { name: 'from a page without an origin', headers: { origin: 'null' } },
  { name: 'from another site', headers: { 'sec-fetch-site': 'cross-site' } },
  { name: 'under the name of another host', headers: { host: 'evil.example' } },
];

// More from one address than are told why at once would take services of their own.
test.each(FOREIGN)('nothing is done for a session whose request comes $name', async ({ headers, isTaken }) => {
  const service = await start();
  const browser = await loggedIn(service);
  for (const route of routes.filter((each) => !isTaken?.(each))) {
    const { method, path } = route;
    expect([method, path, await statusOf(service, browser, route, headers)]).toEqual([method, path, 403]);
  }
  // Among them is the logout.
  expect(await browser.get('/x/session')).toMatchObject({ status: 200 });
});

test('the same requests of a page of ours are not refused', async () => {
  const service = await start();
  expect(routes.length).toBeGreaterThan(60);
  for (const route of routes) {
    const headers = { origin: service.url, 'sec-fetch-site': 'same-origin' };
    const status = await statusOf(service, await loggedIn(service), route, headers);
    expect([route.method, route.path, status]).not.toEqual([route.method, route.path, 403]);
  }
});
