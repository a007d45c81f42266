import { isRef, parseRef } from '../protocol/ref.ts';
import { ObjectRef } from './object-ref.ts';
import { isFileMarker, withContent } from './stored-file.ts';

/**
 * A copy that is the user's own, in which references to objects and ops are `ObjectRef`s and markers of files know the
 * way to their content, in the project `projectId` or else in that of this process.
 */
export function revive(value: unknown, projectId?: string): unknown {
  if (typeof value === 'string') return reviveText(value);
  if (Array.isArray(value)) return value.map((item) => revive(item, projectId));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(member, projectId)]));
  return isFileMarker(copy) ? withContent(copy, projectId) : copy;
}

/** A text that only looks like a reference is a text. */
function reviveText(text: string): unknown {
  if (!isRef(text)) return text;
  const parts = parseRef(text);
  return parts.kind === 'object' || parts.kind === 'op' ? new ObjectRef(parts) : text;
}
