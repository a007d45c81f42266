import { byAge } from '../values/pages.ts';
import type { StoredView, ViewStore } from '../contract/views.ts';

export class MemoryViews implements ViewStore {
  #views: readonly StoredView[] = [];

  async save(view: StoredView): Promise<StoredView> {
    const known = this.#views.find((other) => isSame(other, view));
    const { created_at, svc_user_id } = known ?? view;
    const saved = { ...view, columns: [...view.columns], created_at, svc_user_id };
    this.#views = [...this.#views.filter((other) => !isSame(other, view)), saved];
    return { ...saved };
  }

  async list(projectId: string): Promise<StoredView[]> {
    return this.#views
      .filter((view) => view.project_id === projectId)
      .sort(byAge)
      .map((view) => ({ ...view, columns: [...view.columns] }));
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const left = this.#views.filter((view) => view.project_id !== projectId || view.id !== id);
    const isFound = left.length < this.#views.length;
    this.#views = left;
    return isFound;
  }
}

function isSame(one: StoredView, other: StoredView): boolean {
  return one.project_id === other.project_id && one.id === other.id;
}
