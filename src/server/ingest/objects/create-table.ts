import { canonicalJson, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { digestBytes, startHash } from '../../../protocol/values/digest.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { TableCreateRequest, TableCreateResponse } from '../../../protocol/table.ts';
import type { NewRow } from '../../../storage/contract/tables.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { isDeeperThan } from '../calls/body-fields.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { checkDigest } from './check-digest.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import { Turns } from '../../http/turns.ts';
import { PortionedTable, type RowPortion, toPortion } from '../../../storage/packed/portioned-table.ts';
import type { WriteStores } from '../write-stores.ts';

/** A table whose rows are read in portions; gone through once. */
interface TableInPortions {
  readonly table: Omit<TableCreateRequest['table'], 'rows'>;
  readonly portions: Iterable<readonly unknown[]>;
}

/** Stores a table and its rows; returns their digests. */
export async function createTable(
  tables: WriteStores['tables'],
  { table }: TableCreateRequest,
  context: IngestContext,
): Promise<TableCreateResponse> {
  checkProject(context.caller, table.project_id);
  const max = context.limits.rows_per_table;
  if (table.rows.length > max) {
    throw new TracingError('too_many_items', `Cannot create the table: it has more than ${max} rows`);
  }
  const { digest, row_digests } = await storeTable(tables, { table, portions: inPortions(table.rows) }, context);
  return { digest, row_digests: [...row_digests] };
}

/** Stores a table of which no more than a portion of rows is in memory as values; the caller knows that there are not too many. */
export async function storeTable(
  tables: WriteStores['tables'],
  { table, portions: given }: TableInPortions,
  context: IngestContext,
): Promise<PortionedTable> {
  checkProject(context.caller, table.project_id);
  const hash = startHash();
  const portions: RowPortion[] = [];
  const turns = new Turns();
  for (const items of given) {
    const rows = await mapInTurns(items, (item) => toRow(item, context));
    hash.update(rows.map(({ digest }) => digest).join(''));
    portions.push(toPortion(rows));
    if (turns.isOver) await turns.next();
  }
  const created = new PortionedTable({ project_id: table.project_id, digest: hash.digest('hex'), portions });
  checkDigest(table.expected_digest, created.digest);
  await tables.create(created);
  return created;
}

/** Rows that are kept, or hashed, together. */
const PORTION_ROWS = 5000;

export function* inPortions<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += PORTION_ROWS) yield rows.slice(start, start + PORTION_ROWS);
}

/** A row as it is stored; refuses one that is too deep or too large. */
export function toRow(row: unknown, { depth, limits }: IngestContext): NewRow {
  if (depth > limits.json_depth && isDeeperThan(row, limits.json_depth)) {
    throw new TracingError('payload_too_large', `Cannot store the row: more than ${limits.json_depth} levels`);
  }
  // The row was parsed from JSON.
  const val = canonicalJson(row as JsonValue);
  if (val.length > limits.row_bytes) {
    throw new TracingError('payload_too_large', `Cannot store the row: more than ${limits.row_bytes} bytes`);
  }
  return { digest: digestBytes(val), val };
}
