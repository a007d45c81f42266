import { strict as assert } from 'node:assert';
import { digestTable } from '../../../protocol/values/digest.ts';
import type { Contracts } from '../contract.ts';
import { PROJECT } from '../facts.ts';
import { derivedTable, newTable, readNumbers, readRows } from './table-facts.ts';

/** Tables that are made of others: protocol 9.28. */
export function derivedTablesConformance({ contract }: Contracts): void {
  contract('a table is made of another by runs of its rows and new ones', async (storage) => {
    const base = newTable('{"n":0}', '{"n":1}', '{"n":2}', '{"n":1}', '{"n":4}', '{"n":5}');
    await storage.tables.create(base);
    const derived = derivedTable(
      base,
      '{"n":7}',
      { from: 1, count: 3 },
      '{"n":8}',
      '{"n":1}',
      { from: 5, count: 1 },
      '{"n":7}',
    );
    await storage.tables.derive(derived);
    assert.deepEqual(await readNumbers(storage, derived), [7, 1, 2, 1, 8, 1, 5, 7]);
    assert.deepEqual(await readNumbers(storage, base), [0, 1, 2, 1, 4, 5]);
    const rowDigests = await storage.tables.getRowDigests(PROJECT, derived.digest);
    assert.equal(digestTable(rowDigests ?? []), derived.digest);
    const sizes = { digest: derived.digest, count: 8, size_bytes: 8 * '{"n": 0}'.length };
    assert.deepEqual(await storage.tables.stats(PROJECT, [derived.digest]), [sizes]);
  });

  contract('of a table that is made of another rows are chosen and sorted as of any', async (storage) => {
    const base = newTable('{"n":3}', '{"n":1}', '{"n":2}');
    await storage.tables.create(base);
    const first = derivedTable(base, { from: 0, count: 1 }, '{"n":0}', { from: 1, count: 2 });
    await storage.tables.derive(first);
    const sort = [{ path: ['n'], isDescending: false }];
    assert.deepEqual(await readNumbers(storage, first, { sort }), [0, 1, 2, 3]);
    const rowDigests = base.row_digests.slice(1, 2);
    assert.deepEqual(await readNumbers(storage, first, { rowDigests }), [1]);
    assert.deepEqual(await readNumbers(storage, first, { limit: 2, offset: 1 }), [0, 1]);
  });

  contract('a table may be made of one that was made of another, and of nothing', async (storage) => {
    const empty = newTable();
    await storage.tables.create(empty);
    const first = derivedTable(empty, '{"n":1}', '{"n":2}');
    await storage.tables.derive(first);
    const second = derivedTable(newTable('{"n":1}', '{"n":2}'), { from: 1, count: 1 }, '{"n":3}');
    await storage.tables.derive(second);
    assert.deepEqual(await readNumbers(storage, second), [2, 3]);
    await storage.tables.derive(derivedTable(newTable('{"n":2}', '{"n":3}')));
    assert.deepEqual(await storage.tables.stats(PROJECT, [second.digest, empty.digest]), [
      { digest: second.digest, count: 2, size_bytes: 2 * '{"n": 2}'.length },
      { digest: empty.digest, count: 0, size_bytes: 0 },
    ]);
  });

  contract('a table is made of another again without harm, of itself too', async (storage) => {
    const base = newTable('{"n":1}', '{"n":2}');
    await storage.tables.create(base);
    const derived = derivedTable(base, { from: 1, count: 1 });
    await Promise.all([storage.tables.derive(derived), storage.tables.derive(derived)]);
    await storage.tables.derive(derivedTable(base, { from: 0, count: 2 }));
    await storage.tables.create(newTable('{"n":2}'));
    assert.deepEqual(await readNumbers(storage, derived), [2]);
    assert.deepEqual(await readNumbers(storage, base), [1, 2]);
  });

  contract('nothing is made of a table that is not there', async (storage) => {
    const base = newTable('{"n":1}', '{"n":2}');
    const derived = derivedTable(base, { from: 0, count: 1 });
    await assert.rejects(storage.tables.derive(derived), { code: 'not_found' });
    await storage.tables.create(base);
    await assert.rejects(storage.tables.derive({ ...derived, project_id: 'acme/other' }), { code: 'not_found' });
    await assert.rejects(storage.tables.derive({ ...derived, base_digest: `${base.digest}\0` }), { code: 'not_found' });
    assert.deepEqual(await readRows(storage, derived), []);
  });

  contract('a table with a run beyond the end of its base is refused, and nothing of it is stored', async (storage) => {
    const base = newTable('{"n":1}', '{"n":2}');
    await storage.tables.create(base);
    for (const from of [1, 2, 3]) {
      const digest = `beyond-${from}`;
      const derived = { ...derivedTable(base, '{"n":3}', { from, count: 2 }), digest };
      await assert.rejects(storage.tables.derive(derived));
      assert.equal(await storage.tables.getRowDigests(PROJECT, digest), undefined);
      assert.deepEqual(await storage.tables.stats(PROJECT, [digest]), []);
    }
  });
}
