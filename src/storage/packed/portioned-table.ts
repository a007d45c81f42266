import type { NewRow, NewTable } from '../contract/tables.ts';
import { joinDigests, splitDigests } from './joined-digests.ts';
import { type Packed, Packer, Unpacker } from './packing.ts';
import { sharePacked, type SharedText, shareText, textOf } from './shared-text.ts';

/** Rows that follow one another in a table, in memory that all threads have. */
export interface RowPortion {
  /** A space between. */
  readonly digests: SharedText;
  readonly vals: Packed;
}

/** A table of which all rows are given in their order, on its way between threads. */
export interface TablePortions {
  readonly project_id: string;
  readonly digest: string;
  readonly portions: readonly RowPortion[];
}

/** A new table whose rows come in portions: of a million rows each takes little more than its digest and its text. */
export class PortionedTable implements NewTable {
  readonly packed: TablePortions;

  constructor(packed: TablePortions) {
    this.packed = packed;
  }

  get project_id(): string {
    return this.packed.project_id;
  }

  get digest(): string {
    return this.packed.digest;
  }

  /** Made when it is asked for: it takes more memory than everything else. */
  get row_digests(): readonly string[] {
    return [...digestsOf(this.packed.portions)];
  }

  get rows(): Iterable<NewRow> {
    return { [Symbol.iterator]: () => rowsOf(this.packed.portions) };
  }
}

export function toPortion(rows: readonly NewRow[]): RowPortion {
  const packer = new Packer();
  packer.texts(rows.map(({ val }) => val));
  return { digests: shareText(joinDigests(rows.map(({ digest }) => digest))), vals: sharePacked(packer.finish(1)) };
}

export function* digestsOf(portions: readonly RowPortion[]): Generator<string> {
  for (const { digests } of portions) yield* splitDigests(textOf(digests));
}

export function* rowsOf(portions: readonly RowPortion[]): Generator<NewRow> {
  for (const { digests, vals } of portions) {
    const texts = new Unpacker(vals).texts();
    for (const [index, digest] of splitDigests(textOf(digests)).entries()) yield { digest, val: texts[index] ?? '' };
  }
}
