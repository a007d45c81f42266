import { type Static, Type } from '@sinclair/typebox';
import { closed, DateTime, OrNull } from '../schema.ts';

export const ProjectsRequest = Type.Object({}, closed);
export type ProjectsRequest = Static<typeof ProjectsRequest>;

/** A project that has calls. */
export const ProjectSummary = Type.Object({
  project_id: Type.String(),
  calls: Type.Integer(),
  errors: Type.Integer(),
  last_started_at: OrNull(DateTime),
});
export type ProjectSummary = Static<typeof ProjectSummary>;

export const ProjectsResponse = Type.Object({ projects: Type.Array(ProjectSummary) });
export type ProjectsResponse = Static<typeof ProjectsResponse>;
