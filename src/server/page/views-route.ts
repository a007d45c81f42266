import type { FastifyInstance } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import type { View, ViewSaveRequest } from '../../protocol/page/view.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';
import type { StoredView, ViewStore } from '../../storage/contract/views.ts';
import { checkProject } from '../keys/authenticate.ts';
import { newId } from '../http/new-id.ts';
import type { Services } from '../services.ts';
import { pagePost } from './page-route.ts';

/** Views of a project, and what one of them may hold. */
export const MAX_VIEWS = 1000;
export const MAX_NAME_CHARACTERS = 200;
export const MAX_QUERY_CHARACTERS = 16_384;
export const MAX_COLUMNS = 100;

/** Saved views of the lists of a project, which all of its users share. */
export function registerViewRoutes(app: FastifyInstance, services: Services): void {
  const { views } = services.storage;

  pagePost(app, services, 'pageViewsList', async ({ project_id: projectId }, { caller }) => {
    checkProject(caller, projectId);
    return { views: (await views.list(projectId)).map(shown) };
  });

  pagePost(app, services, 'pageViewSave', async ({ project_id: projectId, view }, { caller }) => {
    checkProject(caller, projectId);
    checkView(view);
    const id = await idFor(views, projectId, view.id ?? undefined);
    const now = Date.now() * 1000;
    const { name, query, columns } = view;
    const times = { created_at: now, updated_at: now };
    const maker = { svc_user_id: caller.userId };
    const saved = { project_id: projectId, id, name: name.trim(), query, columns: columns ?? [], ...times, ...maker };
    return { view: shown(await views.save(saved)) };
  });

  pagePost(app, services, 'pageViewDelete', async ({ project_id: projectId, id }, { caller }) => {
    checkProject(caller, projectId);
    if (await views.delete(projectId, id)) return {};
    throw noSuchView(id);
  });
}

/** The id of a view that is there, or a new one while there is room. */
async function idFor(views: ViewStore, projectId: string, id: string | undefined): Promise<string> {
  const known = await views.list(projectId);
  if (id !== undefined) {
    if (known.some((view) => view.id === id)) return id;
    throw noSuchView(id);
  }
  if (known.length < MAX_VIEWS) return newId();
  throw new TracingError('too_many_items', `Cannot save the view: the project has ${MAX_VIEWS} already`);
}

function checkView({ name, query, columns }: ViewSaveRequest['view']): void {
  const isNamed = name.trim() !== '' && name.length <= MAX_NAME_CHARACTERS;
  if (!isNamed) throw strange(`want a name of 1 to ${MAX_NAME_CHARACTERS} characters`);
  if (query.length > MAX_QUERY_CHARACTERS) throw strange(`its query has more than ${MAX_QUERY_CHARACTERS} characters`);
  const texts = columns ?? [];
  if (texts.length > MAX_COLUMNS) throw strange(`it has more than ${MAX_COLUMNS} columns`);
  if (texts.some(({ length }) => length > MAX_NAME_CHARACTERS)) {
    throw strange(`a column has more than ${MAX_NAME_CHARACTERS} characters`);
  }
}

function strange(reason: string): TracingError {
  return new TracingError('invalid_request', `Cannot save the view: ${reason}`, { field: 'view' });
}

function noSuchView(id: string): TracingError {
  return new TracingError('not_found', `No such view: "${id.slice(0, 100)}"`);
}

function shown({
  id,
  name,
  query,
  columns,
  created_at: created,
  updated_at: updated,
  svc_user_id: user,
}: StoredView): View {
  return {
    id,
    name,
    query,
    columns: [...columns],
    created_at: formatDateTime(created),
    updated_at: formatDateTime(updated),
    user_id: user,
  };
}
