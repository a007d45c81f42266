import { TracingError } from '../../../protocol/error.ts';
import type { DeletedVersion } from '../../contract/objects.ts';
import type { DatabaseSync, Row, Statement } from '../driver.ts';
import { textOf, textOfBlob } from '../read/text.ts';

export interface DeleteRequest {
  readonly objectId: string;
  readonly versions: readonly string[];
  readonly deletedAt: number;
  /** The same for all attempts of a request. */
  readonly key?: string | undefined;
}

/** Deletes versions of objects; everything is decided before the first is touched. */
export class ObjectDeletion {
  readonly #selectDeleted: Statement;
  readonly #selectThere: Statement;
  readonly #selectKind: Statement;
  readonly #delete: Statement;
  readonly #clearLatest: Statement;
  readonly #renewLatest: Statement;

  constructor(database: DatabaseSync) {
    this.#selectDeleted = database.prepare(SELECT_DELETED);
    this.#selectThere = database.prepare(SELECT_THERE);
    this.#selectKind = database.prepare('SELECT min(kind) AS kind FROM object WHERE project = ? AND name = ?');
    this.#delete = database.prepare('UPDATE object SET deleted_at = ?, deletion = ?, val = NULL WHERE pk = ?');
    this.#clearLatest = database.prepare('DELETE FROM object_latest WHERE object = ? AND project = ? AND name = ?');
    this.#renewLatest = database.prepare(RENEW_LATEST);
  }

  delete(project: number, { objectId, versions, deletedAt, key: given }: DeleteRequest): DeletedVersion[] {
    const key = given ?? null;
    // Nothing equals NULL.
    const before = this.#selectDeleted.all(project, objectId, key);
    if (before.length > 0) return before.map(deletedVersion);
    const there = this.#selectThere.all(project, objectId);
    const kind = this.#selectKind.get(project, objectId)?.['kind'];
    const isNamed = (row: Row, name: string) => matches(row, name, textOf(kind));
    const isKnown = versions.every((name) => there.some((row) => isNamed(row, name)));
    if (there.length === 0 || !isKnown) {
      throw new TracingError('not_found', `Cannot delete versions of object "${objectId}": no such version`);
    }
    const deleted = there.filter((row) => versions.length === 0 || versions.some((name) => isNamed(row, name)));
    for (const { pk } of deleted) {
      this.#delete.run(deletedAt, key, pk ?? null);
      this.#clearLatest.run(pk ?? null, project, objectId);
    }
    this.#renewLatest.run(project, objectId);
    return deleted.map(deletedVersion);
  }
}

/** Does a name mean this version? `latest` and `v<N>` mean versions of one kind. */
function matches(row: Row, name: string, kind: string | null): boolean {
  if (name === 'latest') return row['kind'] === kind && row['is_latest'] === 1;
  if (/^v\d{1,15}$/.test(name)) return row['kind'] === kind && row['version_index'] === Number(name.slice(1));
  return row['digest'] === name;
}

function deletedVersion(row: Row): DeletedVersion {
  return {
    digest: textOf(row['digest']) ?? '',
    base_object_class: textOfBlob(row['base_object_class']),
    leaf_object_class: textOfBlob(row['leaf_object_class']),
  };
}

const DESCRIPTION = `v.digest, CAST(v.base_object_class AS BLOB) AS base_object_class,
  CAST(v.leaf_object_class AS BLOB) AS leaf_object_class`;

const SELECT_DELETED = `
SELECT ${DESCRIPTION} FROM object v WHERE v.project = ? AND v.name = ? AND v.deletion = ? ORDER BY v.created_at`;

const SELECT_THERE = `
SELECT v.pk, v.kind, v.version_index, ${DESCRIPTION}, coalesce(l.object = v.pk, 0) AS is_latest
FROM object v LEFT JOIN object_latest l ON l.project = v.project AND l.name = v.name AND l.kind = v.kind
WHERE v.project = ? AND v.name = ? AND v.deleted_at IS NULL ORDER BY v.created_at`;

/** Kinds that have versions and no latest get the one with the greatest number; `max` chooses the row of `pk`. */
const RENEW_LATEST = `
INSERT OR IGNORE INTO object_latest(project, name, kind, object)
SELECT project, name, kind, pk FROM (
  SELECT project, name, kind, pk, max(version_index) FROM object
  WHERE project = ? AND name = ? AND deleted_at IS NULL GROUP BY kind)`;
