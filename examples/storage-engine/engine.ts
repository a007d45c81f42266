import * as spoor from 'spoor/server';
import { Calls, turn } from './calls.ts';
import { Objects } from './objects.ts';
import { Shelf } from './shelf.ts';

/** An engine that keeps the contract of a storage and declares nothing beyond it. */
export async function openExampleStorage(): Promise<spoor.Storage> {
  let isOpen = true;
  const said = new Shelf<spoor.StoredFeedback>();
  const calls = new Calls((project, ref) => feedbackIn(said, project, [ref]));
  return {
    capabilities: {},
    catchUp: turn,
    calls,
    objects: new Objects(),
    files: filesOn(new Shelf()),
    costs: costsOn(new Shelf()),
    feedback: feedbackOn(said),
    tables: tablesOn(new Shelf(), new Shelf()),
    views: viewsOn(new Shelf()),
    threads: {
      query: async function* (plan, options) {
        yield* spoor.chunksOf(spoor.pageOfThreads(calls.visible(plan.projectId), plan, options));
      },
    },
    checkHealth: async () => {
      if (!isOpen) throw new spoor.TracingError('unavailable', 'Cannot use the storage: it is closed');
    },
    close: async () => {
      isOpen = false;
    },
  };
}

function filesOn(shelf: Shelf<spoor.StoredFile>): spoor.FileStore {
  return {
    create: async (file) => {
      if (!shelf.get(file.project_id, file.digest)) shelf.put(file.project_id, file.digest, structuredClone(file));
    },
    get: async (project, digest) => structuredClone(shelf.get(project, digest)),
    totalBytes: async (project) => shelf.all(project).reduce((sum, { bytes }) => sum + bytes.length, 0),
  };
}

function costsOn(shelf: Shelf<spoor.StoredCost>): spoor.CostStore {
  return {
    create: async (costs) => {
      for (const cost of costs) shelf.put(cost.project_id, cost.id, shelf.get(cost.project_id, cost.id) ?? { ...cost });
    },
    list: async (project) => structuredClone(shelf.all(project).sort(spoor.byAge)),
    purge: async (project, ids) => void ids.map((id) => shelf.remove(project, id)),
  };
}

function viewsOn(shelf: Shelf<spoor.StoredView>): spoor.ViewStore {
  return {
    save: async (view) => {
      const { created_at, svc_user_id } = shelf.get(view.project_id, view.id) ?? view;
      shelf.put(view.project_id, view.id, structuredClone({ ...view, created_at, svc_user_id }));
      return { ...view, created_at, svc_user_id };
    },
    list: async (project) => structuredClone(shelf.all(project).sort(spoor.byAge)),
    delete: async (project, id) => shelf.remove(project, id),
  };
}

function feedbackOn(shelf: Shelf<spoor.StoredFeedback>): spoor.FeedbackStore {
  const create: spoor.FeedbackStore['create'] = async (feedback, replacedId = null) => {
    const { project_id, id } = feedback;
    if (id !== replacedId && shelf.get(project_id, id)) {
      throw new spoor.TracingError('invalid_request', `Cannot create feedback "${id}": there is one with this id`);
    }
    if (replacedId !== null) shelf.remove(project_id, replacedId);
    shelf.put(project_id, id, structuredClone(feedback));
  };
  return {
    create,
    createAll: async (all) => {
      for (const feedback of all) await create(feedback);
    },
    list: async (project, refs) => structuredClone(feedbackIn(shelf, project, refs)),
    query: async (plan, options) =>
      structuredClone(await spoor.pageOfFeedback(feedbackIn(shelf, plan.projectId), plan, options)),
    count: async (plan, options) => (await spoor.selectFeedback(shelf.all(plan.projectId), plan, options)).length,
    purge: async (project, ids) => void ids.map((id) => shelf.remove(project, id)),
  };
}

function feedbackIn(shelf: Shelf<spoor.StoredFeedback>, project: string, refs?: readonly string[]) {
  const all = shelf.all(project).sort(spoor.byAge);
  return refs ? all.filter(({ svc_ref }) => refs.includes(svc_ref)) : all;
}

/** On digests of the rows of each table, and on rows. */
function tablesOn(tables: Shelf<readonly string[]>, rows: Shelf<string>): spoor.TableStore {
  const rowsOf = (project: string, table: string) =>
    (tables.get(project, table) ?? []).map((digest, original_index) => {
      return { digest, val: rows.get(project, digest) ?? '{}', original_index };
    });
  const store: spoor.TableStore = {
    create: async ({ project_id, digest, row_digests, rows: given }) => {
      const vals = new Map(Array.from(given, (row) => [row.digest, row.val]));
      const missing = row_digests.find((row) => !vals.has(row) && rows.get(project_id, row) === undefined);
      if (missing !== undefined)
        throw new spoor.TracingError('not_found', `Cannot create the table: no row ${missing}`);
      for (const [row, val] of vals) rows.put(project_id, row, val);
      tables.put(project_id, digest, [...row_digests]);
    },
    derive: async (table) => await spoor.deriveWhole(store, table),
    getRowDigests: async (project, digest) => tables.get(project, digest)?.slice(),
    query: async function* (plan, options) {
      yield* spoor.chunksOf(spoor.pageOfRows(rowsOf(plan.projectId, plan.digest), plan, options));
    },
    stats: async (project, digests) =>
      digests.flatMap((digest) => {
        if (!tables.get(project, digest)) return [];
        const vals = rowsOf(project, digest).map(({ val }) => val);
        return [{ digest, count: vals.length, size_bytes: vals.join('').length }];
      }),
  };
  return store;
}
