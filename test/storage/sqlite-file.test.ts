import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { openStorage } from '../../src/storage/open.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { buildOnce } from '../build.ts';

const folders: string[] = [];

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
      const built = new URL('../../dist/storage/open.js', import.meta.url).href;
      const { openStorage: open } = (await import(built)) as { openStorage: typeof openStorage };
      return open({ engine: 'sqlite', path: join(folder, 'calls.db') });
    },
  },
);
