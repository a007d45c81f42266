import type { Ends, VersionChange } from '../../../reader/compare/cause.ts';
import type { Cost } from '../../format/cost.ts';
import type { PairKind } from './pair-kinds.ts';

/** A call or a trace as one side of a comparison. */
export interface ShownSide {
  /** Of the call, or of the trace. */
  readonly id: string;
  readonly traceId: string;
  /** Absent: the whole trace is meant. */
  readonly callId?: string;
  /** Of its first call. */
  readonly firstId: string;
  readonly name: string;
  /** Name of its op, without a version. */
  readonly op: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Numbers of all calls of one side. */
export interface SideTotals {
  readonly calls: number;
  readonly errors: number;
  /** Calls without an end. */
  readonly open: number;
  /** Of the first call; null: it has no end. */
  readonly durationMs: number | null;
  /** Null: no model was used. */
  readonly tokens: number | null;
  /** Of the tokens those that came from a cache. */
  readonly cached: number;
  readonly cost: Cost;
}

/** The first in which two calls differ, as far as it is told in a row. */
export type ShownCause =
  | { readonly kind: 'code'; readonly version: VersionChange }
  | { readonly kind: 'object'; readonly objects: readonly ShownObject[] }
  | {
      readonly kind: 'input' | 'model' | 'settings';
      readonly changes: readonly ShownChange[];
      /** Of which `changes` are the first. */
      readonly count: number;
    }
  | { readonly kind: 'output'; readonly ends: Ends };

export interface ShownObject extends VersionChange {
  readonly kind: 'object' | 'op' | 'table';
}

export interface ShownChange {
  readonly path: string;
  /** As JSON, cut; absent where the side has nothing there. */
  readonly a?: string;
  readonly b?: string;
}

/** A difference that no other one is the reason of. */
export interface ShownOrigin {
  readonly kind: PairKind;
  /** Null for calls that one side has alone. */
  readonly cause: ShownCause | null;
  readonly op: string;
  /** The pairs that have it, by their numbers. */
  readonly pairs: Int32Array;
}

/** An op of which calls that are alike took far longer, or far less, without what is below them. */
export interface ShownTime {
  readonly op: string;
  readonly pairs: Int32Array;
  /** Milliseconds of all of them. */
  readonly a: number;
  readonly b: number;
}

/** The calls of one side, as columns by the number of their pair. Texts are numbers of `PairTable.texts`; -1: none. */
export interface CallColumns {
  /** Empty: this side has no such call. */
  readonly ids: readonly string[];
  readonly name: Int32Array;
  readonly model: Int32Array;
  /** The first line of the error. */
  readonly error: Int32Array;
  /** By its number in `PAIR_STATES`. */
  readonly state: Uint8Array;
  /** NaN in this column and in those below: it has none. */
  readonly durationMs: Float64Array;
  readonly tokens: Float64Array;
  /** US dollars. */
  readonly cost: Float64Array;
  /** 1: a model has no price. */
  readonly isUnpriced: Uint8Array;
}

/** All calls of both sides, each once, what is below a call right behind it. */
export interface PairTable {
  readonly count: number;
  /** Number of the pair above; -1: none. */
  readonly parent: Int32Array;
  /** By its number in `PAIR_KINDS`. */
  readonly kind: Uint8Array;
  readonly isOrigin: Uint8Array;
  /** 1: the same call at another place among its siblings. */
  readonly isMoved: Uint8Array;
  /** 1: alike as far as it was recorded. */
  readonly isCut: Uint8Array;
  /** Number in `causes`; -1: none. */
  readonly cause: Int32Array;
  readonly causes: readonly ShownCause[];
  readonly texts: readonly string[];
  /** Names without versions, as numbers of texts. */
  readonly op: Int32Array;
  /** Kinds of ops, such as `llm`. */
  readonly opKind: Int32Array;
  readonly a: CallColumns;
  readonly b: CallColumns;
}

/** Two calls or traces, call by call. */
export interface ComparedAnswer {
  readonly state: 'compared';
  /** Of this comparison: contents of its pairs are asked for by it. */
  readonly key: number;
  readonly sides: Sides<ShownSide>;
  readonly totals: Sides<SideTotals>;
  /** None: they differ in nothing but numbers, times and the order of calls, as far as they were recorded. */
  readonly origins: readonly ShownOrigin[];
  readonly times: readonly ShownTime[];
  readonly pairs: PairTable;
}

/** There is nothing to compare: a side is missing. */
export interface MissingAnswer {
  readonly state: 'missing';
  readonly sides: Partial<Sides<ShownSide>>;
  /** One side was to be the run before the other one, and there is none. */
  readonly isNoneBefore: boolean;
}

export type CompareAnswer = ComparedAnswer | MissingAnswer;

export interface Sides<Of> {
  readonly a: Of;
  readonly b: Of;
}
