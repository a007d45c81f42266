import type { Call } from '../../protocol/call.ts';
import type { Cost } from '../call-cost.ts';
import type { Cause } from './cause.ts';

/** Numbers of a call or a trace; null where it has none. They are told, and are never a difference. */
export interface CallNumbers {
  readonly durationMs: number | null;
  /** Of the call and those below it. */
  readonly tokens: number | null;
  readonly cost: Cost | null;
}

/** Two calls that belong together, or one that only one side has. */
export interface ComparedCall {
  /** Null where only B has it. */
  readonly a: Call | null;
  /** Null where only A has it. */
  readonly b: Call | null;
  /** Index of the one above it in `calls`; null for a root. */
  readonly parent: number | null;
  /** The first in which both differ; null where they are alike, or where there is only one. */
  readonly cause: Cause | null;
  /** No other difference can be the reason of this one. */
  readonly isOrigin: boolean;
  /** The same call at another place among its siblings, which alone is no difference. */
  readonly isMoved: boolean;
}

/** A difference that no other one is the reason of, with all the calls that have it. */
export interface Origin {
  readonly kind: Cause['kind'] | 'only_a' | 'only_b';
  /** Of the first of them; null for calls that one side has alone. */
  readonly cause: Cause | null;
  /** Name of the op of the first of them. */
  readonly op: string;
  /** Indices in `calls`. */
  readonly calls: readonly number[];
}

export interface ComparedSide extends CallNumbers {
  readonly callCount: number;
}

/** By kind how many calls differ. */
export type DifferenceCounts = Readonly<Record<'same' | Origin['kind'], number>>;

/** Two traces, or parts of traces, call by call. */
export interface Comparison {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** They differ in nothing but numbers, times and the order of calls. */
  readonly isSame: boolean;
  /** The likely reasons of all differences: changes of code first, then in the order in which a cause is looked for. */
  readonly origins: readonly Origin[];
  readonly counts: DifferenceCounts;
  /** Each call of both sides once, parents before children. */
  readonly calls: readonly ComparedCall[];
}
