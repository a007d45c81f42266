import { expect, test } from 'vitest';
import { digestTable } from '../../../src/protocol/values/digest.ts';
import type { DerivedTable, NewTable } from '../../../src/storage/contract/tables.ts';
import { openSqliteStorage, type SqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { checkDatabase } from '../../../src/storage/sqlite/upkeep/check.ts';
import { PROJECT } from '../../../src/testing/storage/facts.ts';
import { derivedTable, newTable } from '../../../src/testing/storage/tables/table-facts.ts';
import { newDatabasePath } from './store-folder.ts';

/** More rows than one statement copies, and than a table has whose pages are all kept in memory. */
const ROWS = 25_000;

const BASE = newTable(...Array.from({ length: ROWS }, (_, index) => `{"n":${index % 1000}}`));

async function onBase(use: (storage: SqliteStorage) => Promise<void>): Promise<string> {
  const path = await newDatabasePath();
  const storage = await openSqliteStorage({ path });
  try {
    await storage.tables.create(BASE);
    await use(storage);
  } finally {
    await storage.close();
  }
  return path;
}

function problemsOf(path: string): string[] {
  return [...checkDatabase(path)].flatMap(({ about, problem }) =>
    problem === undefined ? [] : `${about}: ${problem}`,
  );
}

/** The table as it is where all of its digests are given. */
function wholeOf({ pieces }: DerivedTable): NewTable {
  const row_digests = pieces.flatMap((piece) =>
    'from' in piece ? BASE.row_digests.slice(piece.from, piece.from + piece.count) : piece.digest,
  );
  const rows = pieces.flatMap((piece) => ('from' in piece ? [] : piece));
  return { project_id: 'acme/whole', digest: digestTable(row_digests), row_digests, rows: [...BASE.rows, ...rows] };
}

const DERIVED: Readonly<Record<string, DerivedTable>> = {
  'one row behind all': derivedTable(BASE, { from: 0, count: ROWS }, '{"n":"new"}'),
  'one row before all': derivedTable(BASE, '{"n":"longer than others"}', { from: 0, count: ROWS }),
  'rows out of the middle': derivedTable(BASE, { from: 0, count: 12_000 }, { from: 13_500, count: 11_500 }),
  'few of the rows': derivedTable(BASE, { from: 9_999, count: 2 }, '{"n":5}', { from: 24_999, count: 1 }),
  'none of the rows': derivedTable(BASE, '{"n":1}', '{"n":1}'),
};

test.each(Object.entries(DERIVED))('a table with %s is what it is when it is given whole', async (_name, derived) => {
  const whole = wholeOf(derived);
  const path = await onBase(async ({ tables }) => {
    await tables.derive(derived);
    await tables.create(whole);
    expect(derived.digest).toBe(whole.digest);
    const rowDigests = await tables.getRowDigests(PROJECT, derived.digest);
    expect(rowDigests?.join(' ') === whole.row_digests.join(' ')).toBe(true);
    expect(await tables.stats(PROJECT, [derived.digest])).toEqual(await tables.stats('acme/whole', [whole.digest]));
  });
  expect(problemsOf(path)).toEqual([]);
});

test('of a table with a run beyond the end of its base nothing is left', async () => {
  const tooLong = { ...derivedTable(BASE, '{"n":"new"}', { from: ROWS - 1, count: 2 }), digest: 'too-long' };
  const path = await onBase(async ({ tables }) => {
    await expect(tables.derive(tooLong)).rejects.toThrow(`Cannot copy 2 rows from row ${ROWS - 1}: there are 1`);
  });
  expect(problemsOf(path)).toEqual([]);
});
