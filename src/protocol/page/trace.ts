import { type Static, Type } from '@sinclair/typebox';
import { closed } from '../schema.ts';

export const TraceSkeletonRequest = Type.Object({ project_id: Type.String(), trace_id: Type.String() }, closed);
export type TraceSkeletonRequest = Static<typeof TraceSkeletonRequest>;
