import type { FileRecord, ObjectRecord, TableRecord } from '../../protocol/record.ts';
import { fileLine, objectLine, tableLine } from '../../spool/segment-format.ts';
import { sizeOf } from '../queue/size-of.ts';
import { piecesOf } from './table-pieces.ts';

/** A value that the lane of objects carries. */
export type Publication =
  | { readonly kind: 'object'; readonly object: ObjectRecord }
  | { readonly kind: 'table'; readonly table: TableRecord }
  | { readonly kind: 'file'; readonly file: FileRecord };

export function nameOf(publication: Publication): string {
  if (publication.kind === 'object') return publication.object.objectId;
  return publication.kind === 'file' ? publication.file.name : `table ${publication.table.digest}`;
}

/** Bytes of the memory that it holds; rows that a table shares with its base are counted there. */
export function bytesOf(publication: Publication): number {
  if (publication.kind === 'file') return publication.file.bytes.byteLength;
  if (publication.kind === 'table') return sizeOf(publication.table.rows.slice(publication.table.base?.count));
  const { val, files } = publication.object;
  return files.reduce((total, { bytes }) => total + bytes.byteLength, sizeOf(val));
}

/** With `isBaseKnown` a table is written as the rows that its base does not have. */
export function linesOf(publication: Publication, { isBaseKnown }: { readonly isBaseKnown: boolean }): Buffer {
  return Buffer.concat([...linesIn(publication, isBaseKnown)].map((line) => Buffer.from(line)));
}

function* linesIn(publication: Publication, isBaseKnown: boolean): Generator<string> {
  if (publication.kind === 'file') return yield fileLine(publication.file, { isAlone: true });
  if (publication.kind === 'table') return yield* tableLines(publication.table, isBaseKnown);
  for (const file of publication.object.files) yield fileLine(file);
  yield objectLine(publication.object);
}

function* tableLines(table: TableRecord, isBaseKnown: boolean): Generator<string> {
  for (const piece of piecesOf(table, isBaseKnown)) if (piece) yield tableLine(piece, piece.rowTexts);
}
