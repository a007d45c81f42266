/** The record of a call that begins, by the names of the protocol. */
export interface RecordedStart {
  readonly project_id: string;
  readonly id: string;
  readonly op_name: string;
  readonly trace_id: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly started_at: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  display_name?: string;
  parent_id?: string;
  thread_id?: string;
  turn_id?: string;
  svc_run_id?: string;
}

/** The record of a call that has ended, by the names of the protocol. */
export interface RecordedEnd {
  readonly project_id: string;
  readonly id: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly ended_at: string;
  readonly output: unknown;
  readonly summary: RecordedSummary;
  exception?: string;
  display_name?: string;
}

export interface RecordedSummary {
  readonly status_counts: { readonly success: number; readonly error: number };
  [key: string]: unknown;
}

/**
 * A start or an end on its way to the service: copies that nobody changes any more, masked and within
 * limits. `bytes` estimates the JSON size.
 */
export type CallRecord =
  | {
      readonly kind: 'start';
      readonly start: RecordedStart;
      readonly bytes: number;
      readonly resolveLate?: ResolveLate | undefined;
      /** JSON text of the attributes, which many calls have in common. */
      readonly attributesText?: string | undefined;
    }
  | {
      readonly kind: 'end';
      readonly end: RecordedEnd;
      readonly bytes: number;
      readonly resolveLate?: ResolveLate | undefined;
    };

/**
 * Finishes what was put off when the value was copied. Without it `JSON.stringify` gives the same text; with it, before,
 * it is faster.
 */
export type ResolveLate = (record: RecordedStart | RecordedEnd) => void;

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
