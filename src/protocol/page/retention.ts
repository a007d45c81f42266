import { type Static, Type } from '@sinclair/typebox';
import { closed, OrNull } from '../schema.ts';

export const RetentionRequest = Type.Object({}, closed);
export type RetentionRequest = Static<typeof RetentionRequest>;

/** How long and how much is kept. */
export const KeptRule = Type.Object({ days: OrNull(Type.Number()), bytes: OrNull(Type.Number()) });
export type KeptRule = Static<typeof KeptRule>;

/** Rules for all projects, and for those with one of their own. */
export const KeptPolicy = Type.Object({ all: KeptRule, projects: Type.Record(Type.String(), KeptRule) });
export type KeptPolicy = Static<typeof KeptPolicy>;

export const RetentionResponse = Type.Object({ policy: OrNull(KeptPolicy) });
export type RetentionResponse = Static<typeof RetentionResponse>;
