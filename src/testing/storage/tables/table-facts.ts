import { canonicalJson, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { digestBytes, digestTable } from '../../../protocol/values/digest.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { TablePlan } from '../../../storage/contract/plan.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { DerivedTable, NewRow, NewTable, RowRun, StoredRow } from '../../../storage/contract/tables.ts';
import { PROJECT } from '../facts.ts';

/** A table of runs of the rows of another and rows that are given. */
export function derivedTable(base: NewTable, ...given: readonly (RowRun | string)[]): DerivedTable {
  const pieces = given.map((piece) => (typeof piece === 'string' ? newRow(piece) : piece));
  const digests = pieces.flatMap((piece) =>
    'from' in piece ? base.row_digests.slice(piece.from, piece.from + piece.count) : piece.digest,
  );
  return { project_id: PROJECT, digest: digestTable(digests), base_digest: base.digest, pieces };
}

/** A table of these rows as a service makes it. */
export function newTable(...rows: readonly string[]): NewTable {
  const all = rows.map(newRow);
  const row_digests = all.map((row) => row.digest);
  return { project_id: PROJECT, digest: digestTable(row_digests), row_digests, rows: all };
}

function newRow(text: string): NewRow {
  const val = canonicalJson(parseJson(text));
  return { digest: digestBytes(val), val };
}

type Read = Pick<NewTable, 'digest'>;

export async function readRows(storage: Storage, table: Read, fields: Partial<TablePlan> = {}): Promise<StoredRow[]> {
  const plan = { projectId: PROJECT, digest: table.digest, sort: [], offset: 0, ...fields };
  const rows: StoredRow[] = [];
  for await (const chunk of storage.tables.query(plan)) rows.push(...chunk);
  return rows;
}

/** The member `n` of each row. */
export async function readNumbers(
  storage: Storage,
  table: Read,
  fields: Partial<TablePlan> = {},
): Promise<JsonValue[]> {
  const rows = await readRows(storage, table, fields);
  // The rows of the kit are objects.
  return rows.map(({ val }) => (parseJson(val) as Record<string, JsonValue>)['n'] ?? null);
}
