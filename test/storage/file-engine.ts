import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '../../src/storage/contract/storage.ts';
import type { openStorage, openUpkeep } from '../../src/storage/open.ts';
import type { StorageUnderTest } from '../../src/testing/storage/conformance.ts';

type FileEngine = Required<Pick<StorageUnderTest, 'open' | 'reopen' | 'upkeep'>>;

/** SQLite in files, each of its own, of the built package: its threads start without a loader, which makes hundreds of stores affordable. */
export function fileEngine(): FileEngine & { readonly remove: () => Promise<void> } {
  const folders: string[] = [];
  const paths = new Map<Storage, string>();
  const openFile = async (path: string) => {
    const storage = await (await built()).openStorage({ engine: 'sqlite', path });
    paths.set(storage, path);
    return storage;
  };
  return {
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'spoor-storage-'));
      folders.push(folder);
      return await openFile(join(folder, 'calls.db'));
    },
    reopen: async (closed) => await openFile(paths.get(closed) ?? ''),
    upkeep: async (storage) => await (await built()).openUpkeep({ engine: 'sqlite', path: paths.get(storage) }),
    remove: async () => {
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
    },
  };
}

interface Built {
  readonly openStorage: typeof openStorage;
  readonly openUpkeep: typeof openUpkeep;
}

async function built(): Promise<Built> {
  return (await import(new URL('../../dist/storage/open.js', import.meta.url).href)) as Built;
}
