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
  /** They are alike as far as they were recorded: a part of their values was cut. */
  readonly isCut: boolean;
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

/** An op of which calls that are alike took far longer, or far less, by themselves: the time of calls below is none of theirs. */
export interface TimeChange {
  readonly op: string;
  /** Indices in `calls`. */
  readonly calls: readonly number[];
  /** Milliseconds of all of them together. */
  readonly a: number;
  readonly b: number;
}

export interface ComparedSide extends CallNumbers {
  readonly callCount: number;
}

/** By kind how many calls differ; `cut`: those that are alike as far as they were recorded, which are none of `same`. */
export type DifferenceCounts = Readonly<Record<'same' | 'cut' | Origin['kind'], number>>;

/** Two traces, or parts of traces, call by call. */
export interface Comparison {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /**
   * They differ in nothing but numbers, times and the order of calls. False without any origin: they are alike as far as they were
   * recorded, but values were cut, and what is missing of them may differ.
   */
  readonly isSame: boolean;
  /** The likely reasons of all differences: changes of code first, then in the order in which a cause is looked for. */
  readonly origins: readonly Origin[];
  /** Ops that took three times as long as on the other side, or more, and half a second longer: no difference, but seldom noise. */
  readonly times: readonly TimeChange[];
  readonly counts: DifferenceCounts;
  /** Each call of both sides once, parents before children. */
  readonly calls: readonly ComparedCall[];
}
