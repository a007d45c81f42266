import { strict as assert } from 'node:assert';
import { digestBytes } from '../../protocol/values/digest.ts';
import type { StoredFile } from '../../storage/contract/files.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { PROJECT } from './facts.ts';

/** Files by the digest of their bytes. */
export function filesConformance({ contract }: Contracts): void {
  contract('a file comes back byte for byte', async (storage) => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    const digest = await write(storage, 'a', bytes);
    const file = await storage.files.get(PROJECT, digest);
    assert.equal(file?.digest, digest);
    assert.deepEqual([...(file?.bytes ?? [])], [...bytes]);
  });

  contract('an empty file is a file', async (storage) => {
    const digest = await write(storage, 'empty', new Uint8Array());
    assert.equal((await storage.files.get(PROJECT, digest))?.bytes.length, 0);
  });

  contract('of several names of a file the first one stays', async (storage) => {
    const digest = await write(storage, 'ü.bin', Uint8Array.of(1, 2));
    assert.equal(await write(storage, 'second', Uint8Array.of(1, 2)), digest);
    assert.equal((await storage.files.get(PROJECT, digest))?.name, 'ü.bin');
  });

  contract('files belong to their project', async (storage) => {
    const digest = await write(storage, 'a', Uint8Array.of(1));
    assert.equal(await storage.files.get('acme/other', digest), undefined);
    assert.equal(await storage.files.get(PROJECT, digestBytes('other bytes')), undefined);
  });

  contract('bytes of the caller are not the bytes that are stored', async (storage) => {
    const bytes = Uint8Array.of(1, 2, 3);
    const digest = await write(storage, 'a', bytes);
    bytes.fill(9);
    const file = await storage.files.get(PROJECT, digest);
    assert.deepEqual([...(file?.bytes ?? [])], [1, 2, 3]);
    file?.bytes.fill(9);
    assert.deepEqual([...((await storage.files.get(PROJECT, digest))?.bytes ?? [])], [1, 2, 3]);
  });

  contract('the bytes of a project are those of its files, each counted once', async (storage) => {
    assert.equal(await storage.files.totalBytes(PROJECT), 0);
    await write(storage, 'a', Uint8Array.of(1, 2, 3));
    await write(storage, 'again', Uint8Array.of(1, 2, 3));
    await write(storage, 'b', Uint8Array.of(4, 5));
    await write(storage, 'empty', new Uint8Array());
    assert.equal(await storage.files.totalBytes(PROJECT), 5);
    assert.equal(await storage.files.totalBytes('acme/other'), 0);
  });

  contract('a file of many megabytes comes back', async (storage) => {
    const bytes = new Uint8Array(20 * 1024 * 1024).fill(7);
    const file = await storage.files.get(PROJECT, await write(storage, 'large', bytes));
    assert.equal(file?.bytes.length, bytes.length);
    assert.equal(file?.bytes.at(-1), 7);
  });
}

/** Stores bytes under their digest, as a service does. */
async function write(storage: Storage, name: string, bytes: Uint8Array): Promise<string> {
  const file: StoredFile = { project_id: PROJECT, digest: digestBytes(bytes), name, bytes };
  await storage.files.create(file);
  return file.digest;
}
