import { strict as assert } from 'node:assert';
import type { KeyStore, StoredKey } from '../../../storage/contract/keys.ts';
import type { Contracts } from '../contract.ts';

/** Keys that services share. */
export function keysConformance({ contract: state }: Contracts): void {
  const contract = (name: string, check: (keys: KeyStore) => Promise<void>) =>
    state(name, async ({ keys }) => await check(keys ?? assert.fail('The storage has no keys')), 'keys');

  contract('keys come back as they were made, oldest first', async (keys) => {
    const second = newKey('b', {
      name: 'Zweiter\0 "ü"',
      entities: ['acme', 'other'],
      createdAt: '2026-01-02T00:00:00.000Z',
    });
    const first = newKey('a', { privileges: ['import'] });
    const third = newKey('c', { createdAt: second.createdAt });
    for (const key of [third, second, first]) await keys.create(key);
    assert.deepEqual(await keys.list(), [first, second, third]);
  });

  contract('a key whose id is there stays as it is', async (keys) => {
    await keys.create(newKey('a'));
    await keys.create(newKey('a', { hash: 'other' }));
    assert.deepEqual(await keys.list(), [newKey('a')]);
  });

  contract('a revoked key is gone for good, and only that', async (keys) => {
    await keys.create(newKey('a'));
    await keys.create(newKey('b'));
    assert.equal(await keys.revoke('a'), true);
    assert.equal(await keys.revoke('a'), false);
    assert.equal(await keys.revoke('unknown'), false);
    await keys.create(newKey('a'));
    assert.deepEqual(await keys.list(), [newKey('b')]);
  });
}

function newKey(id: string, fields: Partial<StoredKey> = {}): StoredKey {
  return {
    id,
    name: 'ci',
    prefix: 'spoor_abcd',
    hash: `hash of ${id}`,
    userId: 'ada',
    entities: ['*'],
    privileges: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}
