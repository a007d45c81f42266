import type { JsonValue } from '../values/canonical-json.ts';
import type { Dialect } from './dialect.ts';
import { isJsonObject, type JsonObject } from '../values/json-object.ts';

/**
 * Replaces the names of one spelling of the protocol by those of the other. Each name is exchanged for its partner,
 * whichever of the two it is, so one translator serves both directions and translating twice gives back what was
 * there. What needs no change is returned as it is.
 */
export interface Translator {
  /** A key at a position of the protocol. */
  readonly key: (name: string) => string;
  /** A text: only the scheme of a reference is replaced. */
  readonly text: (text: string) => string;
  /** Anything a user may send: references and custom types in it, at any depth; its keys are the user's. */
  readonly value: (value: JsonValue) => JsonValue;
  readonly feedbackType: (type: string) => string;
  /** A field of a query, a sort or a selection. */
  readonly path: (path: string) => string;
  /** A `summary` or `attributes`, where one member is not the user's; `inside` translates that member. */
  readonly namespaced: (value: JsonValue, inside?: (member: JsonValue) => JsonValue) => JsonValue;
  /** A sentence for people that may mention any of the names. */
  readonly message: (text: string) => string;
}

/** Made once for each dialect, when it is first spoken. */
export function translatorOf(dialect: Dialect): Translator {
  const translator = translators.get(dialect) ?? makeTranslator(dialect);
  translators.set(dialect, translator);
  return translator;
}

const translators = new WeakMap<Dialect, Translator>();

function makeTranslator(dialect: Dialect): Translator {
  const keys = exchange(dialect.keys);
  const namespaces = exchange(dialect.namespaces);
  const placeholders = exchange(dialect.placeholders);
  const swapScheme = prefixExchange(dialect.schemes, '');
  const text = (value: string): string => (value.includes(':///') ? swapScheme(value) : value);
  const swapType = prefixExchange(dialect.feedbackTypes, '(?=[.\\]]|$)');
  const key = (name: string): string => keys.get(name) ?? name;
  const namespace = (name: string): string => namespaces.get(name) ?? name;
  const memberKey = (name: string, member: JsonValue): string =>
    isPlaceholder(member) ? (placeholders.get(name) ?? name) : name;
  const value = valueTranslator(dialect, text, memberKey);
  return {
    key,
    text,
    value,
    namespaced(columns, inside = value) {
      if (!isJsonObject(columns)) return value(columns);
      return mapMembers(
        columns,
        (name, member) => namespaces.get(name) ?? memberKey(name, member),
        (member, name) => (namespaces.has(name) ? inside(member) : value(member)),
      );
    },
    feedbackType: (type) => swapType(text(type)),
    path: (path) => translatePath(path, key, namespace, swapType),
    message: messageTranslator(dialect),
  };
}

const FEEDBACK = 'feedback.[';

function translatePath(
  path: string,
  key: (name: string) => string,
  namespace: (name: string) => string,
  feedbackType: (type: string) => string,
): string {
  if (path.startsWith(FEEDBACK)) return FEEDBACK + feedbackType(path.slice(FEEDBACK.length));
  const [first = '', ...rest] = path.split('.');
  if (first !== 'summary' && first !== 'attributes') return [key(first), ...rest].join('.');
  const [second, ...deeper] = rest;
  return second === undefined ? path : [first, namespace(second), ...deeper].join('.');
}

/** The text that a service puts in the place of a field that was too large. */
const EXCEEDS_LIMITS = '<EXCEEDS_LIMITS>';

