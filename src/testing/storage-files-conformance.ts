import { strict as assert } from 'node:assert';
import type { Contracts } from './storage-contract.ts';
import { PROJECT } from './storage-facts.ts';

/** Files by the digest of their bytes. */
export function filesConformance({ contract }: Contracts): void {
  contract('a file comes back byte for byte', async (storage) => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'ü.bin', bytes });
    const file = await storage.files.get(PROJECT, 'd1');
    assert.equal(file?.name, 'ü.bin');
    assert.deepEqual([...(file?.bytes ?? [])], [...bytes]);
  });

  contract('an empty file is a file', async (storage) => {
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'empty', bytes: new Uint8Array() });
    assert.equal((await storage.files.get(PROJECT, 'd1'))?.bytes.length, 0);
  });

  contract('of several names of a file the first one stays', async (storage) => {
    const bytes = Uint8Array.of(1, 2);
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'first', bytes });
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'second', bytes });
    assert.equal((await storage.files.get(PROJECT, 'd1'))?.name, 'first');
  });

  contract('files belong to their project', async (storage) => {
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'a', bytes: Uint8Array.of(1) });
    assert.equal(await storage.files.get('acme/other', 'd1'), undefined);
    assert.equal(await storage.files.get(PROJECT, 'd2'), undefined);
  });

  contract('bytes of the caller are not the bytes that are stored', async (storage) => {
    const bytes = Uint8Array.of(1, 2, 3);
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'a', bytes });
    bytes.fill(9);
    const file = await storage.files.get(PROJECT, 'd1');
    assert.deepEqual([...(file?.bytes ?? [])], [1, 2, 3]);
    file?.bytes.fill(9);
    assert.deepEqual([...((await storage.files.get(PROJECT, 'd1'))?.bytes ?? [])], [1, 2, 3]);
  });

  contract('a file of many megabytes comes back', async (storage) => {
    const bytes = new Uint8Array(20 * 1024 * 1024).fill(7);
    await storage.files.create({ project_id: PROJECT, digest: 'd1', name: 'large', bytes });
    const file = await storage.files.get(PROJECT, 'd1');
    assert.equal(file?.bytes.length, bytes.length);
    assert.equal(file?.bytes.at(-1), 7);
  });
}
