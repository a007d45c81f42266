import type { CallEnd, CallStart } from './call.ts';

/**
 * A start or an end on its way to the service: plain copies that nobody changes any more, masked and within
 * limits. `bytes` estimates the JSON size.
 */
export type CallRecord =
  | { readonly kind: 'start'; readonly start: CallStart; readonly bytes: number }
  | { readonly kind: 'end'; readonly end: CallEnd; readonly bytes: number };

/** Bytes to store under their digest. */
export interface FileRecord {
  readonly projectId: string;
  readonly name: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** A version of an op or object to publish, after the files it names. The digest was computed by the writer. */
export interface ObjectRecord {
  readonly projectId: string;
  readonly objectId: string;
  readonly val: unknown;
  readonly digest: string;
  readonly files: readonly FileRecord[];
}

/** Rows to store in their order. All digests were computed by the writer, by protocol section 4. */
export interface TableRecord {
  readonly projectId: string;
  /** JSON values; the service takes objects only. */
  readonly rows: readonly unknown[];
  readonly digest: string;
  /** In the order of `rows`. */
  readonly rowDigests: readonly string[];
  /** A table of the first `count` rows that was written before: a service that has it is sent the others only. */
  readonly base?: { readonly digest: string; readonly count: number };
}
