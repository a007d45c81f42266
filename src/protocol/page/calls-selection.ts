import { type Static, Type } from '@sinclair/typebox';
import { CallFilter } from '../call.ts';
import { QueryObject } from '../query.ts';
import { Bound, Maybe } from '../schema.ts';

/**
 * The calls that are meant, as members of a request: as for `/calls/stream_query`, when they started, and what a filter in the
 * language of people asks; all of it must hold.
 */
export const CALLS_SELECTION = {
  project_id: Type.String(),
  filter: Maybe(CallFilter),
  query: Maybe(QueryObject),
  /** Inclusive. */
  started_after: Maybe(Bound),
  /** Exclusive. */
  started_before: Maybe(Bound),
  roots_only: Maybe(Type.Boolean()),
  /** In the filter language, which asks for what queries cannot. */
  where: Maybe(Type.String()),
  /** IANA name: in which `where` writes times. @default 'UTC' */
  time_zone: Maybe(Type.String()),
};

export const CallsSelection = Type.Object(CALLS_SELECTION);
export type CallsSelection = Static<typeof CallsSelection>;
