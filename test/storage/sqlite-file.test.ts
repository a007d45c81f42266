import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Storage } from '../../src/storage/contract/storage.ts';
import type { openStorage } from '../../src/storage/open.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { buildOnce } from '../build.ts';

const folders: string[] = [];
const paths = new Map<Storage, string>();

beforeAll(buildOnce, 120_000);

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

// The built package: its threads start without a loader, which makes hundreds of stores affordable.
storageConformance(
  { describe, test },
  {
    name: 'sqlite in a file',
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'spoor-storage-'));
      folders.push(folder);
      return await openFile(join(folder, 'calls.db'));
    },
    reopen: async (closed) => await openFile(paths.get(closed) ?? ''),
  },
);

async function openFile(path: string): Promise<Storage> {
  const built = new URL('../../dist/storage/open.js', import.meta.url).href;
  const { openStorage: open } = (await import(built)) as { openStorage: typeof openStorage };
  const storage = await open({ engine: 'sqlite', path });
  paths.set(storage, path);
  return storage;
}
