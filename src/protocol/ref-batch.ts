import { type Static, Type } from '@sinclair/typebox';
import { closed } from './schema.ts';

export const RefsReadBatchRequest = Type.Object({ refs: Type.Array(Type.String()) }, closed);
export type RefsReadBatchRequest = Static<typeof RefsReadBatchRequest>;
/** One value for each reference, in order; null where there is none. */
export const RefsReadBatchResponse = Type.Object({ vals: Type.Array(Type.Unknown()) });
export type RefsReadBatchResponse = Static<typeof RefsReadBatchResponse>;
