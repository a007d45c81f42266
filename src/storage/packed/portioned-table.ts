import type { NewRow, NewTable } from '../contract/tables.ts';
import { joinDigests, splitDigests } from './joined-digests.ts';
import { type Packed, Packer, Unpacker } from './packing.ts';
import { sharePacked, type SharedText, shareText, textOf } from './shared-text.ts';

/** Rows that follow one another in a table, in memory that all threads have. */
export interface RowPortion {
  readonly count: number;
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
  return {
    count: rows.length,
    digests: shareText(joinDigests(rows.map(({ digest }) => digest))),
    vals: sharePacked(packer.finish(1)),
  };
}

export function* digestsOf(portions: readonly RowPortion[]): Generator<string> {
  for (const { digests } of portions) yield* splitDigests(textOf(digests));
}

/** A row and its place in the table, from 0. */
export interface PlacedRow extends NewRow {
  readonly place: number;
}

/** All rows of a table in the order that is best for who writes them. */
export interface PlacedRows {
  readonly count: number;
  readonly rows: Iterable<PlacedRow>;
}

/**
 * All rows, those together whose digests begin alike: who keeps them in the order of their digests changes few pages at a
 * time. Of so many rows each is unpacked once for each beginning.
 */
export function* rowsByDigest(portions: readonly RowPortion[]): Generator<PlacedRow> {
  const count = Math.min(portions.length, MAX_BEGINNINGS);
  for (let beginning = 0; beginning < count; beginning++) {
    let first = 0;
    for (const { count: rows, digests, vals } of portions) {
      const digestAt = new FixedTexts(digests.bytes, DIGEST_LENGTH);
      const isWanted = (index: number) => beginningOf(digestAt.codeOf(index), count) === beginning;
      for (const [index, val] of new Unpacker(vals).textsWhere(isWanted)) {
        yield { place: first + index, digest: digestAt.of(index), val };
      }
      first += rows;
    }
  }
}

const DIGEST_LENGTH = 43;
const MAX_BEGINNINGS = 16;
/** Of digests there are letters and digits, between these. */
const FIRST_CODE = '0'.charCodeAt(0);
const CODES = 'z'.charCodeAt(0) + 1 - FIRST_CODE;

/** One of `count` ranges of digests, which follow one another. */
function beginningOf(code: number, count: number): number {
  return Math.floor(((code - FIRST_CODE) * count) / CODES);
}

/** Texts of one length, a space between, which are made one by one. */
class FixedTexts {
  readonly #bytes: Buffer;
  readonly #length: number;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array, length: number) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#length = length;
  }

  /** The code of the first character. */
  codeOf(index: number): number {
    return this.#bytes[index * (this.#length + 1)] ?? 0;
  }

  of(index: number): string {
    const start = index * (this.#length + 1);
    return this.#bytes.toString('latin1', start, start + this.#length);
  }
}

export function* rowsOf(portions: readonly RowPortion[]): Generator<NewRow> {
  for (const { digests, vals } of portions) {
    const texts = new Unpacker(vals).texts();
    for (const [index, digest] of splitDigests(textOf(digests)).entries()) yield { digest, val: texts[index] ?? '' };
  }
}
