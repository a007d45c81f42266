import { type Static, Type } from '@sinclair/typebox';
import { closed, DateTime, Maybe, OrNull } from '../schema.ts';

export const ClientsRequest = Type.Object({ project_id: Maybe(Type.String()) }, closed);
export type ClientsRequest = Static<typeof ClientsRequest>;

/** A program that has sent calls since the service started, or has tried to. */
export const ClientEntry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: OrNull(Type.String()),
  address: Type.String(),
  host: OrNull(Type.String()),
  pid: OrNull(Type.Integer()),
  first_seen_at: DateTime,
  last_seen_at: DateTime,
  is_connected: Type.Boolean(),
  received_starts: Type.Integer(),
  received_ends: Type.Integer(),
  /**
   * Starts without an end so far; null where that is not known: ends came without their starts, spans will come again, or the
   * program is gone, and what it left on disk may come from another one.
   */
  missing: OrNull(Type.Integer()),
  last_error: OrNull(
    Type.Object({ status: Type.Integer(), error_code: Type.String(), message: Type.String(), at: DateTime }),
  ),
});
export type ClientEntry = Static<typeof ClientEntry>;

export const ClientsResponse = Type.Object({ clients: Type.Array(ClientEntry) });
export type ClientsResponse = Static<typeof ClientsResponse>;
