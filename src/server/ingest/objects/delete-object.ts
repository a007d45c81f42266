import { TracingError } from '../../../protocol/error.ts';
import type { ObjDeleteRequest, ObjDeleteResponse } from '../../../protocol/object.ts';
import type { ObjectStore } from '../../../storage/contract/objects.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { Repetition } from '../../http/repetition.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { checkObjectId } from '../../http/body/check-id.ts';

/** Deletes versions of a name: the named ones, or every one when none is named. */
export async function deleteObject(
  objects: ObjectStore,
  request: ObjDeleteRequest,
  { caller, limits }: IngestContext,
  { key }: Repetition,
): Promise<ObjDeleteResponse> {
  checkProject(caller, request.project_id);
  checkObjectId(request.object_id);
  const versions = request.digests ?? [];
  const max = limits.digests_per_delete;
  if (versions.length > max) {
    throw new TracingError('too_many_items', `Cannot delete ${versions.length} versions at once: want at most ${max}`);
  }
  const deleted = await objects.delete(request.project_id, request.object_id, versions, Date.now() * 1000, key);
  return { num_deleted: deleted.length, deleted_versions: deleted };
}
