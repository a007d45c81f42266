import { canonicalJson, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { digestBytes, digestTable } from '../../../protocol/values/digest.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { TableCreateRequest, TableCreateResponse } from '../../../protocol/table.ts';
import type { NewRow } from '../../../storage/contract/tables.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { isDeeperThan } from '../calls/body-fields.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { checkDigest } from './check-digest.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import type { WriteStores } from '../write-stores.ts';

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
  const rowDigests: string[] = [];
  const vals = await mapInTurns(table.rows, (given) => {
    const { digest, val } = toRow(given, context);
    rowDigests.push(digest);
    return val;
  });
  const digest = digestTable(rowDigests);
  checkDigest(table.expected_digest, digest);
  await tables.create({
    project_id: table.project_id,
    digest,
    row_digests: rowDigests,
    rows: rowsOf(rowDigests, vals),
  });
  return { digest, row_digests: rowDigests };
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

/** Made as they are gone through: objects for a million rows take more memory than their texts. */
function rowsOf(digests: readonly string[], vals: readonly string[]): Iterable<NewRow> {
  return {
    *[Symbol.iterator]() {
      for (const [index, digest] of digests.entries()) yield { digest, val: vals[index] ?? '' };
    },
  };
}
