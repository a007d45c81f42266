import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { StoredObject } from '../../../storage/contract/objects.ts';

/**
 * The JSON of a version as it is sent. The stored canonical text goes in as it is, so that reading and saving again
 * keeps the digest.
 */
export function objectText(object: StoredObject, sizeBytes: number | null): JsonText {
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
  const tail = JSON.stringify({ svc_user_id: object.svc_user_id, size_bytes: sizeBytes });
  return `${head.slice(0, -1)},"val":${object.val ?? '{}'},${tail.slice(1)}`;
}
