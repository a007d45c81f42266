import { TracingError } from '../../../protocol/error.ts';
import type { View } from '../../../protocol/page/view.ts';
import type { Reader } from '../../../reader/reader.ts';
import type { StoredView, ViewStore } from '../../../storage/contract/views.ts';
import { microsOf } from './http-records.ts';

/** Views of a service, which gives ids, times and makers. */
export function viewsOf(reader: Reader): ViewStore {
  const list = async (project_id: string): Promise<StoredView[]> =>
    (await reader.page.views.list({ project_id })).map((view) => toStoredView(project_id, view));
  return {
    list,
    async save({ project_id, id, name, query, columns }) {
      const isKnown = (await list(project_id)).some((view) => view.id === id);
      const view = { ...(isKnown && { id }), name, query, columns: [...columns] };
      return toStoredView(project_id, await reader.page.views.save(view, { project_id }));
    },
    async delete(project_id, id) {
      try {
        await reader.page.views.delete(id, { project_id });
        return true;
      } catch (error) {
        if (error instanceof TracingError && error.code === 'not_found') return false;
        throw error;
      }
    },
  };
}

function toStoredView(project_id: string, { created_at, updated_at, user_id, ...view }: View): StoredView {
  const times = { created_at: microsOf(created_at), updated_at: microsOf(updated_at) };
  return { project_id, ...view, ...times, svc_user_id: user_id };
}
