import { type Static, Type } from '@sinclair/typebox';
import { QueryObject, SortItem } from './query.ts';
import { closed, DateTime, AnyObject, Maybe, OrNull } from './schema.ts';

/** Facts that are known when a call begins. */
export const CallStart = Type.Object({
  project_id: Type.String(),
  id: Maybe(Type.String()),
  op_name: Type.String(),
  display_name: Maybe(Type.String()),
  trace_id: Maybe(Type.String()),
  parent_id: Maybe(Type.String()),
  thread_id: Maybe(Type.String()),
  turn_id: Maybe(Type.String()),
  started_at: DateTime,
  attributes: Maybe(AnyObject),
  inputs: Maybe(AnyObject),
  otel_dump: Maybe(AnyObject),
  svc_user_id: Maybe(Type.String()),
  svc_run_id: Maybe(Type.String()),
  svc_run_step: Maybe(Type.Integer()),
});
export type CallStart = Static<typeof CallStart>;

/** Facts that are known when a call has ended. */
export const CallEnd = Type.Object({
  project_id: Type.String(),
  id: Type.String(),
  ended_at: DateTime,
  exception: Maybe(Type.String()),
  output: Type.Optional(Type.Unknown()),
  summary: Maybe(AnyObject),
  svc_run_step_end: Maybe(Type.Integer()),
  display_name: Maybe(Type.String()),
  started_at: Maybe(DateTime),
});
export type CallEnd = Static<typeof CallEnd>;

/** A call as it is read. Deleted calls are never returned, so `deleted_at` is always null. */
export const Call = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  op_name: Type.String(),
  display_name: OrNull(Type.String()),
  trace_id: Type.String(),
  parent_id: OrNull(Type.String()),
  thread_id: OrNull(Type.String()),
  turn_id: OrNull(Type.String()),
  started_at: DateTime,
  attributes: AnyObject,
  inputs: AnyObject,
  ended_at: OrNull(DateTime),
  exception: OrNull(Type.String()),
  output: Type.Unknown(),
  summary: OrNull(AnyObject),
  svc_user_id: OrNull(Type.String()),
  svc_run_id: OrNull(Type.String()),
  svc_run_step: OrNull(Type.Integer()),
  deleted_at: OrNull(DateTime),
  storage_size_bytes: OrNull(Type.Integer()),
  total_storage_size_bytes: OrNull(Type.Integer()),
  svc_run_step_end: Type.Optional(Type.Integer()),
});
export type Call = Static<typeof Call>;

export type CallStatus = 'running' | 'success' | 'error' | 'descendant_error';

/** Given keys are ANDed, entries of a list ORed; null and the empty list constrain nothing. */
export const CallFilter = Type.Object(
  {
    op_names: Maybe(Type.Array(Type.String())),
    input_refs: Maybe(Type.Array(Type.String())),
    output_refs: Maybe(Type.Array(Type.String())),
    parent_ids: Maybe(Type.Array(Type.String())),
    trace_ids: Maybe(Type.Array(Type.String())),
    call_ids: Maybe(Type.Array(Type.String())),
    thread_ids: Maybe(Type.Array(Type.String())),
    turn_ids: Maybe(Type.Array(Type.String())),
    trace_roots_only: Maybe(Type.Boolean()),
    svc_user_ids: Maybe(Type.Array(Type.String())),
    svc_run_ids: Maybe(Type.Array(Type.String())),
  },
  closed,
);
export type CallFilter = Static<typeof CallFilter>;

export const CallStartRequest = Type.Object({ start: CallStart }, closed);
export type CallStartRequest = Static<typeof CallStartRequest>;
export const CallStartResponse = Type.Object({ id: Type.String(), trace_id: Type.String() });
export type CallStartResponse = Static<typeof CallStartResponse>;

export const CallEndRequest = Type.Object({ end: CallEnd }, closed);
export type CallEndRequest = Static<typeof CallEndRequest>;

export const EmptyResponse = Type.Object({});
export type EmptyResponse = Static<typeof EmptyResponse>;

export const CallUpdateRequest = Type.Object(
  {
    project_id: Type.String(),
    call_id: Type.String(),
    display_name: Maybe(Type.String()),
    svc_user_id: Maybe(Type.String()),
  },
  closed,
);
export type CallUpdateRequest = Static<typeof CallUpdateRequest>;

export const CallsDeleteRequest = Type.Object(
  {
    project_id: Type.String(),
    call_ids: Type.Array(Type.String()),
    svc_user_id: Maybe(Type.String()),
  },
  closed,
);
export type CallsDeleteRequest = Static<typeof CallsDeleteRequest>;
export const CallsDeleteResponse = Type.Object({ num_deleted: Type.Integer() });
export type CallsDeleteResponse = Static<typeof CallsDeleteResponse>;

export const CallReadRequest = Type.Object(
  {
    project_id: Type.String(),
    id: Type.String(),
    include_costs: Maybe(Type.Boolean({ default: false })),
    include_storage_size: Maybe(Type.Boolean({ default: false })),
    include_total_storage_size: Maybe(Type.Boolean({ default: false })),
    include_usernames: Maybe(Type.Boolean({ default: false })),
  },
  closed,
);
export type CallReadRequest = Static<typeof CallReadRequest>;
export const CallReadResponse = Type.Object({ call: OrNull(Call) });
export type CallReadResponse = Static<typeof CallReadResponse>;

export const CallsQueryStatsRequest = Type.Object(
  {
    project_id: Type.String(),
    filter: Maybe(CallFilter),
    query: Maybe(QueryObject),
    limit: Maybe(Type.Integer()),
    include_total_storage_size: Maybe(Type.Boolean({ default: false })),
    expand_columns: Maybe(Type.Array(Type.String())),
  },
  closed,
);
export type CallsQueryStatsRequest = Static<typeof CallsQueryStatsRequest>;
export const CallsQueryStatsResponse = Type.Object({
  count: Type.Integer(),
  total_storage_size_bytes: OrNull(Type.Integer()),
});
export type CallsQueryStatsResponse = Static<typeof CallsQueryStatsResponse>;

export const CallsStreamQueryRequest = Type.Object(
  {
    project_id: Type.String(),
    filter: Maybe(CallFilter),
    query: Maybe(QueryObject),
    limit: Maybe(Type.Integer()),
    offset: Maybe(Type.Integer()),
    sort_by: Maybe(Type.Array(SortItem)),
    include_costs: Maybe(Type.Boolean({ default: false })),
    include_feedback: Maybe(Type.Boolean({ default: false })),
    include_storage_size: Maybe(Type.Boolean({ default: false })),
    include_total_storage_size: Maybe(Type.Boolean({ default: false })),
    include_usernames: Maybe(Type.Boolean({ default: false })),
    columns: Maybe(Type.Array(Type.String())),
    expand_columns: Maybe(Type.Array(Type.String())),
    return_expanded_column_values: Maybe(Type.Boolean({ default: true })),
  },
  closed,
);
export type CallsStreamQueryRequest = Static<typeof CallsStreamQueryRequest>;
