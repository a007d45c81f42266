import { formatDateTime } from '../../protocol/date-time.ts';
import { TracingError } from '../../protocol/error.ts';
import type { ObjReadRequest } from '../../protocol/object.ts';
import type { JsonText, ObjectStore, StoredObject } from '../../storage/storage.ts';
import { type Caller, checkProject } from '../authenticate.ts';
import { checkObjectId } from '../ingest/create-object.ts';

/** The JSON of the version an object request names. */
export async function readObject(objects: ObjectStore, request: ObjReadRequest, caller: Caller): Promise<JsonText> {
  checkProject(caller, request.project_id);
  checkObjectId(request.object_id);
  const metadataOnly = request.metadata_only === true;
  const object = await objects.get(request.project_id, request.object_id, request.digest, { metadataOnly });
  const name = `${request.object_id}:${request.digest.slice(0, 200)}`;
  if (!object) throw new TracingError('not_found', `Cannot read object "${name}": no such version`);
  if (object.deleted_at !== null) {
    throw new TracingError('object_deleted', `Cannot read object "${name}": it was deleted`, {
      extra: { deleted_at: formatDateTime(object.deleted_at) },
    });
  }
  return objectText(object);
}

/** The stored canonical text goes in as it is, so that reading and saving again keeps the digest. */
function objectText(object: StoredObject): JsonText {
  const head = JSON.stringify({
    project_id: object.project_id,
    object_id: object.object_id,
    created_at: formatDateTime(object.created_at),
    deleted_at: null,
    digest: object.digest,
    version_index: object.version_index,
    is_latest: object.is_latest ? 1 : 0,
    kind: object.kind,
    base_object_class: object.base_object_class,
    leaf_object_class: object.leaf_object_class,
  });
  const tail = JSON.stringify({ svc_user_id: object.svc_user_id, size_bytes: object.size_bytes });
  return `${head.slice(0, -1)},"val":${object.val ?? '{}'},${tail.slice(1)}`;
}
