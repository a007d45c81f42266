import { type JsonValue, NumberToken } from './canonical-json.ts';

/** An object of JSON as it crosses the wire; numbers in it may be `NumberToken`s. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Is it an object of JSON? No array, and no token of a number, which is an object to JavaScript only. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberToken);
}

/** The object itself, and an empty one for everything else. */
export function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
