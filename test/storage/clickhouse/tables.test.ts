import { describe, expect, test } from 'vitest';
import { ClickhouseTables } from '../../../src/storage/clickhouse/clickhouse-tables.ts';
import { Connection, type Row } from '../../../src/storage/clickhouse/connection.ts';
import type { ReadOptions } from '../../../src/storage/contract/reads.ts';
import { PROJECT } from '../../../src/testing/storage/facts.ts';
import { derivedTable, newTable } from '../../../src/testing/storage/tables/table-facts.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openWatched } from '../../clickhouse/open-watched.ts';

const bench = useClickhouse();

/** Counts the characters of what is read and of the rows that are inserted, and those rows. */
class CountedConnection extends Connection {
  characters = 0;
  readonly inserts: number[] = [];

  override async all<Found = Row>(sql: Sql, options?: ReadOptions): Promise<Found[]> {
    const rows = await super.all<Found>(sql, options);
    this.characters += JSON.stringify(rows).length;
    return rows;
  }

  override async insert(table: string, rows: readonly Row[]): Promise<void> {
    this.characters += JSON.stringify(rows).length;
    this.inserts.push(rows.length);
    await super.insert(table, rows);
  }
}

describe.skipIf(MISSING !== undefined)('tables of many rows', () => {
  test('a page, what is known of a table, and one that is derived bring none of the other rows here', async () => {
    const { connection, tables } = await open();
    const few = await costsOf(100);
    expect(await costsOf(30_000)).toEqual(few);

    async function costsOf(size: number) {
      const table = newTable(...Array.from({ length: size }, (_, index) => JSON.stringify({ n: 1_000_000 + index })));
      await tables.create(table);
      const [row = ''] = table.row_digests.slice(50);
      const plan = { projectId: PROJECT, digest: table.digest, sort: [], offset: 40, limit: 10 };
      const derived = derivedTable(table, { from: 0, count: 50 }, '{"n":1}', { from: 60, count: 40 });
      return [
        await costOf(async () => {
          for await (const rows of tables.query(plan)) expect(rows.map((one) => one.original_index)[0]).toBe(40);
        }),
        await costOf(async () => {
          for await (const rows of tables.query({ ...plan, offset: 0, rowDigests: [row] }))
            expect(rows).toHaveLength(1);
        }),
        await costOf(async () => await tables.derive(derived)),
        await costOf(async () => void (await tables.stats(PROJECT, [table.digest]))),
      ];
    }

    async function costOf(work: () => Promise<void>): Promise<number> {
      const before = connection.characters;
      await work();
      // Counts have more digits in a large table.
      return Math.floor((connection.characters - before) / 100);
    }
  });

  test('lists longer than are held at once come whole, in any order', async () => {
    const { tables } = await open();
    const table = newTable(...Array.from({ length: 45_000 }, (_, index) => JSON.stringify({ n: index % 1000 })));
    await tables.create(table);
    const plan = { projectId: PROJECT, digest: table.digest, sort: [], offset: 0 };
    expect(await positionsOf(plan)).toEqual(Array.from({ length: 45_000 }, (_, index) => index));
    expect(await positionsOf({ ...plan, offset: 19_990, limit: 20_020 })).toEqual(
      Array.from({ length: 20_020 }, (_, index) => 19_990 + index),
    );
    const [first = '', second = ''] = table.row_digests;
    const named = Array.from({ length: 45 }, (_, index) => [index * 1000, index * 1000 + 1]).flat();
    expect(await positionsOf({ ...plan, rowDigests: [second, first] })).toEqual(named);
    const sort = [{ path: ['n'], isDescending: true }];
    const sorted = await positionsOf({ ...plan, sort });
    expect(sorted).toHaveLength(45_000);
    expect(sorted.slice(0, 3)).toEqual([999, 1999, 2999]);
    expect(await positionsOf({ ...plan, sort, offset: 45, limit: 2 })).toEqual([998, 1998]);
    expect(await tables.stats(PROJECT, [table.digest])).toEqual([
      {
        digest: table.digest,
        count: 45_000,
        size_bytes: [...table.rows].reduce((sum, { val }) => sum + val.length, 0),
      },
    ]);

    async function positionsOf(wanted: Parameters<ClickhouseTables['query']>[0]): Promise<number[]> {
      const positions: number[] = [];
      for await (const rows of tables.query(wanted)) {
        for (const one of rows) {
          expect(one.digest).toBe(table.row_digests[one.original_index]);
          positions.push(one.original_index);
        }
      }
      return positions;
    }
  });

  test('rows that say little are inserted in parts, and each once', async () => {
    const { connection, tables } = await open();
    const texts = Array.from({ length: 45_000 }, (_, index) => JSON.stringify({ n: index }));
    const base = newTable('{"n":"first"}', ...texts.slice(0, 22_500));
    await tables.create(base);
    expect(connection.inserts).toEqual([20_000, 2501, 1]);
    connection.inserts.length = 0;
    const derived = derivedTable(base, { from: 0, count: 1 }, ...texts, ...texts.slice(0, 1000));
    await tables.derive(derived);
    expect(connection.inserts).toEqual([20_000, 20_000, 5000]);
    expect(await tables.stats(PROJECT, [derived.digest])).toMatchObject([{ count: 46_001 }]);
  });

  test('a table is derived of more pieces than a statement puts together', async () => {
    const { tables } = await open();
    const base = newTable(...Array.from({ length: 3000 }, (_, index) => JSON.stringify({ n: index })));
    await tables.create(base);
    for (const count of [400, 1500]) {
      const pieces = Array.from({ length: count }, (_, index) => ({ from: 2 * index, count: 1 }));
      const derived = derivedTable(base, ...pieces, '{"n":"last"}');
      await tables.derive(derived);
      const expected = base.row_digests.filter((_, index) => index % 2 === 0 && index < 2 * count);
      expect((await tables.getRowDigests(PROJECT, derived.digest))?.slice(0, -1)).toEqual(expected);
    }
  });
});

async function open() {
  const { connection } = await openWatched(bench, CountedConnection);
  return { connection, tables: new ClickhouseTables(connection) };
}
