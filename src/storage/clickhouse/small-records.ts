import type { CostStore, StoredCost } from '../contract/costs.ts';
import type { StoredView, ViewStore } from '../contract/views.ts';
import { bind, raw, sql } from '../sql/sql.ts';
import { byAge } from '../values/pages.ts';
import type { Connection, Row } from './connection.ts';
import { Turns } from './write/turns.ts';
import { versionAbove } from './write/version-clock.ts';

interface Named {
  readonly project_id: string;
  readonly id: string;
}

/** Records of a project that are few, each as JSON under its id. Changes are inserts, one after the other. */
class SmallRecords<Stored extends { readonly id: string; readonly created_at: number }> {
  readonly #connection: Connection;
  readonly #table: 'costs' | 'views';
  readonly #turns = new Turns();

  constructor(connection: Connection, table: 'costs' | 'views') {
    this.#connection = connection;
    this.#table = table;
  }

  async list(projectId: string): Promise<Stored[]> {
    const column = raw(this.#table.slice(0, -1));
    const rows = await this.#connection.all<{ record: string }>(
      sql`SELECT ${column} AS record FROM ${raw(this.#table)} FINAL WHERE project_id = ${bind(projectId)}`,
    );
    return rows.map(({ record }) => JSON.parse(record) as Stored).sort(byAge);
  }

  /** Carries out a change that looks at what is there. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }

  async store(records: readonly Named[]): Promise<void> {
    const column = this.#table.slice(0, -1);
    await this.#insert(
      records.map((record) => ({ ...keyOf(record), [column]: JSON.stringify(record), is_deleted: 0 })),
    );
  }

  async remove(projectId: string, ids: readonly string[]): Promise<void> {
    await this.#insert(ids.map((id) => ({ project_id: projectId, id, is_deleted: 1 })));
  }

  async #insert(rows: readonly (Row & Named)[]): Promise<void> {
    const ver = await versionAbove(this.#connection, this.#table, rows);
    await this.#connection.insert(
      this.#table,
      rows.map((row) => ({ ...row, ver })),
    );
  }
}

function keyOf({ project_id, id }: Named): Named {
  return { project_id, id };
}

export function clickhouseCosts(connection: Connection): CostStore {
  const records = new SmallRecords<StoredCost>(connection, 'costs');
  return {
    list: (projectId) => records.list(projectId),
    purge: (projectId, ids) => records.change(() => records.remove(projectId, ids)),
    create: async (costs) => {
      await records.change(async () => {
        const projects = [...new Set(costs.map((cost) => cost.project_id))];
        const known = new Set((await Promise.all(projects.map((id) => records.list(id)))).flat().map(idOf));
        await records.store(firstOfEach(costs).filter((cost) => !known.has(idOf(cost))));
      });
    },
  };
}

function idOf({ project_id, id }: StoredCost): string {
  return JSON.stringify([project_id, id]);
}

function firstOfEach(costs: readonly StoredCost[]): StoredCost[] {
  const first = new Map<string, StoredCost>();
  for (const cost of costs) if (!first.has(idOf(cost))) first.set(idOf(cost), cost);
  return [...first.values()];
}

export function clickhouseViews(connection: Connection): ViewStore {
  const records = new SmallRecords<StoredView>(connection, 'views');
  const find = async (projectId: string, id: string) => {
    return (await records.list(projectId)).find((view) => view.id === id);
  };
  return {
    list: (projectId) => records.list(projectId),
    save: async (view) =>
      await records.change(async () => {
        const { created_at, svc_user_id } = (await find(view.project_id, view.id)) ?? view;
        const saved = { ...view, columns: [...view.columns], created_at, svc_user_id };
        await records.store([saved]);
        return saved;
      }),
    delete: async (projectId, id) =>
      await records.change(async () => {
        if ((await find(projectId, id)) === undefined) return false;
        await records.remove(projectId, [id]);
        return true;
      }),
  };
}
