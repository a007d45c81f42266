import { expect, test } from 'vitest';
import { PAGE, type PageEndpoint, type PageName } from '../../../src/protocol/page-endpoints.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { ENDPOINT_TEXTS } from '../../../src/server/openapi/endpoint-texts.ts';
import type { RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';

const start = serverPerTest();

const NAMES = Object.keys(PAGE) as PageName[];

/** Whoever logs in or out has no key. */
const OPEN: readonly PageName[] = ['pageSessionStart', 'pageSessionEnd'];

function ask(service: RunningServer, name: PageName, headers: Record<string, string>) {
  const { method, path, request }: PageEndpoint = PAGE[name];
  if (method === 'POST') return service.post(path, exampleOf(name), headers);
  // Those without a body are asked in the query string.
  return service.get(request === undefined ? `${path}?project_id=acme/demo&trace_id=trace-1` : path, headers);
}

function exampleOf(name: PageName): unknown {
  return ENDPOINT_TEXTS[name].request;
}

test.each(NAMES.filter((name) => !OPEN.includes(name)))('%s needs a key that is known', async (name) => {
  const server = await start();
  expect(await ask(server, name, { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
});

test('a key of another entity reads and changes nothing of a project', async () => {
  const server = await start({ storage: 'sqlite' });
  const key = createKey(server.dataDir ?? '', { name: 'other', entities: ['other'] }).key;
  const ofProjects = NAMES.filter((name) => JSON.stringify(exampleOf(name) ?? '').includes('project_id'));
  const named = [...ofProjects, 'pageCallsChanges' as const, 'pageTraceHtml' as const];
  expect(named.length).toBeGreaterThan(9);
  for (const name of named) {
    const { status } = await ask(server, name, { authorization: `Bearer ${key}` });
    expect([name, status]).toEqual([name, 403]);
  }
});
