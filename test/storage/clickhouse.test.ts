import { describe, test } from 'vitest';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { openClickhouseStorage } from '../../src/storage/clickhouse/clickhouse-storage.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { MISSING, useClickhouse } from '../clickhouse/bench.ts';

const bench = useClickhouse();
const urls = new WeakMap<Storage, string>();

storageConformance(
  // Without an engine there is nothing to check: `MISSING`, which the bench prints, says what to install.
  { describe: MISSING === undefined ? describe : describe.skip, test },
  {
    name: 'clickhouse',
    open: async () => await openAt(await bench.newDatabase()),
    openBeside: async (open) => await openAt(urls.get(open) ?? ''),
    reopen: async (closed) => await openAt(urls.get(closed) ?? ''),
  },
);

async function openAt(url: string): Promise<Storage> {
  // Tests wait for nobody else's writes.
  const storage = await openClickhouseStorage({ url, groupMs: 0 });
  urls.set(storage, url);
  return storage;
}
