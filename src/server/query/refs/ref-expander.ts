import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { isRef, parseRef, type RefParts } from '../../../protocol/ref.ts';
import { RefCache } from './ref-cache.ts';
import type { RefSource } from './ref-source.ts';
import { isPinned, projectOfRef, walkRef } from './walk-ref.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';

/** The value that a reference gives way to. */
export interface Expansion {
  readonly value: JsonValue;
  /** Length of its JSON. */
  readonly size: number;
}

/** Finds what texts of one project refer to; undefined for what stays a text. */
export type RefExpander = (text: string) => Promise<Expansion | undefined>;

/** References to objects and ops of the project itself are followed, all others never. */
export function openExpander(source: RefSource, projectId: string): RefExpander {
  const cache = new RefCache<Expansion | undefined>((expansion) => expansion?.size ?? 0);
  return async (text) => {
    const ref = isRef(text) ? parseRef(text) : undefined;
    if (!ref || !isFollowed(ref, projectId)) return undefined;
    return await cache.read(text, () => expand(text, ref, source));
  };
}

function isFollowed(ref: RefParts, projectId: string): boolean {
  const isValue = ref.kind === 'object' || ref.kind === 'op';
  return isValue && isPinned(ref) && projectOfRef(ref) === projectId;
}

/** An object says where it comes from. Null stands for what was deleted and what is not there. */
async function expand(text: string, ref: RefParts, source: RefSource): Promise<Expansion | undefined> {
  const json = await walkRef(ref, source).catch(unlessUnresolvable);
  if (json === 'null') return undefined;
  const value = parseJson(json);
  const isNamed = !isJsonObject(value) || Object.hasOwn(value, '_ref');
  return { value: isNamed ? value : { ...value, _ref: text }, size: json.length };
}

/** A row that its table does not have, or a path that cannot be taken there. */
function unlessUnresolvable(error: unknown): 'null' {
  if (error instanceof TracingError && (error.code === 'not_found' || error.code === 'invalid_ref')) return 'null';
  throw error;
}
