import { type Static, Type } from '@sinclair/typebox';
import { CallFilter } from '../call.ts';
import { QueryObject } from '../query.ts';
import { Bound, closed, Maybe, OrNull } from '../schema.ts';
import { CALLS_SELECTION } from './calls-selection.ts';

export const CallsDifferencesRequest = Type.Object(
  {
    ...CALLS_SELECTION,
    /** Absent: all other calls of the time, roots where the selection has roots only. */
    against: Maybe(
      Type.Object(
        {
          filter: Maybe(CallFilter),
          query: Maybe(QueryObject),
          started_after: Maybe(Bound),
          started_before: Maybe(Bound),
          roots_only: Maybe(Type.Boolean()),
          where: Maybe(Type.String()),
        },
        closed,
      ),
    ),
    limit: Maybe(Type.Integer()),
  },
  closed,
);
export type CallsDifferencesRequest = Static<typeof CallsDifferencesRequest>;

/** The calls of one side. */
export const ComparedCalls = Type.Object({
  calls: Type.Integer(),
  looked_at: Type.Integer(),
  /** Of those that were looked at. */
  traces: Type.Integer(),
});
export type ComparedCalls = Static<typeof ComparedCalls>;

/** A statement about a field: `type` is what a value is, lengths are items or characters, sizes bytes of JSON. */
export const TraitRelation = Type.Union([
  Type.Literal('is'),
  Type.Literal('present'),
  Type.Literal('absent'),
  Type.Literal('type'),
  Type.Literal('at_least'),
  Type.Literal('length_at_least'),
  Type.Literal('size_at_least'),
]);
export type TraitRelation = Static<typeof TraitRelation>;

const TRAIT = {
  field: Type.String(),
  relation: TraitRelation,
  /** A number as its text; empty where it is present or absent. */
  value: Type.String(),
  where: OrNull(Type.String()),
};

/** A trait that calls have. */
export const CallTrait = Type.Object(TRAIT);
export type CallTrait = Static<typeof CallTrait>;

/** A trait that more or fewer of the selected calls have than of the others; counts are of calls that were looked at. */
export const Difference = Type.Object({
  ...TRAIT,
  calls: Type.Integer(),
  share: Type.Number(),
  rest_calls: Type.Integer(),
  rest_share: Type.Number(),
  /** `share` as a multiple of `rest_share`; null where that is 0. */
  lift: OrNull(Type.Number()),
  /** How likely chance makes one as large anywhere: corrected for all traits that were compared. */
  p: Type.Number(),
  /** Traits of nearly the same calls. */
  same: Type.Array(CallTrait),
});
export type Difference = Static<typeof Difference>;

export const CallsDifferencesResponse = Type.Object({
  selection: ComparedCalls,
  rest: ComparedCalls,
  /** The largest difference of shares first. */
  differences: Type.Array(Difference),
  /** Traits that were compared. */
  compared: Type.Integer(),
  /** Fields that the selection is made by, and what follows from them. */
  left_out: Type.Array(Type.String()),
});
export type CallsDifferencesResponse = Static<typeof CallsDifferencesResponse>;
