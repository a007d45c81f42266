import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { isRef, REF_SCHEME } from '../../../protocol/ref.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';

const NONE: readonly string[] = [];

/** Every reference at any depth of a value, each once. `text` is its JSON, which tells quickly that there is none. */
export function collectRefs(value: unknown, text: JsonText): readonly string[] {
  if (!text.includes(REF_SCHEME)) return NONE;
  const refs = new Set<string>();
  // The value was parsed from JSON.
  visit(value as JsonValue, refs);
  return [...refs];
}

function visit(value: JsonValue, refs: Set<string>): void {
  if (typeof value === 'string') {
    if (isRef(value)) refs.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) visit(member, refs);
  }
}
