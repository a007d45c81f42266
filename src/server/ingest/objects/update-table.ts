import { digestTable } from '../../../protocol/values/digest.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { TableChange, TableUpdateRequest, TableUpdateResponse } from '../../../protocol/table.ts';
import type { NewRow } from '../../../storage/contract/tables.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { validationError } from '../../http/body/request-schema.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { toRow } from './create-table.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import { PieceList } from './piece-list.ts';
import type { WriteStores } from '../write-stores.ts';

/** Stores what a table becomes by the updates, one after another; the table itself stays. */
export async function updateTable(
  tables: WriteStores['tables'],
  { project_id: projectId, base_digest: baseDigest, updates }: TableUpdateRequest,
  context: IngestContext,
): Promise<TableUpdateResponse> {
  checkProject(context.caller, projectId);
  const max = context.limits.table_updates;
  if (updates.length > max) {
    throw new TracingError('too_many_items', `Cannot update the table: there are more than ${max} updates`);
  }
  const changes = await mapInTurns(updates, (update, index) => toChange(update, index, context));
  const base = await tables.getRowDigests(projectId, baseDigest);
  if (!base) {
    throw new TracingError('not_found', `Cannot update table "${baseDigest.slice(0, 200)}": no such table`);
  }
  const list = new PieceList(base);
  const updated = changes.map((change, index) => apply(change, index, list));
  const rowDigests = list.toArray();
  const digest = digestTable(rowDigests);
  const rows = changes.flatMap((change) => ('row' in change ? change.row : []));
  await tables.create({ project_id: projectId, digest, row_digests: rowDigests, rows: partOf(rowDigests, rows) });
  return { digest, updated_row_digests: updated };
}

/** `index` is where a row comes in, absent for the end; or where one goes. */
type Change = { readonly row: NewRow; readonly index?: number } | { readonly popped: number };

function toChange({ append, pop, insert }: TableChange, position: number, context: IngestContext): Change {
  const given = [append, pop, insert].filter((change) => change !== null && change !== undefined);
  if (given.length === 1) {
    if (append) return { row: toRow(append.row, context) };
    if (insert) return { row: toRow(insert.row, context), index: insert.index };
    if (pop) return { popped: pop.index };
  }
  const msg = 'Input should have exactly one of append, pop and insert';
  throw validationError([{ loc: ['body', 'updates', position], msg, type: 'value_error' }]);
}

/** Changes the list and returns the digest of the row that came or went. */
function apply(change: Change, position: number, rowDigests: PieceList<string>): string {
  if ('popped' in change) {
    checkIndex(change.popped, rowDigests.length - 1, position);
    return rowDigests.remove(change.popped) ?? '';
  }
  const index = change.index ?? rowDigests.length;
  checkIndex(index, rowDigests.length, position);
  rowDigests.insert(index, change.row.digest);
  return change.row.digest;
}

function checkIndex(index: number, last: number, position: number): void {
  if (index >= 0 && index <= last) return;
  throw new TracingError('invalid_request', `Cannot make update ${position} of the table: there is no index ${index}`);
}

/** A row that came and went is not stored. */
function partOf(rowDigests: readonly string[], rows: readonly NewRow[]): NewRow[] {
  // Of a million rows a thousand came.
  const came = new Set(rows.map(({ digest }) => digest));
  const present = new Set(rowDigests.filter((digest) => came.has(digest)));
  return rows.filter(({ digest }) => present.has(digest));
}
