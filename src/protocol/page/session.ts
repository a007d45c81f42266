import { type Static, Type } from '@sinclair/typebox';
import { closed, DateTime, Maybe, OrNull } from '../schema.ts';

/** Exactly one of the two. */
export const SessionRequest = Type.Object({ token: Maybe(Type.String()), api_key: Maybe(Type.String()) }, closed);
export type SessionRequest = Static<typeof SessionRequest>;

export const Session = Type.Object({
  user_id: Type.String(),
  /** Null: all. */
  entities: OrNull(Type.Array(Type.String())),
  version: Type.String(),
  url: Type.String(),
  started_at: DateTime,
  /** Whoever asks from there can have files opened in an editor. */
  opens_files: Type.Boolean(),
});
export type Session = Static<typeof Session>;

export const SessionEndRequest = Type.Object({}, closed);
export type SessionEndRequest = Static<typeof SessionEndRequest>;

export const SessionTokenRequest = Type.Object({}, closed);
export type SessionTokenRequest = Static<typeof SessionTokenRequest>;
export const SessionTokenResponse = Type.Object({ token: Type.String(), expires_at: DateTime });
export type SessionTokenResponse = Static<typeof SessionTokenResponse>;
