/** Type of the bytes that `decodeSkeleton` reads. */
export const SKELETON_TYPE = 'application/x-spoor-skeleton';

/** Written before everything else: a name, and the version of the form. */
export const SKELETON_START: readonly number[] = [0x53, 0x50, 0x4b, 1];

/** The states of `states`, by their places. */
export const SKELETON_STATES = ['success', 'error', 'running', 'never_ended', 'descendant_error'] as const;

/** Places that stand for a parent that is none of the calls. */
export const ROOT = -1;
export const DETACHED = -2;

/** Some calls of a trace as they go into a skeleton, in columns; sparse ones in the order of the calls. */
export interface SkeletonBlock extends Omit<TraceSkeleton, 'count' | 'received' | 'missingParents'> {
  /** Those that are written as `DETACHED`, in the order of the calls: they may come with a later block. */
  readonly namedParents: readonly string[];
}

/** A whole trace without its contents, in columns, in the order in which its calls started. */
export interface TraceSkeleton {
  readonly count: number;
  readonly ids: readonly string[];
  /** Place of the parent, `ROOT`, or `DETACHED` where the trace has no such call. */
  readonly parents: Int32Array;
  /** Microseconds since 1970; NaN: no end. */
  readonly startedAt: Float64Array;
  readonly endedAt: Float64Array;
  readonly ops: readonly { readonly name: string; readonly kind: string }[];
  /** Places in `ops`. */
  readonly op: Uint32Array;
  /** Display names, where they differ from the op. */
  readonly names: ReadonlyMap<number, string>;
  /** Places in `SKELETON_STATES`. */
  readonly states: Uint8Array;
  readonly tokensIn: Float64Array;
  readonly tokensOut: Float64Array;
  /** US dollars, kept to a billionth of one; NaN: none known. */
  readonly costs: Float64Array;
  readonly errors: ReadonlyMap<number, string>;
  readonly models: ReadonlyMap<number, string>;
  /** Kept to a microsecond. */
  readonly firstChunkMs: ReadonlyMap<number, number>;
  readonly received: number;
  /** Parents that were named and did not come, each once. */
  readonly missingParents: number;
}
