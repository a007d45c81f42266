import { strict as assert } from 'node:assert';
import type { Storage, StoredObject } from '../storage/storage.ts';
import type { Contracts } from './storage-contract.ts';
import { NEW_YEAR, newObject, PROJECT } from './storage-facts.ts';

/** Versions of objects and ops: protocol 9.17 and 9.18. */
export function objectsConformance({ contract }: Contracts): void {
  contract('an object is read by digest, number and as the latest', async (storage) => {
    const val = '{"a": "\\u00e9"}';
    await storage.objects.create(newObject({ val, base_object_class: 'Model', leaf_object_class: 'Mine' }));
    const expected: StoredObject = {
      project_id: PROJECT,
      object_id: 'settings',
      kind: 'object',
      digest: 'digest-1',
      val,
      base_object_class: 'Model',
      leaf_object_class: 'Mine',
      svc_user_id: 'user-1',
      created_at: NEW_YEAR,
      version_index: 0,
      is_latest: true,
      size_bytes: val.length,
      deleted_at: null,
    };
    for (const version of ['digest-1', 'latest', 'v0']) {
      assert.deepEqual(await storage.objects.get(PROJECT, 'settings', version), expected);
    }
    const metadata = await storage.objects.get(PROJECT, 'settings', 'latest', { metadataOnly: true });
    assert.deepEqual(metadata, { ...expected, val: null });
  });

  contract('what was never published is not found', async (storage) => {
    assert.equal(await storage.objects.get(PROJECT, 'settings', 'latest'), undefined);
    await storage.objects.create(newObject());
    for (const version of ['v1', 'v01x', 'digest-2', 'Latest']) {
      assert.equal(await storage.objects.get(PROJECT, 'settings', version), undefined);
    }
    assert.equal(await storage.objects.get(PROJECT, 'other', 'latest'), undefined);
    assert.equal(await storage.objects.get('acme/other', 'settings', 'latest'), undefined);
  });

  contract('a new digest makes the next version and becomes the latest', async (storage) => {
    await publish(storage, 'digest-1', 'digest-2', 'digest-3');
    assert.deepEqual(await versionsOf(storage), ['digest-1', 'digest-2', 'digest-3*']);
  });

  contract('a digest that is there becomes the latest again and stays what it was', async (storage) => {
    await publish(storage, 'digest-1', 'digest-2');
    await storage.objects.create(newObject({ digest: 'digest-1', created_at: NEW_YEAR + 50, svc_user_id: 'other' }));
    assert.deepEqual(await versionsOf(storage), ['digest-1*', 'digest-2']);
    const latest = await storage.objects.get(PROJECT, 'settings', 'latest');
    assert.equal(latest?.digest, 'digest-1');
    assert.equal(latest?.created_at, NEW_YEAR);
    assert.equal(latest?.svc_user_id, 'user-1');
  });

  contract('creation times grow strictly within a name', async (storage) => {
    await publish(storage, 'digest-1', 'digest-2');
    await storage.objects.create(newObject({ kind: 'op', digest: 'digest-op', created_at: NEW_YEAR - 5 }));
    const times = await Promise.all(
      ['digest-1', 'digest-2', 'digest-op'].map(async (digest) => {
        return (await storage.objects.get(PROJECT, 'settings', digest))?.created_at;
      }),
    );
    assert.deepEqual(times, [NEW_YEAR, NEW_YEAR + 1, NEW_YEAR + 2]);
  });

  contract('an op and an object of one name are numbered apart', async (storage) => {
    await storage.objects.create(newObject({ kind: 'op', digest: 'op-1' }));
    await storage.objects.create(newObject({ kind: 'op', digest: 'op-2' }));
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.digest, 'op-2');
    await storage.objects.create(newObject({ digest: 'object-1' }));
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.digest, 'object-1');
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'v0'))?.digest, 'object-1');
    assert.equal(await storage.objects.get(PROJECT, 'settings', 'v1'), undefined);
    const op = await storage.objects.get(PROJECT, 'settings', 'op-2');
    assert.equal(op?.is_latest, true);
    assert.equal(op?.version_index, 1);
  });

  contract('versions published at once get numbers of their own', async (storage) => {
    const digests = Array.from({ length: 20 }, (_, index) => `digest-${index}`);
    await Promise.all(digests.map((digest) => storage.objects.create(newObject({ digest }))));
    const found = await Promise.all(digests.map((digest) => storage.objects.get(PROJECT, 'settings', digest)));
    const numbers = found.map((object) => object?.version_index ?? -1).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      digests.map((_, index) => index),
    );
    assert.equal(new Set(found.map((object) => object?.created_at)).size, 20);
    assert.equal(found.filter((object) => object?.is_latest === true).length, 1);
  });
}

async function publish(storage: Storage, ...digests: readonly string[]): Promise<void> {
  for (const digest of digests) await storage.objects.create(newObject({ digest }));
}

/** Digests in order of their numbers, the latest with a star. */
async function versionsOf(storage: Storage): Promise<string[]> {
  const versions: string[] = [];
  for (let index = 0; ; index++) {
    const object = await storage.objects.get(PROJECT, 'settings', `v${index}`);
    if (object === undefined) return versions;
    versions.push(object.is_latest ? `${object.digest}*` : object.digest);
  }
}
