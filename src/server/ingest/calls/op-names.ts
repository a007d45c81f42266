import { formatRef, isRef, parseRef, REF_SCHEME } from '../../../protocol/ref.ts';
import { type Caller, mayUse } from '../../keys/authenticate.ts';
import type { WriteStores } from '../write-stores.ts';

/** References to objects that are ops, each with the reference that names it as one. */
export type OpNames = ReadonlyMap<string, string>;

const NONE: OpNames = new Map();

/** Looks up the op names that are references to objects. Nearly all are none, and cost nothing but a look. */
export async function findOps(
  objects: WriteStores['objects'],
  opNames: Iterable<string>,
  caller: Caller,
): Promise<OpNames> {
  const refs = new Set<string>();
  for (const opName of opNames) if (mayNameObject(opName)) refs.add(opName);
  if (refs.size === 0) return NONE;
  const found = new Map<string, string>();
  for (const ref of refs) {
    const op = await findOp(objects, ref, caller);
    if (op !== undefined) found.set(ref, op);
  }
  return found;
}

function mayNameObject(opName: string): boolean {
  return opName.startsWith(REF_SCHEME) && opName.includes('/object/') && isRef(opName);
}

/** The reference to the op; undefined where there is no such object, it is no op, or it is not for the caller to see. */
async function findOp(objects: WriteStores['objects'], ref: string, caller: Caller): Promise<string | undefined> {
  const parts = parseRef(ref);
  if (parts.kind !== 'object' || parts.extra.length > 0 || !mayUse(caller, parts.entity)) return undefined;
  const projectId = `${parts.entity}/${parts.project}`;
  const object = await objects.get(projectId, parts.name, parts.version, { metadataOnly: true });
  return object?.kind === 'op' ? formatRef({ ...parts, kind: 'op' }) : undefined;
}
