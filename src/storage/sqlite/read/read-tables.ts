import type { TablePlan } from '../../contract/plan.ts';
import { type PlacedRow, sortRows } from '../../values/sort-rows.ts';
import type { StoredRow, TableStats } from '../../contract/tables.ts';
import type { DigestPortion } from '../../packed/digest-portions.ts';
import { joinDigests } from '../../packed/joined-digests.ts';
import type { DatabaseSync, Row } from '../driver.ts';
import { iterate } from './iterate.ts';
import { boundText, numberOf, textOf } from './text.ts';

/** A chunk of rows is bounded by this, and has one row at least. */
const MAX_CHUNK_BYTES = 256 * 1024;
/** Digests that are read together: a megabyte, and of a million few enough portions that other reads may come between. */
const MAX_DIGESTS = 25_000;

/** Where in a table the rows of a plan stand, in the order of the plan. */
export function tablePositions(database: DatabaseSync, plan: TablePlan): Uint32Array {
  const { limit, offset } = plan;
  const end = limit === undefined ? undefined : offset + limit;
  if (plan.sort.length === 0 && plan.rowDigests === undefined) return range(offset, end, countOf(database, plan));
  const positions =
    plan.sort.length === 0 ? inTableOrder(database, plan) : sortRows(placedRows(database, plan), plan.sort, end);
  return Uint32Array.from(positions.slice(offset, end));
}

/** The positions of a whole table need not be read. */
function range(start: number, end = Infinity, count = 0): Uint32Array {
  return Uint32Array.from({ length: Math.max(0, Math.min(end, count) - start) }, (_, index) => start + index);
}

function countOf(database: DatabaseSync, { projectId, digest }: TablePlan): number {
  return tableStats(database, projectId, [digest])[0]?.count ?? 0;
}

/** The rows at these positions, in this order; as many of the first ones as fit in a chunk. */
export function tableRows(
  database: DatabaseSync,
  projectId: string,
  digest: string,
  positions: Uint32Array,
): StoredRow[] {
  const statement = database.prepare(`SELECT r.digest, r.val ${FROM} AND i.position = ?`);
  const rows: StoredRow[] = [];
  let bytes = 0;
  for (const position of positions) {
    if (bytes >= MAX_CHUNK_BYTES) break;
    const row = statement.get(boundText(projectId), boundText(digest), position);
    const val = textOf(row?.['val']) ?? '{}';
    rows.push({ digest: textOf(row?.['digest']) ?? '', val, original_index: position });
    bytes += val.length;
  }
  return rows;
}

/** The digests of so many rows, as one text. */
export function tableRowDigests(
  database: DatabaseSync,
  projectId: string,
  digest: string,
  from: number,
): DigestPortion | undefined {
  const [table] = tableStats(database, projectId, [digest]);
  if (table === undefined) return undefined;
  const rows = database.prepare(`SELECT r.digest ${FROM} AND i.position >= ? ORDER BY i.position LIMIT ?`);
  const digests: string[] = [];
  for (const row of iterate(rows, boundText(projectId), boundText(digest), from, MAX_DIGESTS)) {
    digests.push(textOf(row['digest']) ?? '');
  }
  return { count: table.count, digests: [joinDigests(digests)] };
}

export function tableStats(database: DatabaseSync, projectId: string, digests: readonly string[]): TableStats[] {
  const statement = database.prepare(`SELECT t.row_count, t.size_bytes FROM dataset t WHERE ${TABLE}`);
  return digests.flatMap((digest) => {
    const row = statement.get(boundText(projectId), boundText(digest));
    if (row === undefined) return [];
    return { digest, count: numberOf(row['row_count']) ?? 0, size_bytes: numberOf(row['size_bytes']) ?? 0 };
  });
}

const TABLE = 't.project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT)) AND t.digest = CAST(? AS TEXT)';
const FROM = `FROM dataset t JOIN dataset_item i ON i.dataset = t.pk JOIN dataset_row r ON r.pk = i.row WHERE ${TABLE}`;

/**
 * Named rows are looked up one by one, however large the table is: the order of the joins is fixed. A list of digests
 * travels as one JSON text: a statement takes only so many values.
 */
const FROM_NAMED = `FROM dataset t CROSS JOIN dataset_row r CROSS JOIN dataset_item i WHERE ${TABLE}
AND r.project = t.project AND r.digest IN (SELECT value FROM json_each(?)) AND i.dataset = t.pk AND i.row = r.pk`;

function wanted({ projectId, digest, rowDigests }: TablePlan): {
  from: string;
  values: ReturnType<typeof boundText>[];
} {
  const values = [boundText(projectId), boundText(digest)];
  if (rowDigests === undefined) return { from: FROM, values };
  return { from: FROM_NAMED, values: [...values, JSON.stringify(rowDigests)] };
}

function inTableOrder(database: DatabaseSync, plan: TablePlan): number[] {
  const { from, values } = wanted(plan);
  return rowsOf(database, `SELECT i.position ${from} ORDER BY i.position`, values).map(positionOf);
}

function* placedRows(database: DatabaseSync, plan: TablePlan): Generator<PlacedRow> {
  const { from, values } = wanted(plan);
  // Asked for every row, so that a read that nobody waits for ends.
  const query = `SELECT i.position, r.val ${from} AND spoor_go_on(i.position) ORDER BY i.position`;
  for (const row of iterate(database.prepare(query), ...values)) {
    yield { position: positionOf(row), val: textOf(row['val']) ?? '{}' };
  }
}

function rowsOf(database: DatabaseSync, query: string, values: ReturnType<typeof boundText>[]): Row[] {
  return database.prepare(query).all(...values);
}

function positionOf(row: Row): number {
  return numberOf(row['position']) ?? 0;
}
