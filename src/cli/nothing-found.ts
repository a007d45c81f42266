import type { ProjectReader } from './known-service.ts';
import { toLine } from './output/plain-text.ts';

/** More names than these are what `spoor projects` is for. */
const MAX_NAMED = 3;

/** The message where a project has nothing of what was asked for: where else there is something. */
export async function nothingFound(things: string, { reader, project }: ProjectReader): Promise<string> {
  const projects = await reader.page.projects();
  const others = projects.map(({ project_id: id }) => id).filter((id) => id !== project);
  const none = `No such ${things} in project ${toLine(project)}`;
  if (projects.length === 0) return `${none}: this service has no calls yet`;
  if (others.length === 0) return none;
  const names = others.slice(0, MAX_NAMED).map((name) => toLine(name, 60));
  const more = others.length - names.length;
  return `${none}; --project names another: ${names.join(', ')}${more > 0 ? ` and ${more} more (see "spoor projects")` : ''}`;
}
