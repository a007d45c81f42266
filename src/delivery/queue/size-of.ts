/**
 * Roughly the JSON size of a plain value, in bytes: what it holds of the memory that a queue may use. Made without
 * the text, because a value that goes to the service gets its text once.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce<number>((total, item) => total + sizeOf(item) + 1, 2);
  return Object.entries(value).reduce((total, [key, member]) => total + key.length + 4 + sizeOf(member), 2);
}
