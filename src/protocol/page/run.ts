import { type Static, Type } from '@sinclair/typebox';
import { closed, DateTime, Maybe, OrNull } from '../schema.ts';

/** The calls of one process, and what it has said of itself; null where it has not. */
export const Run = Type.Object({
  id: Type.String(),
  /** Name of the op of its first call, without a version. */
  entry_op: Type.String(),
  /** When the process began. */
  started_at: OrNull(DateTime),
  first_call_at: DateTime,
  /** When the last call that is known has started or ended. */
  last_seen_at: DateTime,
  /** Milliseconds from the first call to then. */
  duration_ms: Type.Number(),
  pid: OrNull(Type.Integer()),
  host: OrNull(Type.String()),
  /** Of this package. */
  version: OrNull(Type.String()),
  commit: OrNull(Type.String()),
  is_dirty: OrNull(Type.Boolean()),
  /** Sums of its calls; null where they were not asked for, or take too long. */
  calls: OrNull(Type.Integer()),
  errors: OrNull(Type.Integer()),
  running: OrNull(Type.Integer()),
  never_ended: OrNull(Type.Integer()),
  tokens: OrNull(Type.Number()),
  /** US dollars; null where no price is known, too. */
  cost: OrNull(Type.Number()),
  unpriced_models: Type.Array(Type.String()),
});
export type Run = Static<typeof Run>;

export const RunsListRequest = Type.Object(
  {
    project_id: Type.String(),
    entry_op: Maybe(Type.String()),
    ids: Maybe(Type.Array(Type.String())),
    call_id: Maybe(Type.String()),
    before: Maybe(Type.String()),
    /** @default true */
    sums: Maybe(Type.Boolean()),
    limit: Maybe(Type.Integer()),
    cursor: Maybe(Type.String()),
  },
  closed,
);
export type RunsListRequest = Static<typeof RunsListRequest>;
export const RunsListResponse = Type.Object({ runs: Type.Array(Run), next_cursor: OrNull(Type.String()) });
export type RunsListResponse = Static<typeof RunsListResponse>;
