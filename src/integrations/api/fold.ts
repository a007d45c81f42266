import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';

/** Puts the events of a stream together to the response that would have come without streaming. */
export interface Fold {
  add(event: unknown): void;
  /** The response so far. */
  value(): unknown;
}

/** Parts of a response that come piece by piece, each with the place where it belongs. */
export class IndexedParts {
  readonly #byIndex = new Map<unknown, ParsedObject>();

  /** The part that a piece belongs to. */
  of(piece: ParsedObject): ParsedObject {
    const index = piece['index'] ?? 0;
    const known = this.#byIndex.get(index) ?? {};
    this.#byIndex.set(index, known);
    return known;
  }

  inOrder(): ParsedObject[] {
    return [...this.#byIndex].sort(([one], [other]) => Number(one) - Number(other)).map(([, part]) => part);
  }
}

/** Members that some providers repeat in every piece; all other texts come in parts. */
const WHOLE = new Set(['id', 'index', 'model', 'name', 'object', 'role', 'type', 'finish_reason']);

/**
 * Adds a piece to what came before it: texts and lists grow, objects are merged, items of lists that say their `index`
 * are merged with the item of that index. Nothing of `piece` is changed or kept but its innermost values.
 */
export function mergePiece(whole: ParsedObject, piece: ParsedObject): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = Object.hasOwn(whole, key) ? whole[key] : undefined;
    const merged = mergeValue(key, before, value);
    if (merged !== undefined) define(whole, key, merged);
  }
}

function mergeValue(key: string, before: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return before ?? value;
  if (typeof value === 'string') {
    if (typeof before !== 'string') return value;
    return WHOLE.has(key) ? value || before : before + value;
  }
  if (Array.isArray(value)) return mergeList(Array.isArray(before) ? before : [], value);
  if (!isObject(value)) return value;
  const into = isObject(before) ? before : {};
  mergePiece(into, value);
  return into;
}

function mergeList(list: unknown[], pieces: readonly unknown[]): unknown[] {
  for (const piece of pieces) {
    const known = isIndexed(piece)
      ? list.find((item): item is ParsedObject => isIndexed(item) && item['index'] === piece['index'])
      : undefined;
    if (known !== undefined) mergePiece(known, piece as ParsedObject);
    else list.push(mergeValue('', undefined, piece));
  }
  return list;
}

function isIndexed(value: unknown): value is ParsedObject {
  return isObject(value) && typeof value['index'] === 'number';
}

/** A provider may name a member like what objects inherit. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true, enumerable: true });
}
