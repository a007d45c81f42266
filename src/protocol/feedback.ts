import { type Static, Type } from '@sinclair/typebox';
import { QueryObject, RECORDS_QUERY } from './query.ts';
import { closed, DateTime, AnyObject, Maybe } from './schema.ts';

const SUBMITTED = {
  project_id: Type.String(),
  id: Maybe(Type.String()),
  svc_ref: Type.String(),
  creator: Maybe(Type.String()),
  feedback_type: Type.String(),
  payload: AnyObject,
  annotation_ref: Maybe(Type.String()),
  runnable_ref: Maybe(Type.String()),
  call_ref: Maybe(Type.String()),
  trigger_ref: Maybe(Type.String()),
  queue_id: Maybe(Type.String()),
  svc_user_id: Maybe(Type.String()),
};

export const FeedbackCreateRequest = Type.Object(SUBMITTED, closed);
export type FeedbackCreateRequest = Static<typeof FeedbackCreateRequest>;

/** The payload is the stored one: the service adds names of its emoji to a reaction. */
export const FeedbackCreateResponse = Type.Object({
  id: Type.String(),
  created_at: DateTime,
  svc_user_id: Type.String(),
  payload: AnyObject,
});
export type FeedbackCreateResponse = Static<typeof FeedbackCreateResponse>;

export const NewFeedback = Type.Object(SUBMITTED, closed);
export const CreatedFeedback = Type.Object(FeedbackCreateResponse.properties);

/** Records of any projects, stored all or none. */
export const FeedbackBatchCreateRequest = Type.Object({ batch: Type.Array(NewFeedback) }, closed);
export type FeedbackBatchCreateRequest = Static<typeof FeedbackBatchCreateRequest>;

/** One entry per item in order. */
export const FeedbackBatchCreateResponse = Type.Object({ res: Type.Array(CreatedFeedback) });
export type FeedbackBatchCreateResponse = Static<typeof FeedbackBatchCreateResponse>;

export const FeedbackReplaceRequest = Type.Object({ ...SUBMITTED, feedback_id: Type.String() }, closed);
export type FeedbackReplaceRequest = Static<typeof FeedbackReplaceRequest>;

export const FeedbackQueryRequest = Type.Object(RECORDS_QUERY, closed);
export type FeedbackQueryRequest = Static<typeof FeedbackQueryRequest>;

/** Records with the fields that were asked for as their keys. */
export const FeedbackQueryResponse = Type.Object({ result: Type.Array(AnyObject) });
export type FeedbackQueryResponse = Static<typeof FeedbackQueryResponse>;

/** The query names ids and nothing else. */
export const FeedbackPurgeRequest = Type.Object({ project_id: Type.String(), query: QueryObject }, closed);
export type FeedbackPurgeRequest = Static<typeof FeedbackPurgeRequest>;
