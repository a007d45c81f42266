import { strict as assert } from 'node:assert';
import type { TablePlan } from '../../../storage/contract/plan.ts';
import type { NewTable } from '../../../storage/contract/tables.ts';
import type { Contracts } from '../contract.ts';
import { PROJECT } from '../facts.ts';
import { newTable, readNumbers, readRows } from './table-facts.ts';

/** Tables and their rows: protocol 9.27 to 9.30. */
export function tablesConformance({ contract }: Contracts): void {
  contract('the rows of a table come back in its order, repeated ones too', async (storage) => {
    const table = newTable('{"n":1.0}', '{"é":"\\u0000\\n"}', '{"n":1.0}', '{"n":12345678901234567890}');
    await storage.tables.create(table);
    const expected = table.row_digests.map((digest, index) => {
      return { digest, val: valOf(table, digest), original_index: index };
    });
    assert.deepEqual(await readRows(storage, table), expected);
    assert.deepEqual(await storage.tables.getRowDigests(PROJECT, table.digest), table.row_digests);
  });

  contract('an unknown table has no rows, and so has one of another project', async (storage) => {
    const table = newTable('{"n":1}');
    await storage.tables.create(table);
    assert.deepEqual(await readRows(storage, newTable('{"n":2}')), []);
    assert.deepEqual(await readRows(storage, table, { projectId: 'acme/other' }), []);
    assert.equal(await storage.tables.getRowDigests(PROJECT, newTable('{"n":2}').digest), undefined);
    assert.equal(await storage.tables.getRowDigests('acme/other', table.digest), undefined);
  });

  contract('a table is stored again without harm', async (storage) => {
    const table = newTable('{"n":1}', '{"n":2}');
    await Promise.all([storage.tables.create(table), storage.tables.create(table)]);
    assert.deepEqual(await readNumbers(storage, table), [1, 2]);
  });

  contract('statistics are of known tables in the order asked for', async (storage) => {
    const empty = newTable();
    const table = newTable('{"é":1}', '{"n":2}', '{"é":1}');
    await storage.tables.create(empty);
    await storage.tables.create(table);
    assert.deepEqual(await storage.tables.stats(PROJECT, [table.digest, 'nope', empty.digest]), [
      { digest: table.digest, count: 3, size_bytes: 2 * '{"\\u00e9": 1}'.length + '{"n": 2}'.length },
      { digest: empty.digest, count: 0, size_bytes: 0 },
    ]);
    assert.deepEqual(await storage.tables.getRowDigests(PROJECT, empty.digest), []);
    assert.deepEqual(await storage.tables.stats('acme/other', [table.digest]), []);
    assert.deepEqual(await storage.tables.stats(PROJECT, []), []);
  });

  contract('tables share rows', async (storage) => {
    await storage.tables.create(newTable('{"n":1}', '{"n":2}'));
    const second = newTable('{"n":2}', '{"n":3}', '{"n":1}');
    await storage.tables.create(second);
    assert.deepEqual(await readNumbers(storage, second), [2, 3, 1]);
  });

  contract('rows that are stored need not be given again', async (storage) => {
    const known = newTable('{"n":1}', '{"n":2}');
    await storage.tables.create(known);
    const whole = newTable('{"n":2}', '{"n":3}', '{"n":2}');
    const [, third] = whole.rows;
    await storage.tables.create({ ...whole, rows: third ? [third] : [] });
    assert.deepEqual(await readNumbers(storage, whole), [2, 3, 2]);
  });

  contract('a table with an unknown row is refused whole', async (storage) => {
    const table = newTable('{"n":1}', '{"n":2}');
    await assert.rejects(storage.tables.create({ ...table, rows: [...table.rows].slice(0, 1) }));
    assert.deepEqual(await readRows(storage, table), []);
    const first = newTable('{"n":1}');
    await assert.rejects(storage.tables.create({ ...first, rows: [] }));
  });

  contract('rows are chosen by their digests', async (storage) => {
    const table = newTable('{"n":1}', '{"n":2}', '{"n":1}', '{"n":3}');
    await storage.tables.create(table);
    const [one = '', two = '', , three = ''] = table.row_digests;
    const chosen = async (rowDigests: readonly string[], fields: Partial<TablePlan> = {}) =>
      (await readRows(storage, table, { rowDigests, ...fields })).map((row) => row.original_index);
    assert.deepEqual(await chosen([three, one]), [0, 2, 3]);
    assert.deepEqual(await chosen([three, one], { limit: 1, offset: 1 }), [2]);
    assert.deepEqual(await chosen([two, 'unknown']), [1]);
    assert.deepEqual(await chosen(['\0', "'"]), []);
  });

  contract('limit and offset cut rows out of a table', async (storage) => {
    const table = newTable(...Array.from({ length: 5 }, (_, n) => `{"n":${n}}`));
    await storage.tables.create(table);
    assert.deepEqual(await readNumbers(storage, table, { limit: 2 }), [0, 1]);
    assert.deepEqual(await readNumbers(storage, table, { limit: 2, offset: 4 }), [4]);
    assert.deepEqual(await readNumbers(storage, table, { offset: 3 }), [3, 4]);
    assert.deepEqual(await readNumbers(storage, table, { limit: 0 }), []);
    assert.deepEqual(await readNumbers(storage, table, { offset: 9 }), []);
  });

  contract('rows sort absent last and numbers before texts, equal ones in the order of the table', async (storage) => {
    const values = ['null', '"b"', '10', '"9"', '"a"', '9.0', '[1]', 'true', '"é"'];
    const table = newTable('{}', ...values.map((value) => `{"a":{"b.c":${value}}}`));
    await storage.tables.create(table);
    const sorted = async (isDescending: boolean) => {
      const rows = await readRows(storage, table, { sort: [{ path: ['a', 'b.c'], isDescending }] });
      return rows.map((row) => row.original_index);
    };
    assert.deepEqual(await sorted(false), [4, 6, 3, 7, 5, 2, 8, 9, 0, 1]);
    assert.deepEqual(await sorted(true), [3, 4, 6, 9, 8, 2, 5, 7, 0, 1]);
  });

  contract('rows sort by several fields, and pages are cut after that', async (storage) => {
    const table = newTable('{"a":1,"n":1}', '{"a":2,"n":2}', '{"a":1,"n":3}', '{"a":2,"n":4}');
    await storage.tables.create(table);
    const sort = [
      { path: ['a'], isDescending: true },
      { path: ['n'], isDescending: false },
    ];
    assert.deepEqual(await readNumbers(storage, table, { sort }), [2, 4, 1, 3]);
    assert.deepEqual(await readNumbers(storage, table, { sort, limit: 2, offset: 1 }), [4, 1]);
  });

  contract('a table of many rows comes back whole', async (storage) => {
    const padding = 'x'.repeat(300);
    const table = newTable(...Array.from({ length: 3000 }, (_, n) => `{"n":${n},"p":"${padding}"}`));
    await storage.tables.create(table);
    const numbers = await readNumbers(storage, table);
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => n),
    );
    assert.equal(numbers.length, 3000);
    const sort = [{ path: ['n'], isDescending: true }];
    assert.deepEqual((await readNumbers(storage, table, { sort }))[0], 2999);
  });
}

function valOf(table: NewTable, digest: string): string | undefined {
  return [...table.rows].find((row) => row.digest === digest)?.val;
}
