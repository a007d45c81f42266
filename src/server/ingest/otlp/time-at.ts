import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseDateTime } from '../../../protocol/values/date-time.ts';
import { findIn } from '../../../protocol/span/attribute-tree.ts';
import { microsOfNanos } from '../../../protocol/span/span-times.ts';
import { bigintOf } from './message.ts';
import type { JsonObject } from '../../../protocol/values/json-object.ts';

/** A time that an attribute gives as RFC 3339 or in nanoseconds. */
export function timeAt(tree: JsonObject, key: string): number | undefined {
  const value: JsonValue | undefined = findIn(tree, key);
  if (typeof value === 'string' && !/^\d+$/.test(value)) return parseDateTime(value);
  const nanos = bigintOf(value);
  return nanos === undefined ? undefined : microsOfNanos(nanos);
}
