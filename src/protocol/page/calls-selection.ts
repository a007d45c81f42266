import { type Static, Type } from '@sinclair/typebox';
import { CallFilter } from '../call.ts';
import { QueryObject } from '../query.ts';
import { Bound, Maybe } from '../schema.ts';

/** Which calls are meant, as members of a request: as for `/calls/stream_query`, and when they started. */
export const CALLS_SELECTION = {
  project_id: Type.String(),
  filter: Maybe(CallFilter),
  query: Maybe(QueryObject),
  /** Inclusive. */
  started_after: Maybe(Bound),
  /** Exclusive. */
  started_before: Maybe(Bound),
  roots_only: Maybe(Type.Boolean()),
};

export const CallsSelection = Type.Object(CALLS_SELECTION);
export type CallsSelection = Static<typeof CallsSelection>;
