import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { MAX_NAME_CHARACTERS } from '../../../src/server/page/views-route.ts';
import { PROJECT } from './seed.ts';

const start = serverPerTest();

function readerOf({ url, apiKey }: RunningServer, key = apiKey): Reader {
  return createReader({ url, apiKey: key, project: PROJECT, retries: 0 });
}

describe.each(ENGINES)('with %s', (storage) => {
  test('a view is saved, changed, listed and deleted', async () => {
    const server = await start({ storage });
    const { views } = readerOf(server).page;
    const view = await views.save({ name: ' Errors ', query: 'f=status%3Aerror', columns: ['name'] });
    expect(view).toMatchObject({ name: 'Errors', query: 'f=status%3Aerror', columns: ['name'], user_id: 'local' });
    const changed = await views.save({ id: view.id, name: 'Failures', query: '' });
    expect(changed).toMatchObject({ id: view.id, name: 'Failures', columns: [], created_at: view.created_at });
    expect(await views.list()).toEqual([changed]);
    await views.delete(view.id);
    expect(await views.list()).toEqual([]);
    await expect(views.delete(view.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(views.save({ id: view.id, name: 'x', query: '' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('views survive the service', async () => {
  // The test's own: a service removes a folder that was made for it.
  const dataDir = mkdtempSync(join(tmpdir(), 'spoor-views-'));
  const server = await start({ storage: 'sqlite', dataDir });
  const view = await readerOf(server).page.views.save({ name: 'a', query: 'q' });
  await server.close();
  const after = await start({ storage: 'sqlite', dataDir });
  expect(await readerOf(after).page.views.list()).toEqual([view]);
});

test('what is no view is refused', async () => {
  const server = await start();
  const { views } = readerOf(server).page;
  const refusals = [
    { name: ' ', query: '' },
    { name: 'x'.repeat(MAX_NAME_CHARACTERS + 1), query: '' },
    { name: 'x', query: 'x'.repeat(20_000) },
    { name: 'x', query: '', columns: Array.from({ length: 101 }, () => 'c') },
  ];
  for (const view of refusals) await expect(views.save(view)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a key reads and writes the views of its entities only', async () => {
  const server = await start({ storage: 'sqlite' });
  const { key } = createKey(server.dataDir ?? '', { name: 'ada', entities: ['other'] });
  const { views } = readerOf(server, key).page;
  await expect(views.list()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(views.save({ name: 'x', query: '' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(views.delete('x')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await views.save({ name: 'x', query: '' }, { project_id: 'other/p' })).toMatchObject({ user_id: 'ada' });
});
