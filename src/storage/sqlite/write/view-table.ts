import type { StoredView, ViewStore } from '../../contract/views.ts';
import type { DatabaseSync, Row, Statement } from '../driver.ts';
import { boundText, numberOf, textOfBlob } from '../read/text.ts';
import type { Reads } from '../threads/reads.ts';
import type { Names } from './names.ts';
import type { WriteClient } from '../threads/write-client.ts';

/** Views as the service asks for them. */
export function viewStore(writes: WriteClient, reads: Reads): ViewStore {
  return {
    save: async (view) => await writes.send({ op: 'saveView', view }),
    list: async (projectId) => await reads.send({ op: 'listViews', projectId }, {}),
    delete: async (projectId, id) => await writes.send({ op: 'deleteView', projectId, id }),
  };
}

/** Writes views; runs inside the transaction of the writer. */
export class ViewTable {
  readonly #database: DatabaseSync;
  readonly #names: Names;
  readonly #save: Statement;
  readonly #delete: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#database = database;
    this.#names = names;
    this.#save = database.prepare(SAVE);
    this.#delete = database.prepare('DELETE FROM saved_view WHERE project = ? AND id = CAST(? AS TEXT)');
  }

  save(view: StoredView): StoredView {
    this.#save.run(
      this.#names.project(view.project_id),
      boundText(view.id),
      boundText(view.name),
      boundText(view.query),
      boundText(JSON.stringify(view.columns)),
      view.created_at,
      view.updated_at,
      boundText(view.svc_user_id),
    );
    const saved = selectViews(this.#database, view.project_id).find(({ id }) => id === view.id);
    return saved ?? view;
  }

  delete(projectId: string, id: string): boolean {
    return Number(this.#delete.run(this.#names.project(projectId), boundText(id)).changes) > 0;
  }
}

/** The views of a project, oldest first. */
export function selectViews(database: DatabaseSync, projectId: string): StoredView[] {
  return database
    .prepare(SELECT)
    .all(boundText(projectId))
    .map((row) => storedView(row, projectId));
}

function storedView(row: Row, projectId: string): StoredView {
  const text = (column: string) => textOfBlob(row[column]) ?? '';
  return {
    project_id: projectId,
    id: text('id'),
    name: text('name'),
    query: text('query'),
    // Only `save` writes it.
    columns: JSON.parse(text('columns')) as string[],
    created_at: numberOf(row['created_at']) ?? 0,
    updated_at: numberOf(row['updated_at']) ?? 0,
    svc_user_id: text('created_by'),
  };
}

const SAVE = `
INSERT INTO saved_view(project, id, name, query, columns, created_at, updated_at, created_by)
VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, CAST(? AS TEXT))
ON CONFLICT DO UPDATE SET name = excluded.name, query = excluded.query, columns = excluded.columns,
  updated_at = excluded.updated_at`;

const SELECT = `
SELECT CAST(id AS BLOB) AS id, CAST(name AS BLOB) AS name, CAST(query AS BLOB) AS query, CAST(columns AS BLOB) AS columns,
  created_at, updated_at, CAST(created_by AS BLOB) AS created_by
FROM saved_view WHERE project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT))
ORDER BY created_at, id`;
