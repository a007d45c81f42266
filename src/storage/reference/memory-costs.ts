import { byAge } from '../values/pages.ts';
import type { CostStore, StoredCost } from '../contract/costs.ts';

export class MemoryCosts implements CostStore {
  #costs: readonly StoredCost[] = [];

  async create(costs: readonly StoredCost[]): Promise<void> {
    const known = new Set(this.#costs.map(keyOf));
    const added = costs.filter((cost) => !known.has(keyOf(cost)));
    this.#costs = [...this.#costs, ...added.map((cost) => ({ ...cost }))];
  }

  async list(projectId: string): Promise<StoredCost[]> {
    return this.#costs
      .filter((cost) => cost.project_id === projectId)
      .sort(byAge)
      .map((cost) => ({ ...cost }));
  }

  async purge(projectId: string, ids: readonly string[]): Promise<void> {
    const named = new Set(ids);
    this.#costs = this.#costs.filter((cost) => cost.project_id !== projectId || !named.has(cost.id));
  }
}

function keyOf({ project_id: projectId, id }: StoredCost): string {
  return JSON.stringify([projectId, id]);
}
