import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { isContainer } from './value.ts';

/** A part that can index an array; other digits, such as `01`, are names of members only. */
export function isArrayIndex(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/** The value at a path; a missing one and JSON null are both null. */
export function valueAtPath(value: JsonValue, path: readonly string[]): JsonValue {
  let current = value;
  for (const part of path) current = memberOf(current, part);
  return current;
}

function memberOf(value: JsonValue, part: string): JsonValue {
  if (!isContainer(value)) return null;
  if (Array.isArray(value) && !isArrayIndex(part)) return null;
  return Object.hasOwn(value, part) ? ((value as { readonly [key: string]: JsonValue })[part] ?? null) : null;
}
