/** An object as a program or `JSON.parse` gives it: its members are of any kind until each is looked at. */
export type ParsedObject = Record<string, unknown>;

/** Has it members of its own? No array; whoever may meet a `NumberToken` asks `isJsonObject`. */
export function isObject(value: unknown): value is ParsedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
