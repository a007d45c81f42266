import { canonicalLength, type JsonValue, NumberToken } from '../../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../../protocol/values/json.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';

/** The value that stands for what was too large or too deep to keep. */
export const EXCEEDS_LIMITS = { _svc: { error: '<EXCEEDS_LIMITS>' } } as const;

/** Its text. */
export const EXCEEDS_LIMITS_TEXT = stringifyJson(EXCEEDS_LIMITS);

/** A JSON field of a call and its text. */
export interface BodyField {
  value: JsonValue;
  text: JsonText;
}

/** Largest growth of a compact text that becomes canonical: every unit of it as `\uXXXX`. */
const CANONICAL_GROWTH = 6;

/** A field ready to be stored; a too deep one becomes the placeholder. `requestDepth` bounds the depth of every field. */
export function toBodyField(value: unknown, requestDepth: number, maxDepth: number): BodyField {
  const isTooDeep = requestDepth > maxDepth && isDeeperThan(value, maxDepth);
  // The value was parsed from JSON.
  const kept = isTooDeep ? EXCEEDS_LIMITS : (value as JsonValue);
  return { value: kept, text: stringifyJson(kept) };
}

/** Replaces the largest field of a start or end by the placeholder, repeatedly, until all of them fit together. */
export function cutToSize(fields: readonly BodyField[], maxBytes: number): void {
  const units = fields.reduce((sum, { text }) => sum + text.length, 0);
  if (units * CANONICAL_GROWTH <= maxBytes) return;
  const sized = fields
    .map((field) => ({ field, bytes: canonicalLength(field.value) }))
    .sort((a, b) => b.bytes - a.bytes);
  let total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { field, bytes } of sized) {
    if (total <= maxBytes) return;
    total += EXCEEDS_LIMITS_TEXT.length - bytes;
    field.value = EXCEEDS_LIMITS;
    field.text = EXCEEDS_LIMITS_TEXT;
  }
}

/** The raw span of a call. It repeats what the other fields hold, so it is held to their limit by itself. */
export function toDump(dump: unknown, requestDepth: number, limits: Limits): JsonText {
  const field = toBodyField(dump, requestDepth, limits.json_depth);
  cutToSize([field], limits.call_bytes);
  return field.text;
}

/** Are there more levels of arrays and objects in a value than `limit`? */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof NumberToken) return false;
  if (limit === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, limit - 1));
}
