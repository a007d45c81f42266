import type { StoredFile } from '../../contract/files.ts';
import type { DeletedVersion } from '../../contract/objects.ts';
import { type DeleteRequest, ObjectDeletion } from './delete-objects.ts';
import type { PackedObject } from '../../packed/packed-object.ts';
import type { SharedText } from '../../packed/shared-text.ts';
import { withPages } from '../connection.ts';
import type { DatabaseSync, SqliteValue, Statement } from '../driver.ts';
import type { Names } from './names.ts';
import { boundText, numberOf } from '../read/text.ts';

/** The pages of a longer text are not all kept in memory. */
const MANY_BYTES = 4 * 1024 * 1024;

/** Writes versions of objects and files; runs inside the transaction of the writer. */
export class ObjectTables {
  readonly #database: DatabaseSync;
  readonly #names: Names;
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #setLatest: Statement;
  readonly #deletion: ObjectDeletion;
  readonly #insertFile: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#database = database;
    this.#names = names;
    this.#find = database.prepare(
      'SELECT pk FROM object WHERE project = ? AND name = ? AND digest = ? AND kind = ? AND deleted_at IS NULL',
    );
    this.#insert = database.prepare(INSERT);
    this.#setLatest = database.prepare(
      'INSERT OR REPLACE INTO object_latest(project, name, kind, object) VALUES (?, ?, ?, ?)',
    );
    this.#deletion = new ObjectDeletion(database);
    this.#insertFile = database.prepare(
      'INSERT OR IGNORE INTO file(project, digest, name, bytes) VALUES (?, ?, CAST(? AS TEXT), coalesce(?, zeroblob(0)))',
    );
  }

  createObject(object: PackedObject): void {
    const project = this.#names.project(object.project_id);
    const { object_id: name, kind, digest, val } = object;
    const pages = val.length > MANY_BYTES ? 'some' : 'many';
    const insert = () => withPages(this.#database, pages, () => this.#insertVersion(project, object));
    const row = this.#find.get(project, name, digest, kind) ?? insert();
    this.#setLatest.run(project, name, kind, row?.['pk'] ?? null);
  }

  deleteVersions(request: DeleteRequest & { readonly projectId: string }): DeletedVersion[] {
    return this.#deletion.delete(this.#names.project(request.projectId), request);
  }

  createFile(file: StoredFile): void {
    const project = this.#names.project(file.project_id);
    this.#insertFile.run(project, file.digest, boundText(file.name), file.bytes);
  }

  #insertVersion(project: number, object: PackedObject) {
    const { object_id: name, kind, val } = object;
    const row = this.#insert.get(
      project,
      name,
      kind,
      project,
      name,
      kind,
      object.digest,
      boundCanonical(val),
      // It is ASCII.
      val.length,
      boundText(object.base_object_class),
      boundText(object.leaf_object_class),
      boundText(object.svc_user_id),
      object.created_at,
      project,
      name,
    );
    return { pk: numberOf(row?.['pk']) };
  }
}

/** A canonical text is ASCII, and has no NUL. */
function boundCanonical(text: string | SharedText): SqliteValue {
  return typeof text === 'string' ? text : text.bytes;
}

/** The next version of a kind of a name; its time is later than that of every version of the name. */
const INSERT = `
INSERT INTO object(project, name, kind, version_index, digest, val, size_bytes, base_object_class,
  leaf_object_class, user, created_at)
VALUES (?, ?, ?,
  (SELECT coalesce(max(version_index) + 1, 0) FROM object WHERE project = ? AND name = ? AND kind = ?),
  ?, CAST(? AS TEXT), ?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
  max(?, (SELECT coalesce(max(created_at) + 1, 0) FROM object WHERE project = ? AND name = ?)))
RETURNING pk`;
