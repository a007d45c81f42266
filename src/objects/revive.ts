import { isRef, parseRef } from '../protocol/ref.ts';
import { ObjectRef } from './object-ref.ts';

/** A copy that is the user's own, in which references to objects and ops are `ObjectRef`s. */
export function revive(value: unknown): unknown {
  if (typeof value === 'string') return reviveText(value);
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(member)]));
}

/** A text that only looks like a reference is a text. */
function reviveText(text: string): unknown {
  if (!isRef(text)) return text;
  const parts = parseRef(text);
  return parts.kind === 'object' || parts.kind === 'op' ? new ObjectRef(parts) : text;
}
