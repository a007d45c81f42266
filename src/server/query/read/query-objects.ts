import type { ObjsQueryRequest } from '../../../protocol/object.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { ObjectStore, StoredObject } from '../../../storage/contract/objects.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { listText, MAX_CHARACTERS } from './list-text.ts';
import { objectText } from './object-text.ts';
import { planObjects } from '../plan/plan-objects.ts';
import type { ReadContext } from './read-calls.ts';

/** The JSON of the versions a query means, as one list. */
export async function queryObjects(
  objects: ObjectStore,
  request: ObjsQueryRequest,
  { caller, limits, signal }: ReadContext,
): Promise<JsonText> {
  checkProject(caller, request.project_id);
  const plan = planObjects(request, limits);
  const found = await objects.query(plan, { deadlineMs: limits.read_ms, signal, maxCharacters: MAX_CHARACTERS });
  const withSize = request.include_storage_size === true;
  return await listText(textsOf(found, withSize));
}

function* textsOf(found: readonly StoredObject[], withSize: boolean): Generator<readonly JsonText[]> {
  for (const object of found) yield [objectText(object, withSize ? object.size_bytes : null)];
}
