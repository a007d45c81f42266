import type { Project } from '../data/answers.ts';
import { recall } from './remembered.ts';

/** The project that was seen last, if it is still there; else the one with the newest call, which is the first. */
export function lastProject(projects: readonly Project[]): string | undefined {
  const seen = recall('project');
  return (projects.find(({ project_id: id }) => id === seen) ?? projects[0])?.project_id;
}
