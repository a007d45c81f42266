import { type Static, Type } from '@sinclair/typebox';
import { SortItem } from './query.ts';
import { Bound, closed, DateTime, Maybe, OrNull } from './schema.ts';

/** A conversation as it is read: what its turns say together. */
export const Thread = Type.Object({
  thread_id: Type.String(),
  turn_count: Type.Integer(),
  start_time: DateTime,
  last_updated: DateTime,
  first_turn_id: OrNull(Type.String()),
  last_turn_id: OrNull(Type.String()),
  /** Over the turns that have ended; null while none has. */
  p50_turn_duration_ms: OrNull(Type.Number()),
  p99_turn_duration_ms: OrNull(Type.Number()),
});
export type Thread = Static<typeof Thread>;

/** Given keys are ANDed; null and the empty list constrain nothing. */
export const ThreadFilter = Type.Object(
  {
    /** Threads that started after it. */
    after_datetime: Maybe(Bound),
    /** Threads whose last update was before it. */
    before_datetime: Maybe(Bound),
    thread_ids: Maybe(Type.Array(Type.String())),
  },
  closed,
);
export type ThreadFilter = Static<typeof ThreadFilter>;

export const ThreadsStreamQueryRequest = Type.Object(
  {
    project_id: Type.String(),
    filter: Maybe(ThreadFilter),
    limit: Maybe(Type.Integer()),
    offset: Maybe(Type.Integer()),
    sort_by: Maybe(Type.Array(SortItem)),
  },
  closed,
);
export type ThreadsStreamQueryRequest = Static<typeof ThreadsStreamQueryRequest>;
