import type { CallSelection } from './plan.ts';

/** The calls of which is wanted what they are like. */
export interface TraitPlan extends CallSelection {
  /** Calls of the same project that are left out. */
  readonly without?: CallSelection | undefined;
  /**
   * Calls to look at. Of more so many are chosen by a chance that knows nothing of them, and is the same each time; they MAY be
   * fewer where they are large. What is held of the others should not grow with how many they are.
   */
  readonly limit: number;
}

/** A fact about a call that others may share. */
export type TraitField =
  | { readonly kind: 'named'; readonly name: NamedTrait }
  /** Of a value at a path: itself where it is short, how many items or characters it has, and what it is. */
  | {
      readonly kind: 'path';
      readonly column: TraitColumn;
      readonly path: readonly string[];
      readonly of: 'value' | 'length' | 'type';
    };

export type TraitColumn = 'attributes' | 'inputs';

/**
 * `version` is the name of an op as it is recorded, `op` without its version; models and providers are all that a call has
 * used; `thread` and `root` are there where a call has a thread, or no parent. Numbers are milliseconds, tokens and, of `inputBytes`,
 * bytes of JSON.
 */
export type NamedTrait =
  | 'op'
  | 'version'
  | 'status'
  | 'error'
  | 'model'
  | 'provider'
  | 'thread'
  | 'root'
  | 'latency'
  | 'firstChunk'
  | 'tokensIn'
  | 'tokensOut'
  | 'inputBytes';

/** The types of values at a path, but for null, which is like nothing at all. */
export type ValueType = 'text' | 'number' | 'boolean' | 'list' | 'object';

/** Traits of calls, in columns. */
export interface CallTraits {
  /** Calls of the plan. */
  readonly total: number;
  /** Calls that were looked at: all where the limit allows it. */
  readonly count: number;
  /** By call, a number that calls of one trace share. */
  readonly traces: Uint32Array;
  readonly fields: readonly TraitField[];
  /** Texts of fields, each once. */
  readonly texts: readonly FieldText[];
  /** The texts of calls one behind the other, as places in `texts`; where those of each call end. */
  readonly textPlaces: Uint32Array;
  readonly textEnds: Uint32Array;
  /** The numbers of calls in the same way, with the places of their fields. */
  readonly numbers: Float64Array;
  readonly numberFields: Uint32Array;
  readonly numberEnds: Uint32Array;
}

export interface FieldText {
  /** Place in `fields`. */
  readonly field: number;
  readonly text: string;
}
