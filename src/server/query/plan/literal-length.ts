import { type JsonValue, NumberToken } from '../../../protocol/values/canonical-json.ts';

/** About how many UTF-16 units a value was written with. */
export function literalLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof NumberToken) return value.text.length;
  if (typeof value !== 'object' || value === null) return 1;
  let length = 2;
  for (const [key, member] of Object.entries(value)) length += key.length + literalLength(member);
  return length;
}
