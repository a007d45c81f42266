import { expect, onTestFinished, test, vi } from 'vitest';
import { createReader } from '../../src/client/local-reader.ts';
import { createReader as createPureReader } from '../../src/reader/reader.ts';
import { writeServerFile } from '../../src/spool/server-file.ts';
import { makeHome } from '../flow/service-process.ts';
import { startServer } from '../server/running-server.ts';

function useHome(): string {
  const { home, remove } = makeHome();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    remove();
  });
  vi.stubEnv('SPOOR_HOME', home);
  for (const name of ['SPOOR_URL', 'SPOOR_API_KEY', 'SPOOR_PROJECT']) vi.stubEnv(name, '');
  return home;
}

const START = { id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };

test('without options it finds the service that runs here, its key, and the project', async () => {
  const home = useHome();
  const server = await startServer();
  onTestFinished(() => server.close());
  const { url, apiKey } = server;
  writeServerFile(home, { url, apiKey, pid: process.pid, version: '0.1.0' });
  vi.stubEnv('SPOOR_PROJECT', 'shop');
  await createReader().calls.start(START);
  expect(await createReader({ project: 'local/shop' }).calls.get('c1')).toMatchObject({ project_id: 'local/shop' });
});

test('variables go before what runs here, and options before variables', async () => {
  const home = useHome();
  const server = await startServer();
  onTestFinished(() => server.close());
  writeServerFile(home, { url: 'http://127.0.0.1:1', apiKey: 'none', pid: process.pid, version: '0.1.0' });
  vi.stubEnv('SPOOR_URL', server.url);
  vi.stubEnv('SPOOR_API_KEY', server.apiKey);
  expect(await createReader().page.projects()).toEqual([]);
  vi.stubEnv('SPOOR_URL', 'http://127.0.0.1:2');
  expect(await createReader({ url: server.url }).page.projects()).toEqual([]);
});

test('without a service it says what to do, and an empty address is refused', () => {
  useHome();
  expect(() => createReader()).toThrow(
    'No service is running here: start one with "npx spoor", or name one with url or SPOOR_URL',
  );
  expect(() => createReader({ url: '' })).toThrow(TypeError);
  expect(() => createPureReader({ url: '', apiKey: 'k' })).toThrow('url has to be the address of a service');
  expect(() => createPureReader()).toThrow(TypeError);
  expect(() => createReader({ url: 'nowhere' })).toThrow('an http or https address');
});
