import { type Static, Type } from '@sinclair/typebox';
import { SortItem } from '../query.ts';
import { closed, DateTime, Maybe, OrNull } from '../schema.ts';
import { CALLS_SELECTION } from './calls-selection.ts';

/** The state that a call is shown in: `never_ended` has no end, and nobody is left who might send one. */
export const CallState = Type.Union([
  Type.Literal('running'),
  Type.Literal('success'),
  Type.Literal('descendant_error'),
  Type.Literal('error'),
  Type.Literal('never_ended'),
]);
export type CallState = Static<typeof CallState>;

/** A call as one line of a list. */
export const CallRow = Type.Object({
  id: Type.String(),
  trace_id: Type.String(),
  parent_id: OrNull(Type.String()),
  thread_id: OrNull(Type.String()),
  op: Type.String(),
  op_name: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  state: CallState,
  error: OrNull(Type.String()),
  error_type: OrNull(Type.String()),
  started_at: DateTime,
  ended_at: OrNull(DateTime),
  latency_ms: OrNull(Type.Number()),
  input: OrNull(Type.String()),
  output: OrNull(Type.String()),
  tokens: OrNull(Type.Number()),
  tokens_in: OrNull(Type.Number()),
  tokens_out: OrNull(Type.Number()),
  tokens_cached: OrNull(Type.Number()),
  cost: OrNull(Type.Number()),
  unpriced_models: Type.Array(Type.String()),
  model: OrNull(Type.String()),
  models: Type.Array(Type.String()),
  feedback: Type.Integer(),
});
export type CallRow = Static<typeof CallRow>;

export const CallRowsRequest = Type.Object(
  {
    ...CALLS_SELECTION,
    sort_by: Maybe(Type.Array(SortItem)),
    limit: Maybe(Type.Integer()),
    cursor: Maybe(Type.String()),
  },
  closed,
);
export type CallRowsRequest = Static<typeof CallRowsRequest>;
export const CallRowsResponse = Type.Object({ rows: Type.Array(CallRow), next_cursor: OrNull(Type.String()) });
export type CallRowsResponse = Static<typeof CallRowsResponse>;

export const CallRowRequest = Type.Object({ project_id: Type.String(), ids: Type.Array(Type.String()) }, closed);
export type CallRowRequest = Static<typeof CallRowRequest>;
export const CallRowResponse = Type.Object({ rows: Type.Array(CallRow) });
export type CallRowResponse = Static<typeof CallRowResponse>;
