import type { DerivedTable } from '../contract/tables.ts';
import { packedBytes } from './packed-table.ts';
import { LAST_MARK, type Packed, Packer, Unpacker } from './packing.ts';

/** A table on its way between threads: tens of thousands of pieces are a few texts and arrays. */
export interface PackedDerivedTable extends Omit<DerivedTable, 'pieces'> {
  readonly pieces: Packed;
}

type Pieces = DerivedTable['pieces'];

const IS_RUN = LAST_MARK - 1;
const IS_ROW = LAST_MARK - 2;

export function isPackedDerived(table: DerivedTable | PackedDerivedTable): table is PackedDerivedTable {
  return !Array.isArray(table.pieces);
}

export function packDerived(
  { pieces, ...table }: DerivedTable,
  keepPacked = (packed: Packed): Packed => packed,
): PackedDerivedTable {
  return { ...table, pieces: keepPacked(packPieces(pieces)) };
}

/** A table that came packed or as it is. */
export function derivedOf(table: DerivedTable | PackedDerivedTable): DerivedTable {
  return isPackedDerived(table) ? { ...table, pieces: unpackPieces(table.pieces) } : table;
}

/** Bytes that are written of a row that is copied. */
const COPIED_BYTES = 40;

/** About how much it takes; copied rows count, of which little comes: a million of them are no small write. */
export function derivedTableBytes(table: DerivedTable | PackedDerivedTable): number {
  if (!isPackedDerived(table)) return table.pieces.reduce((bytes, piece) => bytes + pieceBytes(piece), 200);
  const { numbers } = table.pieces;
  let bytes = packedBytes(table.pieces);
  // Of each run its beginning and its length.
  for (let index = 1; index < numbers.length; index += 2) bytes += (numbers[index] ?? 0) * COPIED_BYTES;
  return bytes;
}

function pieceBytes(piece: Pieces[number]): number {
  return 'from' in piece ? piece.count * COPIED_BYTES : piece.val.length + 100;
}

function packPieces(pieces: Pieces): Packed {
  const packer = new Packer();
  for (const piece of pieces) {
    if ('from' in piece) {
      packer.begin(IS_RUN);
      packer.number(piece.from);
      packer.number(piece.count);
    } else {
      packer.begin(IS_ROW);
      packer.text(piece.digest);
      packer.text(piece.val);
    }
  }
  return packer.finish(pieces.length);
}

function unpackPieces(packed: Packed): Pieces {
  const unpacker = new Unpacker(packed);
  return Array.from({ length: packed.count }, () =>
    unpacker.begin() === IS_RUN
      ? { from: unpacker.number(), count: unpacker.number() }
      : { digest: unpacker.text(), val: unpacker.text() },
  );
}
