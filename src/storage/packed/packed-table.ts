import type { NewRow, NewTable } from '../contract/tables.ts';
import { LAST_MARK, type Packed, Packer, Unpacker } from './packing.ts';
import { digestsIn, joinInPortions, type JoinedDigests } from './joined-digests.ts';
import {
  digestsOf,
  type PlacedRows,
  PortionedTable,
  rowsByDigest,
  rowsOf,
  type TablePortions,
} from './portioned-table.ts';
import type { SharedText } from './shared-text.ts';

/** A table on its way between threads: a million rows are a few texts. */
export type PackedTable = JoinedTable | TablePortions;

/** A table of which any rows are given. */
interface JoinedTable {
  readonly project_id: string;
  readonly digest: string;
  /** Digests of all rows. */
  readonly joined_digests: JoinedDigests;
  /** Digest and text of rows, in portions of many. */
  readonly rows: readonly Packed[];
}

/** A table as it is written: its digests and rows are gone through one by one. */
export interface WrittenTable extends Omit<NewTable, 'row_digests'> {
  readonly row_digests: Iterable<string>;
  /** All rows by their digests, where all of them are given. */
  readonly by_digest?: PlacedRows;
}

/** The keeping of texts and records that have been packed. */
export interface Keeping {
  readonly keepText: (text: string) => string | SharedText;
  readonly keepPacked: (packed: Packed) => Packed;
}

const AS_THEY_ARE: Keeping = { keepText: (text) => text, keepPacked: (packed) => packed };

/** Each portion is kept before the next is made, so that not all rows are there twice. */
export function packTable(table: NewTable, { keepText, keepPacked }: Keeping = AS_THEY_ARE): PackedTable {
  if (table instanceof PortionedTable) return table.packed;
  const { project_id, digest, row_digests: rowDigests, rows } = table;
  const portions: Packed[] = [];
  for (const portion of packRows(rows)) portions.push(keepPacked(portion));
  return { project_id, digest, joined_digests: joinInPortions(rowDigests, keepText), rows: portions };
}

/** A table that came packed or as it is. */
export function tableOf(table: NewTable | PackedTable): WrittenTable {
  if (!isPacked(table)) return table;
  const { project_id, digest } = table;
  if ('portions' in table) {
    const { portions } = table;
    return {
      project_id,
      digest,
      row_digests: repeatable(() => digestsOf(portions)),
      rows: repeatable(() => rowsOf(portions)),
      by_digest: {
        count: portions.reduce((sum, { count }) => sum + count, 0),
        rows: repeatable(() => rowsByDigest(portions)),
      },
    };
  }
  const { joined_digests: joined, rows } = table;
  return {
    project_id,
    digest,
    row_digests: repeatable(() => digestsIn(joined)),
    rows: repeatable(() => unpackRows(rows)),
  };
}

export function isPacked(table: NewTable | PackedTable): table is PackedTable {
  return !('row_digests' in table);
}

/** About how much memory it takes. */
export function packedTableBytes(table: PackedTable): number {
  if ('portions' in table) {
    return table.portions.reduce((bytes, { digests, vals }) => bytes + digests.length + packedBytes(vals), 0);
  }
  const { joined_digests: joined, rows } = table;
  const digestBytes = joined.reduce((bytes, { length }) => bytes + length, 0);
  return rows.reduce((bytes, portion) => bytes + packedBytes(portion), digestBytes);
}

/** About how much memory records take as they are packed. */
export function packedBytes({ short, long, lengths, numbers }: Packed): number {
  return long.reduce((bytes, text) => bytes + text.length, short.length + lengths.byteLength + numbers.byteLength);
}

const IS_ROW = LAST_MARK - 1;
const PORTION_ROWS = 20_000;

function* packRows(rows: Iterable<NewRow>): Generator<Packed> {
  let packer = new Packer();
  let count = 0;
  for (const { digest, val } of rows) {
    packer.begin(IS_ROW);
    packer.text(digest);
    packer.text(val);
    count += 1;
    if (count < PORTION_ROWS) continue;
    yield packer.finish(count);
    packer = new Packer();
    count = 0;
  }
  if (count > 0) yield packer.finish(count);
}

function* unpackRows(portions: readonly Packed[]): Generator<NewRow> {
  for (const portion of portions) {
    const unpacker = new Unpacker(portion);
    for (let row = 0; row < portion.count; row++) {
      unpacker.begin();
      yield { digest: unpacker.text(), val: unpacker.text() };
    }
  }
}

function repeatable<Item>(iterate: () => Iterator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: iterate };
}
