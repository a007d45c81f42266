import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { ObjReadRequest } from '../../../protocol/object.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { ObjectStore } from '../../../storage/contract/objects.ts';
import { type Caller, checkProject } from '../../keys/authenticate.ts';
import { checkObjectId } from '../../http/body/check-id.ts';
import { objectText } from './object-text.ts';

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
  return objectText(object, object.size_bytes);
}
