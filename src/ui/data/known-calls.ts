import type { CallRow } from './answers.ts';
import type { Changes } from './change-stream.ts';

export interface KnownCallsOptions {
  /** Does a call belong to what is shown? */
  readonly isOwn: (row: CallRow) => boolean;
  /** The calls that were read; undefined before that. */
  readonly ids: () => Iterable<string> | undefined;
}

/** Tells changes of what is shown from others: calls that are gone are told by their ids alone, and most are of others. */
export class KnownCalls {
  readonly #options: KnownCallsOptions;
  /** Told, and maybe in nothing that was read yet. */
  readonly #told = new Set<string>();

  constructor(options: KnownCallsOptions) {
    this.#options = options;
  }

  /** Is what is shown another after these changes, as far as one can tell? Before it was read it may be after any. */
  concerns({ rows, gone, hasMissed }: Changes): boolean {
    const own = rows.filter(this.#options.isOwn);
    for (const { id } of own) this.#told.add(id);
    return hasMissed || own.length > 0 || (gone.length > 0 && this.#hasAny(new Set(gone)));
  }

  #hasAny(gone: ReadonlySet<string>): boolean {
    for (const id of gone) if (this.#told.has(id)) return true;
    const ids = this.#options.ids();
    if (ids === undefined) return true;
    for (const id of ids) if (gone.has(id)) return true;
    return false;
  }
}
