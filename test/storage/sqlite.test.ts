import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { storageConformance } from '../../src/testing/storage-conformance.ts';

const folders: string[] = [];

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

storageConformance(
  { describe, test },
  { name: 'sqlite in memory', open: () => openStorage({ engine: 'sqlite', path: ':memory:' }) },
);

storageConformance(
  { describe, test },
  {
    name: 'sqlite in a file',
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'spoor-storage-'));
      folders.push(folder);
      return openStorage({ engine: 'sqlite', path: join(folder, 'calls.db') });
    },
  },
);
