import { type Static, Type } from '@sinclair/typebox';
import { CallEnd, CallStart } from './call.ts';
import { closed, DateTime } from './schema.ts';

export const StartItem = Type.Object({ mode: Type.Literal('start'), req: Type.Object({ start: CallStart }) });
export type StartItem = Static<typeof StartItem>;

export const EndItem = Type.Object({ mode: Type.Literal('end'), req: Type.Object({ end: CallEnd }) });
export type EndItem = Static<typeof EndItem>;

export const BatchItem = Type.Union([StartItem, EndItem]);
export type BatchItem = Static<typeof BatchItem>;

/** Items in any order and of any projects, applied in array order, all or none. */
export const UpsertBatchRequest = Type.Object({ batch: Type.Array(BatchItem) }, closed);
export type UpsertBatchRequest = Static<typeof UpsertBatchRequest>;

/** One entry per item in order; `trace_id` of an end whose start is not known yet is empty. */
export const UpsertBatchResponse = Type.Object({
  res: Type.Array(Type.Object({ id: Type.String(), trace_id: Type.String() })),
});
export type UpsertBatchResponse = Static<typeof UpsertBatchResponse>;

/** A call that has ended: its start and its end in one. */
export const CompleteCall = Type.Object({
  ...CallStart.properties,
  id: Type.String(),
  trace_id: Type.String(),
  ended_at: DateTime,
  exception: CallEnd.properties.exception,
  output: CallEnd.properties.output,
  summary: CallEnd.properties.summary,
  svc_run_step_end: CallEnd.properties.svc_run_step_end,
});
export type CompleteCall = Static<typeof CompleteCall>;

/** Calls of one project, written all or none. */
export const CallsCompleteRequest = Type.Object({ batch: Type.Array(CompleteCall) }, closed);
export type CallsCompleteRequest = Static<typeof CallsCompleteRequest>;
