import { startHash } from '../../../protocol/values/digest.ts';
import type { DerivedTable, RowRun } from '../../../storage/contract/tables.ts';

/** Makes the digest of a table while the digests of its base come by, and keeps those of rows that are not in it. */
export class DerivedDigest {
  readonly #hash = startHash();
  readonly #pieces: DerivedTable['pieces'];
  readonly #gone = new Map<number, string>();
  #next = 0;
  /** Rows of the base that came by. */
  #count = 0;

  constructor(pieces: DerivedTable['pieces']) {
    this.#pieces = pieces;
  }

  /** Takes the digests of the rows of the base that come next. */
  take(digests: readonly string[]): void {
    const start = this.#count;
    const end = start + digests.length;
    while (this.#count < end) {
      const { from, count } = this.#run();
      for (; this.#count < Math.min(from, end); this.#count++) {
        this.#gone.set(this.#count, copyOf(digests[this.#count - start] ?? ''));
      }
      const until = Math.max(this.#count, Math.min(from + count, end));
      this.#hash.update(digests.slice(this.#count - start, until - start).join(''));
      this.#count = until;
      if (until === from + count) this.#next += 1;
    }
  }

  /** When all of the base came by: the digest of the table, and of the rows that went, by their places in the base. */
  finish(): { readonly digest: string; readonly gone: ReadonlyMap<number, string> } {
    this.#run();
    return { digest: this.#hash.digest('hex'), gone: this.#gone };
  }

  /** The run that is next, behind rows that came; where there is none one that is never reached. */
  #run(): RowRun {
    for (; ; this.#next++) {
      const piece = this.#pieces[this.#next];
      if (piece === undefined) return { from: Infinity, count: 0 };
      if ('from' in piece) return piece;
      this.#hash.update(piece.digest);
    }
  }
}

/** A slice would keep the text of the whole portion in memory. */
function copyOf(digest: string): string {
  return Buffer.from(digest).toString();
}
