import { strict as assert } from 'node:assert';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import type { ObjectPlan } from '../../storage/contract/plan.ts';
import type { NewObject } from '../../storage/contract/objects.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Contracts } from './contract.ts';
import { newObject, PROJECT } from './facts.ts';

const BY_NAME = { column: 'object_id', isDescending: false } as const;
const BY_TIME = { column: 'created_at', isDescending: false } as const;

/** Lists of objects: protocol 9.19. */
export function objectQueryConformance({ contract }: Contracts): void {
  contract('a list has every version, in order of creation, as it is read alone', async (storage) => {
    await publishAll(storage, [named('a', 1), named('a', 2), named('a', 1, { kind: 'op' })]);
    const found = await storage.objects.query(planOf({ sort: [BY_TIME] }));
    assert.deepEqual(found.map(nameOf), ['a.0', 'a.1*', 'a.0*']);
    for (const object of found) {
      assert.deepEqual(object, await storage.objects.get(PROJECT, object.object_id, object.digest));
    }
    const metadata = await storage.objects.query(planOf({ sort: [BY_TIME], metadataOnly: true }));
    assert.deepEqual(
      metadata,
      found.map((object) => ({ ...object, val: null })),
    );
  });

  contract('a list is of one project, and empty where nothing was published', async (storage) => {
    await publishAll(storage, [named('a', 1), named('b', 1, { project_id: 'acme/other' })]);
    assert.deepEqual(await namesOf(storage, {}), ['a.0*']);
    assert.deepEqual(await namesOf(storage, { projectId: 'acme/none' }), []);
  });

  contract('a list is narrowed by names, kind and being the latest', async (storage) => {
    const op = named('a', 1, { kind: 'op' });
    await publishAll(storage, [named('a', 1), named('a', 2), op, named('b', 1), named('c', 1), named('a', 1)]);
    assert.deepEqual(await namesOf(storage, { objectIds: ['a', 'c', 'none'] }), ['a.0*', 'a.0*', 'a.1', 'c.0*']);
    assert.deepEqual(await namesOf(storage, { objectIds: ['b'] }), ['b.0*']);
    assert.deepEqual(await namesOf(storage, { kind: 'op' }), ['a.0*']);
    assert.deepEqual(await namesOf(storage, { kind: 'object', objectIds: ['a'] }), ['a.0*', 'a.1']);
    assert.deepEqual(await namesOf(storage, { latestOnly: true }), ['a.0*', 'a.0*', 'b.0*', 'c.0*']);
  });

  contract('a list is narrowed by classes; what has none is in no class and not excluded', async (storage) => {
    const ofClass = (base: string, leaf: string) => ({ base_object_class: base, leaf_object_class: leaf });
    await publishAll(storage, [
      named('a', 1, ofClass('Model', 'Mine')),
      named('b', 1, ofClass('Dataset', 'Dataset')),
      named('c', 1),
    ]);
    assert.deepEqual(await namesOf(storage, { baseClasses: ['Model'] }), ['a.0*']);
    assert.deepEqual(await namesOf(storage, { baseClasses: ['Model', 'Dataset'] }), ['a.0*', 'b.0*']);
    assert.deepEqual(await namesOf(storage, { baseClasses: ['Mine'] }), []);
    assert.deepEqual(await namesOf(storage, { leafClasses: ['Mine', 'None'] }), ['a.0*']);
    assert.deepEqual(await namesOf(storage, { excludedBaseClasses: ['Model'] }), ['b.0*', 'c.0*']);
    assert.deepEqual(await namesOf(storage, { excludedBaseClasses: ['Model', 'Dataset'] }), ['c.0*']);
    assert.deepEqual(await namesOf(storage, { baseClasses: ['Model'], excludedBaseClasses: ['Model'] }), []);
  });

  contract('a list is in the order that was asked for, then by name, number and kind', async (storage) => {
    const op = named('b', 1, { kind: 'op' });
    await publishAll(storage, [named('b', 1), named('b', 2), op, named('ä', 1), named('a', 1), named('𝐚', 1)]);
    const latestFirst = { ...BY_TIME, isDescending: true };
    assert.deepEqual(await namesOf(storage, { sort: [BY_NAME] }), ['a.0*', 'b.0', 'b.0*', 'b.1*', 'ä.0*', '𝐚.0*']);
    const kinds = (await storage.objects.query(planOf({ sort: [BY_NAME] }))).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['object', 'object', 'op', 'object', 'object', 'object']);
    const backwards = [{ ...BY_NAME, isDescending: true }, latestFirst];
    assert.deepEqual(await namesOf(storage, { sort: backwards }), ['𝐚.0*', 'ä.0*', 'b.0*', 'b.1*', 'b.0', 'a.0*']);
    assert.deepEqual(await namesOf(storage, { sort: [latestFirst], objectIds: ['b'] }), ['b.0*', 'b.1*', 'b.0']);
  });

  contract('a list begins at the offset and ends at the limit', async (storage) => {
    await publishAll(storage, [named('a', 1), named('b', 1), named('c', 1), named('d', 1)]);
    assert.deepEqual(await namesOf(storage, { limit: 2 }), ['a.0*', 'b.0*']);
    assert.deepEqual(await namesOf(storage, { limit: 2, offset: 1 }), ['b.0*', 'c.0*']);
    assert.deepEqual(await namesOf(storage, { offset: 3 }), ['d.0*']);
    assert.deepEqual(await namesOf(storage, { limit: 0 }), []);
    assert.deepEqual(await namesOf(storage, { offset: 9 }), []);
  });

  contract('a list of more characters than its reader takes is refused', async (storage) => {
    await publishAll(storage, [named('a', 'long '.repeat(100)), named('b', 1)]);
    await assert.rejects(storage.objects.query(planOf({}), { maxCharacters: 100 }), { code: 'payload_too_large' });
    assert.equal((await storage.objects.query(planOf({}), { maxCharacters: 10_000 })).length, 2);
  });
}

function named(name: string, content: JsonValue, fields: Partial<NewObject> = {}): NewObject {
  return newObject(content, { object_id: name, ...fields });
}

async function publishAll(storage: Storage, objects: readonly NewObject[]): Promise<void> {
  for (const object of objects) await storage.objects.create(object);
}

function planOf(fields: Partial<ObjectPlan>): ObjectPlan {
  return { projectId: PROJECT, latestOnly: false, sort: [BY_NAME], offset: 0, metadataOnly: false, ...fields };
}

/** Names and numbers of what a plan gives, the latest with a star. */
async function namesOf(storage: Storage, fields: Partial<ObjectPlan>): Promise<string[]> {
  return (await storage.objects.query(planOf(fields))).map(nameOf);
}

function nameOf(object: { object_id: string; version_index: number; is_latest: boolean }): string {
  return `${object.object_id}.${object.version_index}${object.is_latest ? '*' : ''}`;
}
