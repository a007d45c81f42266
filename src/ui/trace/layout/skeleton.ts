/** What a trace looks like without its values: columns, each as long as the trace has calls, in order of start. */
export interface TraceSkeleton {
  readonly count: number;
  readonly ids: readonly string[];
  /** Index of the parent; -1: a root; -2: the parent is not in the trace. */
  readonly parents: Int32Array;
  /** Microseconds since 1970. */
  readonly startedAt: Float64Array;
  /** Microseconds since 1970; NaN: no end. */
  readonly endedAt: Float64Array;
  readonly ops: readonly { readonly name: string; readonly kind: string }[];
  readonly op: Uint32Array;
  readonly names: ReadonlyMap<number, string>;
  /** One of `CallState`. */
  readonly states: Uint8Array;
  readonly tokensIn: Float64Array;
  readonly tokensOut: Float64Array;
  readonly costs: Float64Array;
  readonly errors: ReadonlyMap<number, string>;
  readonly models: ReadonlyMap<number, string>;
  readonly firstChunkMs: ReadonlyMap<number, number>;
  readonly received: number;
  readonly missingParents: number;
}

export const CallState = { success: 0, error: 1, running: 2, neverEnded: 3, descendantError: 4 } as const;
