import { describe, expect, test } from 'vitest';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';

const start = serverPerTest();

function readerOf({ url, apiKey }: RunningServer, key = apiKey): Reader {
  return createReader({ url, apiKey: key, retries: 0 });
}

const RULES = { retainBytes: 5000, retainProjects: { 'acme/demo': { days: 90 }, 'other/kept': {} } };
const ALL = { days: null, bytes: null };

describe.each(ENGINES)('with %s', (storage) => {
  test('what a service was told to keep is told', async () => {
    const reader = readerOf(await start({ storage, ...RULES }));
    expect(await reader.page.retention()).toEqual({
      all: { days: null, bytes: 5000 },
      projects: { 'acme/demo': { days: 90, bytes: null }, 'other/kept': ALL },
    });
  });

  test('where nobody was told anything that is told, too', async () => {
    expect(await readerOf(await start({ storage })).page.retention()).toEqual({ all: ALL, projects: {} });
  });
});

test('a key for one entity is told nothing of others', async () => {
  const running = await start({ storage: 'sqlite', ...RULES });
  const { key } = createKey(running.dataDir ?? '', { name: 'ada', entities: ['acme'] });
  expect(await readerOf(running, key).page.retention()).toEqual({
    all: { days: null, bytes: 5000 },
    projects: { 'acme/demo': { days: 90, bytes: null } },
  });
});

test('an engine without a policy leaves each service its own', async () => {
  const { policy: _policy, ...storage }: Storage = openMemoryStorage();
  const running = await start({ storage, retainDays: 7 });
  expect(await readerOf(running).page.retention()).toBeNull();
});
