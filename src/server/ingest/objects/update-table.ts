import { TracingError } from '../../../protocol/error.ts';
import type { TableChange, TableUpdateRequest, TableUpdateResponse } from '../../../protocol/table.ts';
import type { DerivedTable, NewRow } from '../../../storage/contract/tables.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { validationError } from '../../http/body/request-schema.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { inPortions, toRow } from './create-table.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import { DerivedDigest } from './derived-digest.ts';
import { RowRope } from './row-rope.ts';
import type { RowDigests, WriteStores } from '../write-stores.ts';

/**
 * Stores what a table becomes by the updates, one after another; the table itself stays. Of its rows nothing is read but
 * their digests, of which few are there at a time.
 */
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
  const rope = new RowRope(base.length);
  const touched = changes.map((change, index) => apply(change, index, rope));
  const pieces = rope.pieces();
  const { digest, gone } = await digestOf(pieces, base);
  await tables.derive({ project_id: projectId, digest, base_digest: baseDigest, pieces });
  return { digest, updated_row_digests: touched.map((row) => (typeof row === 'number' ? (gone.get(row) ?? '') : row)) };
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

/** Changes the rows and returns the digest of the row that came or went, or where it was in the table. */
function apply(change: Change, position: number, rope: RowRope): string | number {
  if ('popped' in change) {
    checkIndex(change.popped, rope.length - 1, position);
    const gone = rope.remove(change.popped);
    return typeof gone === 'number' ? gone : gone.digest;
  }
  const index = change.index ?? rope.length;
  checkIndex(index, rope.length, position);
  rope.insert(index, change.row);
  return change.row.digest;
}

function checkIndex(index: number, last: number, position: number): void {
  if (index >= 0 && index <= last) return;
  throw new TracingError('invalid_request', `Cannot make update ${position} of the table: there is no index ${index}`);
}

async function digestOf(
  pieces: DerivedTable['pieces'],
  base: RowDigests,
): Promise<ReturnType<DerivedDigest['finish']>> {
  const digest = new DerivedDigest(pieces);
  for await (const portion of 'portions' in base ? base.portions : inPortions(base)) digest.take(portion);
  return digest.finish();
}
