import type { NewTable } from '../storage.ts';
import { LAST_MARK, type Packed, Packer, Unpacker } from './packing.ts';

/** A table on its way between threads: a million rows are a few texts. */
export interface PackedTable {
  readonly project_id: string;
  readonly digest: string;
  readonly row_digests: Packed;
  /** Digest and text of each row. */
  readonly rows: Packed;
}

export function packTable({ project_id, digest, row_digests: rowDigests, rows }: NewTable): PackedTable {
  const digests = new Packer();
  for (const rowDigest of rowDigests) packTexts(digests, [rowDigest]);
  const packer = new Packer();
  for (const row of rows) packTexts(packer, [row.digest, row.val]);
  return { project_id, digest, row_digests: digests.finish(rowDigests.length), rows: packer.finish(rows.length) };
}

function unpackTable({ project_id, digest, row_digests: digests, rows }: PackedTable): NewTable {
  const ofDigests = new Unpacker(digests);
  const ofRows = new Unpacker(rows);
  return {
    project_id,
    digest,
    row_digests: Array.from({ length: digests.count }, () => takeText(ofDigests)),
    rows: Array.from({ length: rows.count }, () => {
      ofRows.begin();
      return { digest: ofRows.text(), val: ofRows.text() };
    }),
  };
}

/** A table that came packed or as it is. */
export function tableOf(table: NewTable | PackedTable): NewTable {
  return isPacked(table) ? unpackTable(table) : table;
}

export function isPacked(table: NewTable | PackedTable): table is PackedTable {
  return 'count' in table.rows;
}

/** About how much memory it takes. */
export function packedTableBytes({ row_digests: digests, rows }: PackedTable): number {
  return packedBytes(digests) + packedBytes(rows);
}

/** About how much memory records take as they are packed. */
export function packedBytes({ short, long, lengths, numbers }: Packed): number {
  return long.reduce((bytes, text) => bytes + text.length, short.length + lengths.byteLength + numbers.byteLength);
}

const IS_ROW = LAST_MARK - 1;

function packTexts(packer: Packer, texts: readonly string[]): void {
  packer.begin(IS_ROW);
  for (const text of texts) packer.text(text);
}

function takeText(unpacker: Unpacker): string {
  unpacker.begin();
  return unpacker.text();
}
