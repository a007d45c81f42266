import { compareCodePoints, type JsonValue } from '../values/canonical-json.ts';
import type { Attributes, SpanEvent } from './span.ts';
import { isJsonObject, type JsonObject } from '../values/json-object.ts';

type Node = Record<string, JsonValue>;

/** A key of more parts stays whole: a tree of its depth could not be stored. */
const MAX_PARTS = 32;

/**
 * Attributes as a tree: keys are split at dots, and objects with the keys 0…n-1 are arrays. Where a key finds its
 * place taken, it stays whole at the root, so nothing is lost and the order of the attributes does not matter.
 */
export function treeOf(attributes: Attributes): JsonObject {
  if (attributes.length === 0) return NOTHING;
  const root: Node = {};
  const own = new WeakSet<object>([root]);
  const values = new Map(attributes);
  for (const key of inOrder(values.keys())) {
    const value = values.get(key) ?? null;
    const parts = key.split('.', MAX_PARTS + 1);
    const place = parts.length > MAX_PARTS ? undefined : placeOf(root, parts.slice(0, -1), own);
    const last = parts.at(-1) ?? '';
    if (place === undefined || Object.hasOwn(place, last)) put(root, key, value);
    else put(place, last, value);
  }
  return withArrays(root) as JsonObject;
}

/** Keys of few parts first. Nothing is kept for each key: there may be hundreds of thousands. */
function inOrder(keys: Iterable<string>): readonly string[] {
  const byDots: string[][] = [];
  for (const key of keys) (byDots[dotsIn(key)] ??= []).push(key);
  return byDots.flatMap((alike) => alike.sort(compareCodePoints));
}

/** More than a tree has levels are as many as those. */
function dotsIn(key: string): number {
  let count = 0;
  for (let dot = key.indexOf('.'); dot !== -1 && count < MAX_PARTS; dot = key.indexOf('.', dot + 1)) count += 1;
  return count;
}

/** One for all: a span may have a hundred thousand events without attributes. */
const NOTHING: JsonObject = Object.freeze({});

/** The tree of a span: its attributes, and its events under `events.<name>`. */
export function treeOfSpan(attributes: Attributes, events: readonly SpanEvent[]): JsonObject {
  if (events.length === 0) return treeOf(attributes);
  const byName = new Map<string, JsonValue[]>();
  for (const { name, attributes: own } of events) {
    const trees = byName.get(name) ?? [];
    trees.push(treeOf(own));
    byName.set(name, trees);
  }
  const entries = [...byName].map(([name, trees]) => {
    const [only = null, ...more] = trees;
    return [`events.${name}`, more.length === 0 ? only : trees] as const;
  });
  return treeOf([...attributes, ...entries]);
}

/** The value of a key: the whole key at the root, else along the tree; nothing when that is null or empty. */
export function findIn(tree: JsonObject, key: string): JsonValue | undefined {
  const whole = member(tree, key);
  if (isFound(whole)) return whole;
  let value: JsonValue | undefined = tree;
  for (const part of key.split('.')) value = member(value, part);
  return isFound(value) ? value : undefined;
}

/** Follows a path and makes what is missing; undefined where it meets something else than an object. */
function placeOf(root: Node, path: readonly string[], own: WeakSet<object>): Node | undefined {
  let node = root;
  for (const part of path) {
    const next: JsonValue | undefined = Object.hasOwn(node, part) ? node[part] : {};
    if (!isJsonObject(next)) return undefined;
    // Values belong to the span, which is read again: what is added goes into a copy.
    const child: Node = own.has(next) ? next : { ...next };
    own.add(child);
    put(node, part, child);
    node = child;
  }
  return node;
}

/** Assigning to `__proto__` would not make a member. */
function put(node: Node, key: string, value: JsonValue): void {
  Object.defineProperty(node, key, { value, enumerable: true, writable: true, configurable: true });
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? (value as readonly JsonValue[])[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The same value where nothing of it is such an object: copies of thousands of keys take more room than the text. */
function withArrays(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return withArraysInList(value as readonly JsonValue[]);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  // JavaScript keeps such keys in the order of their numbers.
  const isList = keys.length > 0 && keys.every((key, index) => key === String(index));
  return isList ? keys.map((key) => withArrays(value[key] ?? null)) : withArraysInObject(value, keys);
}

function withArraysInList(items: readonly JsonValue[]): readonly JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (const [index, item] of items.entries()) {
    const made = withArrays(item);
    if (made !== item) (copy ??= [...items])[index] = made;
  }
  return copy ?? items;
}

function withArraysInObject(value: JsonObject, keys: readonly string[]): JsonObject {
  let copy: Node | undefined;
  for (const key of keys) {
    const item = value[key] ?? null;
    const made = withArrays(item);
    if (made !== item) put((copy ??= { ...value }), key, made);
  }
  return copy ?? value;
}

function isFound(value: JsonValue | undefined): value is JsonValue {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}
