import { strict as assert } from 'node:assert';
import type { StoredObject } from '../../storage/contract/objects.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { NEW_YEAR, newObject, PROJECT } from './facts.ts';

/** Versions of objects and ops: protocol 9.17 and 9.18. */
export function objectsConformance({ contract }: Contracts): void {
  contract('an object is read by digest, number and as the latest', async (storage) => {
    const object = newObject({ é: 1 }, { base_object_class: 'Model', leaf_object_class: 'Mine' });
    await storage.objects.create(object);
    const found = await storage.objects.get(PROJECT, 'settings', object.digest);
    const expected: StoredObject = {
      ...object,
      created_at: found?.created_at ?? Number.NaN,
      version_index: 0,
      is_latest: true,
      size_bytes: object.val.length,
      deleted_at: null,
    };
    assert.deepEqual(found, expected);
    for (const version of ['latest', 'v0']) {
      assert.deepEqual(await storage.objects.get(PROJECT, 'settings', version), expected);
    }
    const metadata = await storage.objects.get(PROJECT, 'settings', 'latest', { metadataOnly: true });
    assert.deepEqual(metadata, { ...expected, val: null });
  });

  contract('what was never published is not found', async (storage) => {
    assert.equal(await storage.objects.get(PROJECT, 'settings', 'latest'), undefined);
    await storage.objects.create(newObject('one'));
    for (const version of ['v1', 'v01x', newObject('two').digest, 'Latest', `${newObject('one').digest}\0`]) {
      assert.equal(await storage.objects.get(PROJECT, 'settings', version), undefined);
    }
    assert.equal(await storage.objects.get(PROJECT, 'other', 'latest'), undefined);
    assert.equal(await storage.objects.get('acme/other', 'settings', 'latest'), undefined);
  });

  contract('a new digest makes the next version and becomes the latest', async (storage) => {
    const [one, two, three] = await publish(storage, 'one', 'two', 'three');
    assert.deepEqual(await versionsOf(storage), [one, two, `${three}*`]);
  });

  contract('a digest that is there becomes the latest again and stays what it was', async (storage) => {
    const [one = '', two] = await publish(storage, 'one', 'two');
    const before = await storage.objects.get(PROJECT, 'settings', one);
    await storage.objects.create(newObject('one', { created_at: NEW_YEAR + 50, svc_user_id: 'other' }));
    assert.deepEqual(await versionsOf(storage), [`${one}*`, two]);
    const latest = await storage.objects.get(PROJECT, 'settings', 'latest');
    assert.equal(before?.svc_user_id, 'user-1');
    assert.deepEqual(latest, { ...before, is_latest: true });
  });

  contract('creation times grow strictly within a name', async (storage) => {
    const [first, second, op] = await timesOfThree(storage);
    assert.equal(first < second && second < op, true);
  });

  contract('a creation time is the given one, raised by no more than it must be', async (storage) => {
    assert.deepEqual(await timesOfThree(storage), [NEW_YEAR, NEW_YEAR + 1, NEW_YEAR + 2]);
  });

  contract('an op and an object of one name are numbered apart', async (storage) => {
    const ops = [newObject('one', { kind: 'op' }), newObject('two', { kind: 'op' })] as const;
    for (const op of ops) await storage.objects.create(op);
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.digest, ops[1].digest);
    const object = newObject('one');
    await storage.objects.create(object);
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.digest, object.digest);
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'v0'))?.digest, object.digest);
    assert.equal(await storage.objects.get(PROJECT, 'settings', 'v1'), undefined);
    const op = await storage.objects.get(PROJECT, 'settings', ops[1].digest);
    assert.equal(op?.kind, 'op');
    assert.equal(op?.is_latest, true);
    assert.equal(op?.version_index, 1);
  });

  contract('versions published at once get numbers of their own', async (storage) => {
    const objects = Array.from({ length: 20 }, (_, index) => newObject(index));
    await Promise.all(objects.map((object) => storage.objects.create(object)));
    const found = await Promise.all(objects.map(({ digest }) => storage.objects.get(PROJECT, 'settings', digest)));
    const numbers = found.map((object) => object?.version_index ?? -1).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      objects.map((_, index) => index),
    );
    assert.equal(new Set(found.map((object) => object?.created_at)).size, 20);
    assert.equal(found.filter((object) => object?.is_latest === true).length, 1);
  });
}

/** Publishes a version for each content; their digests. */
async function publish(storage: Storage, ...contents: readonly string[]): Promise<string[]> {
  const objects = contents.map((content) => newObject(content));
  for (const object of objects) await storage.objects.create(object);
  return objects.map(({ digest }) => digest);
}

/** Creation times of two versions that are given one time, and of an op whose time is before it. */
async function timesOfThree(storage: Storage): Promise<[number, number, number]> {
  const timeOf = async (object: ReturnType<typeof newObject>) => {
    await storage.objects.create(object);
    return (await storage.objects.get(PROJECT, 'settings', object.digest))?.created_at ?? Number.NaN;
  };
  const first = await timeOf(newObject('one'));
  const second = await timeOf(newObject('two'));
  return [first, second, await timeOf(newObject('three', { kind: 'op', created_at: NEW_YEAR - 5 }))];
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
