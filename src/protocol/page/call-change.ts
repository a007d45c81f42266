import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from '../schema.ts';
import { CallRow } from './call-row.ts';

/** One event of the stream of changes, as its `data` says it. */
export const CallChange = Type.Union([
  Type.Object({ cursor: Type.String() }),
  CallRow,
  /** Changes that a reader who was away or too slow did not get; null: nobody knows how many. */
  Type.Object({ count: OrNull(Type.Integer()) }),
  /** Calls that are there no more. */
  Type.Object({ ids: Type.Array(Type.String()) }),
]);
export type CallChange = Static<typeof CallChange>;
