import { TracingError } from '../../protocol/error.ts';
import type { DerivedTable, RowRun, TableStore } from '../contract/tables.ts';

/** `derive` of an engine that keeps for each table the digests of all its rows: it has them in memory meanwhile. */
export async function deriveWhole(
  tables: Pick<TableStore, 'create' | 'getRowDigests'>,
  { project_id, digest, base_digest: base, pieces }: DerivedTable,
): Promise<void> {
  const digests = await tables.getRowDigests(project_id, base);
  if (digests === undefined) throw noBase(base);
  await tables.create({
    project_id,
    digest,
    row_digests: pieces.flatMap((piece) => ('from' in piece ? runOf(digests, piece) : piece.digest)),
    rows: pieces.flatMap((piece) => ('from' in piece ? [] : piece)),
  });
}

function runOf(digests: readonly string[], { from, count }: RowRun): readonly string[] {
  const run = digests.slice(from, from + count);
  checkCopied(run.length, { from, count });
  return run;
}

/** A run ends in its base: what is not there was not to be copied. */
export function checkCopied(copied: number, { from, count }: RowRun): void {
  if (copied !== count) throw new RangeError(`Cannot copy ${count} rows from row ${from}: there are ${copied}`);
}

export function noBase(digest: string): TracingError {
  return new TracingError('not_found', `Cannot derive a table from "${digest.slice(0, 200)}": no such table`);
}
