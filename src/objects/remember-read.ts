import type { JsonValue } from '../protocol/values/canonical-json.ts';
import { digestJson } from '../protocol/values/digest.ts';
import { formatRef, type RefParts } from '../protocol/ref.ts';
import {
  publishedVersion,
  rememberVersion,
  watch,
  type Watched,
  watchInstance,
} from '../tracing/record/published-versions.ts';
import { ObjectRef } from './object-ref.ts';

/**
 * Calls record a value that was read like a published one: as its reference, as long as nothing in it changes.
 * `value` is what the reference names, `result` what the user gets of it.
 */
export function rememberRead(result: unknown, parts: RefParts, value: unknown): void {
  if (typeof result !== 'object' || result === null || result instanceof ObjectRef) return;
  const ref = fixedRef(parts, value);
  if (ref !== undefined && publishedVersion(result) === undefined) rememberVersion(result, ref, watchAll(result));
}

/** `undefined` where the same reference may mean another value tomorrow, and which version this is cannot be told. */
function fixedRef(parts: RefParts, value: unknown): string | undefined {
  if (parts.kind === 'table' && parts.extra.length > 0) return formatRef(parts);
  if (parts.kind !== 'object') return undefined;
  if (!/^(?:latest|v\d+)$/.test(parts.version)) return formatRef(parts);
  if (parts.extra.length > 0 || hasWholeNumber(value)) return undefined;
  // It came as JSON.
  return formatRef({ ...parts, version: digestJson(value as JsonValue) });
}

/** `1.0` and `1` are two values to a digest and one to this language. */
function hasWholeNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasWholeNumber);
}

/** An instance of ours and all that is plain inside it. */
function watchAll(value: unknown, look: (object: object) => Watched | undefined = watchInstance): Watched[] {
  if (typeof value !== 'object' || value === null) return [];
  const watched = look(value);
  return watched === undefined ? [] : [watched, ...Object.values(value).flatMap((member) => watchAll(member, watch))];
}
