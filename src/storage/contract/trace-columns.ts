import type { CallStatus } from '../../protocol/call.ts';
import type { ModelUsage } from './overviews.ts';

/** Values of `parents` for a call without a parent, and for one whose parent has not come so far. */
export const NO_PARENT = -1;
export const NAMED_PARENT = -2;

/** The statuses in `statuses`, by their places. */
export const TRACE_STATUSES: readonly CallStatus[] = ['success', 'error', 'running', 'descendant_error'];

/** Some calls of a trace without what they hold, in columns, in the order in which they started. Times in microseconds. */
export interface TraceColumns {
  readonly count: number;
  readonly ids: readonly string[];
  /**
   * Places in the trace, counted from its first call on. Each MUST be before that of its call: a parent that comes later,
   * or is the call itself, is named.
   */
  readonly parents: Int32Array;
  /** The ids that stand for `NAMED_PARENT`, in the order of the calls. */
  readonly namedParents: readonly string[];
  readonly startedAt: Float64Array;
  /** NaN: no end. */
  readonly endedAt: Float64Array;
  readonly ops: readonly TracedOp[];
  /** Places in `ops`. */
  readonly op: Uint32Array;
  /** Places in `TRACE_STATUSES`. */
  readonly statuses: Uint8Array;
  /** Values that few calls have, by their places among these calls. */
  readonly displayNames: ReadonlyMap<number, string>;
  readonly errors: ReadonlyMap<number, string>;
  readonly firstChunkMs: ReadonlyMap<number, number>;
  readonly usages: UsageColumns;
}

export interface TracedOp {
  readonly name: string;
  /** `attributes.kind` of the calls where it is a text. */
  readonly kind: string | null;
}

/** Uses of models, those of one call one behind the other. */
export interface UsageColumns {
  readonly sources: readonly Omit<ModelUsage, 'tokens'>[];
  /** The index of its call among these calls. */
  readonly places: Uint32Array;
  /** Places in `sources`. */
  readonly source: Uint32Array;
  /** Numbers of each use: those of `TokenSums`, in the order of `TOKEN_KINDS`. */
  readonly tokens: Float64Array;
}
