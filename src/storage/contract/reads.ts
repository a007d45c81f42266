/** A read that takes longer than `deadlineMs` rejects with `query_timeout`. */
export interface ReadOptions {
  /** Milliseconds until the first record or the result. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** A list is held whole, wherever it goes. */
export interface ListOptions extends ReadOptions {
  /** Rejects with `payload_too_large` when the records have more. @default Infinity */
  readonly maxCharacters?: number;
}
