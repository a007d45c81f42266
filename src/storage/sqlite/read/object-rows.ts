import { boundedList } from '../../values/list-bound.ts';
import type { StoredObject } from '../../contract/objects.ts';
import type { DatabaseSync, Row } from '../driver.ts';
import { rowsOfKeys } from './iterate.ts';
import type { ListQuery } from '../threads/requests.ts';
import { statementOf } from './planned-statement.ts';
import { numberOf, textOf, textOfBlob } from './text.ts';

/** Versions with the pointer to the latest of their kind. */
export const OBJECT_TABLES =
  'object v LEFT JOIN object_latest l ON l.project = v.project AND l.name = v.name AND l.kind = v.kind';

export function objectColumns(isMetadataOnly: boolean): string {
  const value = isMetadataOnly ? 'NULL' : 'CAST(v.val AS BLOB)';
  return `v.kind, v.digest, ${value} AS val, CAST(v.base_object_class AS BLOB) AS base_object_class,
  CAST(v.leaf_object_class AS BLOB) AS leaf_object_class, CAST(v.user AS BLOB) AS user, v.created_at, v.version_index,
  v.size_bytes, v.deleted_at, coalesce(l.object = v.pk, 0) AS is_latest`;
}

/** The versions that keys name, in their order. */
export function queryObjects(
  database: DatabaseSync,
  { projectId, keys, maxCharacters, isMetadataOnly }: ListQuery & { readonly isMetadataOnly: boolean },
): StoredObject[] {
  const columns = `${objectColumns(isMetadataOnly)}, v.name`;
  const one = database.prepare(`SELECT ${columns} FROM ${OBJECT_TABLES} WHERE v.pk = ?`);
  const found = storedObjects(rowsOfKeys(database, statementOf(keys), one), projectId);
  return boundedList(found, ({ val }) => val, maxCharacters);
}

function* storedObjects(rows: Iterable<Row>, projectId: string): Generator<StoredObject> {
  for (const row of rows) yield storedObject(row, projectId, textOf(row['name']) ?? '');
}

export function storedObject(row: Row, projectId: string, objectId: string): StoredObject {
  return {
    project_id: projectId,
    object_id: objectId,
    kind: row['kind'] === 'op' ? 'op' : 'object',
    digest: textOf(row['digest']) ?? '',
    val: textOfBlob(row['val']),
    base_object_class: textOfBlob(row['base_object_class']),
    leaf_object_class: textOfBlob(row['leaf_object_class']),
    svc_user_id: textOfBlob(row['user']),
    created_at: numberOf(row['created_at']) ?? 0,
    version_index: numberOf(row['version_index']) ?? 0,
    is_latest: row['is_latest'] === 1,
    size_bytes: numberOf(row['size_bytes']) ?? 0,
    deleted_at: numberOf(row['deleted_at']),
  };
}