function valueTranslator(
  dialect: Dialect,
  text: (value: string) => string,
  memberKey: (name: string, member: JsonValue) => string,
): (value: JsonValue) => JsonValue {
  const types = exchange(dialect.customTypes);
  const typeKeys = exchange(dialect.customTypeKeys);
  const typeKeyOf = new Map(customTypePairs(dialect));

  const isCustomType = (object: JsonObject): boolean => {
    const { _type: type } = object;
    if (typeof type !== 'string') return false;
    const described = object[typeKeyOf.get(type) ?? ''];
    return isJsonObject(described) && typeof described['type'] === 'string';
  };
  const typeName = (type: JsonValue): JsonValue => (typeof type === 'string' ? (types.get(type) ?? type) : type);
  const translateCustom = (object: JsonObject): JsonObject =>
    mapMembers(
      object,
      (name) => typeKeys.get(name) ?? name,
      (member, name) => (name === '_type' ? typeName(member) : translate(member)),
    );
  const translate = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value);
    if (isList(value)) return mapItems(value, translate);
    if (!isJsonObject(value)) return value;
    return isCustomType(value) ? translateCustom(value) : mapMembers(value, memberKey, translate);
  };
  return translate;
}

/** The key that stands beside each value of `_type`. */
function customTypePairs({ customTypes, customTypeKeys }: Dialect): [string, string][] {
  const [[ours, theirs] = ['', '']] = Object.entries(customTypes);
  const [[ourKey, theirKey] = ['', '']] = Object.entries(customTypeKeys);
  return [
    [ours, ourKey],
    [theirs, theirKey],
  ];
}

function isPlaceholder(value: JsonValue): boolean {
  return isJsonObject(value) && value['error'] === EXCEEDS_LIMITS && Object.keys(value).length === 1;
}

/** Sentences are for people: a name is replaced wherever it stands as a word. */
function messageTranslator(dialect: Dialect): (text: string) => string {
  const { keys, headers, spanAttributes, customTypes, customTypeKeys, feedbackTypes, namespaces, schemes } = dialect;
  const inNamespaces = Object.entries(namespaces).flatMap(([ours, theirs]) =>
    ['summary', 'attributes'].map((column) => [`${column}.${ours}`, `${column}.${theirs}`]),
  );
  const words = exchange({
    ...keys,
    ...headers,
    ...spanAttributes,
    ...customTypes,
    ...customTypeKeys,
    ...feedbackTypes,
    ...Object.fromEntries(inNamespaces),
  });
  const beginnings = exchange(schemes);
  const pattern = new RegExp(`(?<![\\w-])(?:${anyOf(beginnings)}|(?:${anyOf(words)})(?![\\w-]))`, 'g');
  return (text) => text.replace(pattern, (name) => words.get(name) ?? beginnings.get(name) ?? name);
}

/** Both directions of the pairs. */
function exchange(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([ours, theirs]) => [[ours, theirs] as const, [theirs, ours] as const]));
}

/** Exchanges what a text begins with, where `end` follows it. */
function prefixExchange(names: Readonly<Record<string, string>>, end: string): (text: string) => string {
  const partners = exchange(names);
  const pattern = new RegExp(`^(?:${anyOf(partners)})${end}`);
  return (text) => text.replace(pattern, (name) => partners.get(name) ?? name);
}

/** Longer names first, so that none is taken for the beginning of another. */
function anyOf(names: ReadonlyMap<string, string>): string {
  const sorted = [...names.keys()].sort((a, b) => b.length - a.length);
  return sorted.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
}

/** The object with other keys or members, or itself where nothing changed. */
export function mapMembers(
  object: JsonObject,
  rename: (name: string, member: JsonValue) => string,
  convert: (member: JsonValue, name: string) => JsonValue,
): JsonObject {
  let isChanged = false;
  const members: [string, JsonValue][] = [];
  for (const name of Object.keys(object)) {
    const member = object[name] ?? null;
    const newName = rename(name, member);
    const newMember = convert(member, name);
    isChanged ||= newName !== name || newMember !== member;
    members.push([newName, newMember]);
  }
  return isChanged ? Object.fromEntries(members) : object;
}

/** The list with other items, or itself where nothing changed. */
export function mapItems(items: readonly JsonValue[], convert: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  let isChanged = false;
  const converted = items.map((item) => {
    const newItem = convert(item);
    isChanged ||= newItem !== item;
    return newItem;
  });
  return isChanged ? converted : items;
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
