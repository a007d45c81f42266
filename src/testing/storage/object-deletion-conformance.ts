import { strict as assert } from 'node:assert';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { NEW_YEAR, newObject, PROJECT } from './facts.ts';

const ONE = newObject('one');
const TWO = newObject('two', { base_object_class: 'Model', leaf_object_class: 'Mine' });
const THREE = newObject('three');
const OP = newObject('four', { kind: 'op' });

/** Deletion of versions: protocol 9.18 and 9.20. */
export function objectDeletionConformance({ contract }: Contracts): void {
  contract('a deletion tells what was deleted, and no list has it', async (storage) => {
    await publishAll(storage);
    assert.deepEqual(await remove(storage, [TWO.digest]), [
      { digest: TWO.digest, base_object_class: 'Model', leaf_object_class: 'Mine' },
    ]);
    assert.deepEqual(await versionsOf(storage), ['object 0', 'object 2*', 'op 0*']);
  });

  contract('versions are deleted by digest, number and as the latest, each once', async (storage) => {
    await publishAll(storage);
    const deleted = await remove(storage, ['latest', 'v0', ONE.digest, THREE.digest]);
    assert.deepEqual(
      deleted.map(({ digest }) => digest),
      [ONE.digest, THREE.digest],
    );
    assert.deepEqual(await versionsOf(storage), ['object 1*', 'op 0*']);
  });

  contract('the latest that is deleted is followed by the greatest number that stays', async (storage) => {
    await publishAll(storage);
    await storage.objects.create(ONE);
    assert.deepEqual(await versionsOf(storage), ['object 0*', 'object 1', 'object 2', 'op 0*']);
    await remove(storage, ['latest']);
    assert.deepEqual(await versionsOf(storage), ['object 1', 'object 2*', 'op 0*']);
    await remove(storage, [TWO.digest]);
    assert.deepEqual(await versionsOf(storage), ['object 2*', 'op 0*']);
    await remove(storage, ['latest']);
    assert.deepEqual(await versionsOf(storage), ['op 0*']);
    assert.deepEqual((await storage.objects.get(PROJECT, 'settings', OP.digest))?.is_latest, true);
  });

  contract('a deletion that names no version takes all of both kinds of the name', async (storage) => {
    await publishAll(storage);
    await storage.objects.create(newObject('one', { object_id: 'other' }));
    await storage.objects.create(newObject('one', { project_id: 'acme/other' }));
    const deleted = await remove(storage, []);
    assert.deepEqual(
      deleted.map(({ digest }) => digest),
      [ONE.digest, TWO.digest, THREE.digest, OP.digest],
    );
    assert.deepEqual(await versionsOf(storage), []);
    assert.equal((await storage.objects.get(PROJECT, 'other', 'latest'))?.digest, ONE.digest);
    assert.equal((await storage.objects.get('acme/other', 'settings', 'latest'))?.digest, ONE.digest);
  });

  contract('a deletion tells versions of both kinds in the order they were made', async (storage) => {
    for (const object of [OP, ONE]) await storage.objects.create(object);
    const deleted = await remove(storage, []);
    assert.deepEqual(
      deleted.map(({ digest }) => digest),
      [OP.digest, ONE.digest],
    );
  });

  contract('a deletion that names a version which is not there deletes nothing', async (storage) => {
    await publishAll(storage);
    await remove(storage, ['v1']);
    const before = await versionsOf(storage);
    for (const missing of ['v1', TWO.digest, 'v9', 'none', newObject('other').digest]) {
      await assert.rejects(remove(storage, ['v0', missing]), { code: 'not_found' });
    }
    await assert.rejects(storage.objects.delete(PROJECT, 'none', [], NEW_YEAR), { code: 'not_found' });
    assert.deepEqual(await versionsOf(storage), before);
    await remove(storage, []);
    await assert.rejects(remove(storage, []), { code: 'not_found' });
    await assert.rejects(remove(storage, ['latest']), { code: 'not_found' });
  });

  contract('a value that was deleted and comes again is the next version', async (storage) => {
    await publishAll(storage);
    await remove(storage, ['v0', 'v2']);
    await storage.objects.create(ONE);
    assert.deepEqual(await versionsOf(storage), ['object 1', 'op 0*', 'object 3*']);
    const again = await storage.objects.get(PROJECT, 'settings', ONE.digest);
    assert.equal(again?.version_index, 3);
    await remove(storage, [ONE.digest]);
    assert.deepEqual(await versionsOf(storage), ['object 1*', 'op 0*']);
  });

  contract('a deleted version is known without its value', async (storage) => {
    await publishAll(storage);
    const before = await storage.objects.get(PROJECT, 'settings', 'v1');
    await remove(storage, ['v1'], NEW_YEAR + 5);
    const expected = { ...before, val: null, deleted_at: NEW_YEAR + 5 };
    assert.deepEqual(await storage.objects.get(PROJECT, 'settings', 'v1'), expected);
    assert.deepEqual(await storage.objects.get(PROJECT, 'settings', TWO.digest), expected);
    await remove(storage, ['v2'], NEW_YEAR + 7);
    await remove(storage, ['v0'], NEW_YEAR + 9);
    const latest = await storage.objects.get(PROJECT, 'settings', 'latest');
    assert.deepEqual([latest?.digest, latest?.is_latest], [ONE.digest, false]);
    await storage.objects.create(TWO);
    await storage.objects.create(THREE);
    await remove(storage, [], NEW_YEAR + 11);
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.version_index, 4);
  });
}

async function publishAll(storage: Storage): Promise<void> {
  for (const object of [ONE, TWO, THREE, OP]) await storage.objects.create(object);
}

function remove(storage: Storage, versions: readonly string[], deletedAt = NEW_YEAR) {
  return storage.objects.delete(PROJECT, 'settings', versions, deletedAt);
}

/** Kinds and numbers of the versions that are there, the latest of each kind with a star. */
async function versionsOf(storage: Storage): Promise<string[]> {
  const sort = [{ column: 'created_at', isDescending: false }] as const;
  const plan = { projectId: PROJECT, objectIds: ['settings'], latestOnly: false, sort, offset: 0, metadataOnly: true };
  const found = await storage.objects.query(plan);
  return found.map(({ kind, version_index, is_latest }) => `${kind} ${version_index}${is_latest ? '*' : ''}`);
}
