import { performance } from '../../host/clock.ts';
import { digestTable } from '../../protocol/values/digest.ts';
import type { TableRecord } from '../../protocol/record.ts';
import type { SpooledTable } from '../../spool/segment-format.ts';

/** A part of a table with the JSON texts of its rows. */
export interface TablePiece extends Omit<SpooledTable, 'rows'> {
  readonly rowTexts: readonly string[];
}

/** Well below what a service takes in one request. */
const MAX_PIECE_BYTES = 8 * 1024 * 1024;
/** So that the digests in the answer are not too long. */
const MAX_NEW_ROWS = 200_000;
/** Rows that one update of a table may hold. */
const MAX_ADDED_ROWS = 10_000;
/** Longest piece of encoding work between two turns of the event loop. */
const SLICE_MS = 5;

/**
 * Cuts a table into requests of a size that every service takes: the first makes a table, the others add to it.
 * With `isBaseKnown` the first adds to the base. Yields `undefined` where the caller may give the event loop a turn.
 */
export function* piecesOf(table: TableRecord, isBaseKnown: boolean): Generator<TablePiece | undefined> {
  const known = isBaseKnown ? table.base : undefined;
  const { rows, rowDigests, projectId } = table;
  let base = known?.digest;
  let end = known?.count ?? 0;
  do {
    const start = end;
    const rowTexts = yield* encode(rows, start, base === undefined ? MAX_NEW_ROWS : MAX_ADDED_ROWS);
    end += rowTexts.length;
    const isLast = end === rows.length;
    const digest = isLast ? table.digest : digestTable(rowDigests.slice(0, end));
    yield { projectId, digest, rowTexts, isLast, ...(base !== undefined && { base }) };
    base = digest;
  } while (end < rows.length);
}

/** As many rows from `start` on as one request takes: at least one. */
function* encode(rows: readonly unknown[], start: number, maxRows: number): Generator<undefined, string[]> {
  const texts: string[] = [];
  let bytes = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (let index = start; index < rows.length && texts.length < maxRows; index++) {
    const text = JSON.stringify(rows[index]);
    if (texts.length > 0 && bytes + text.length > MAX_PIECE_BYTES) break;
    texts.push(text);
    bytes += text.length;
    if (performance.now() < sliceEnd) continue;
    yield;
    sliceEnd = performance.now() + SLICE_MS;
  }
  return texts;
}
