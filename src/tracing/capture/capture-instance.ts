import { types } from 'node:util';
import { captureBlob, captureBytes, captureNumbers } from './capture-bytes.ts';
import { captureError } from './capture-error.ts';
import type { CopyMembers } from '../record/published-versions.ts';
import { Siblings } from '../mask/secret-sibling.ts';
import { isError } from './thrown.ts';
import { hasRoom, keyOf, mark, setMember, visitMember, visitText, type Walk } from './walk.ts';

/** Clients of providers hold keys, sockets and caches, and their fields tell nothing about a call. */
const CLIENT_CLASSES = new Set([
  'OpenAI',
  'AzureOpenAI',
  'Anthropic',
  'AnthropicVertex',
  'AnthropicBedrock',
  'GoogleGenAI',
  'GoogleGenerativeAI',
  'VertexAI',
  'BedrockRuntimeClient',
  'Mistral',
  'CohereClient',
  'Groq',
  'Together',
  'Ollama',
  'PrismaClient',
  'MongoClient',
  'Redis',
]);

/** Copies anything that is neither a plain object nor an array. May throw where foreign code does. */
export function captureInstance(walk: Walk, value: object, copyMembers: CopyMembers): unknown {
  if (types.isProxy(value)) return copyMembers(walk, value, {});
  if (isError(value)) return captureError(walk, value);
  return captureBuiltIn(walk, value) ?? captureOwnClass(walk, value, copyMembers);
}

/** `undefined`: it is none of these. */
function captureBuiltIn(walk: Walk, value: object): unknown {
  if (types.isDate(value)) return visitText(walk, dateText(value));
  if (types.isMap(value)) return copyEntries(walk, value);
  if (types.isSet(value)) return copyItems(walk, value);
  if (types.isRegExp(value)) return visitText(walk, String(value));
  if (types.isBoxedPrimitive(value)) return walk.visit(walk, value.valueOf());
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return captureBinary(walk, value);
  const tag = foreignTag(value);
  return tag === undefined ? captureWebValue(walk, value) : visitText(walk, `[${tag}]`);
}

/** Things that are used up by looking at them, or that lead into the runtime. */
function foreignTag(value: object): string | undefined {
  if (types.isPromise(value)) return 'Promise';
  if (types.isWeakMap(value)) return 'WeakMap';
  if (types.isWeakSet(value)) return 'WeakSet';
  if (types.isGeneratorObject(value)) return 'Generator';
  const parts = value as Partial<Record<'pipe' | 'on' | 'destroy' | 'getReader' | 'then' | symbol, unknown>>;
  if (typeof parts.on === 'function' && (typeof parts.pipe === 'function' || typeof parts.destroy === 'function')) {
    return classNameOf(value) ?? 'Stream';
  }
  if (typeof parts.getReader === 'function') return 'ReadableStream';
  if (typeof parts.then === 'function') return classNameOf(value) ?? 'Promise';
  if (typeof parts[Symbol.asyncIterator] === 'function') return classNameOf(value) ?? 'AsyncIterable';
  return undefined;
}

function captureWebValue(walk: Walk, value: object): unknown {
  if (value instanceof URL) return visitText(walk, String(value));
  if (value instanceof URLSearchParams) return visitText(walk, parametersText(walk, value));
  if (value instanceof AbortSignal) return visitText(walk, value.aborted ? '[AbortSignal: aborted]' : '[AbortSignal]');
  if (isGlobal(value, 'Blob')) return captureBlob(walk, value, value.size, classNameOf(value) ?? 'Blob');
  if (isGlobal(value, 'Headers')) return copyEntries(walk, value);
  if (isGlobal(value, 'Request')) return visitText(walk, `[Request ${value.method} ${value.url}]`);
  if (isGlobal(value, 'Response')) return visitText(walk, `[Response ${value.status} ${value.url}]`.replace(' ]', ']'));
  if (isGlobal(value, 'FormData')) return visitText(walk, '[FormData]');
  return undefined;
}

/** Writing hundreds of thousands of parameters takes far longer than looking at those that are kept. */
function parametersText({ limits }: Walk, parameters: URLSearchParams): string {
  const { size } = parameters;
  if (size <= limits.maxKeys) return String(parameters);
  const kept = new URLSearchParams(take(parameters, limits.maxKeys));
  return `${String(kept)} …[${size - limits.maxKeys} more of ${size} parameters]`;
}

interface WebClasses {
  readonly Blob: { readonly size: number };
  readonly Headers: Headers;
  readonly Request: { readonly method: string; readonly url: string };
  readonly Response: { readonly status: number; readonly url: string };
  readonly FormData: object;
}

/** By name: touching the global `Request` would load the whole HTTP client of Node into every traced program. */
function isGlobal<Name extends keyof WebClasses>(value: object, name: Name): value is WebClasses[Name] {
  const tag: unknown = Reflect.get(value, Symbol.toStringTag);
  return tag === name || (name === 'Blob' && tag === 'File');
}

function captureOwnClass(walk: Walk, value: object, copyMembers: CopyMembers): unknown {
  const name = classNameOf(value);
  if (name !== undefined && CLIENT_CLASSES.has(name)) return visitText(walk, `[${name}]`);
  if (walk.hooks?.copyInstance !== undefined && name !== undefined && name !== 'Object') {
    return walk.hooks.copyInstance(walk, value, name, copyMembers);
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const json: unknown = toJSON.call(value, '');
    if (json !== value) return walk.visit(walk, json);
  }
  const copy: Record<string, unknown> = {};
  if (name !== undefined && name !== 'Object') copy['_class'] = visitText(walk, name);
  return copyMembers(walk, value, copy);
}

/** Name of the class of an instance; `undefined` for objects that have none, and for those that hide it. */
export function classNameOf(value: object): string | undefined {
  try {
    const { constructor } = value as { constructor?: unknown };
    return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : undefined;
  } catch {
    return undefined;
  }
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString();
}

/** Text keys make an object, others a list of pairs. */
function copyEntries(walk: Walk, entries: Iterable<readonly [unknown, unknown]> & { readonly size?: number }): unknown {
  const pairs = take(entries, walk.limits.maxKeys);
  const total = entries.size ?? pairs.length;
  if (!pairs.every(([key]) => typeof key === 'string')) return visitSome(walk, pairs, total);
  const copy: Record<string, unknown> = {};
  const named = pairs as [string, unknown][];
  const beside = new Siblings(
    named.map(([key]) => key),
    walk.limits.maxKeys,
  );
  for (const [key, value] of named) {
    if (hasRoom(walk)) setMember(copy, keyOf(walk, key), visitMember(walk, key, value, beside) ?? null);
  }
  if (pairs.length < total) copy['_cut'] = mark(walk, `${total - pairs.length} more of ${total} keys`);
  return copy;
}

function copyItems(walk: Walk, items: ReadonlySet<unknown>): unknown {
  return visitSome(walk, take(items, walk.limits.maxItems), items.size);
}

/** Copies the first items of a larger whole. */
function visitSome(walk: Walk, items: readonly unknown[], total: number): unknown {
  const copy = walk.visit(walk, items);
  if (Array.isArray(copy) && items.length < total) {
    copy.push(mark(walk, `…[${total - items.length} more of ${total} items]`));
  }
  return copy;
}

function take<Item>(items: Iterable<Item>, limit: number): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length === limit) break;
    taken.push(item);
  }
  return taken;
}

/** Shorter arrays of numbers are embeddings and the like; beyond this they are sound, images or weights. */
const MIN_NUMBERS_FILE_BYTES = 64 * 1024;

function captureBinary(walk: Walk, value: ArrayBufferView | ArrayBufferLike): unknown {
  const { length } = value as { length?: number };
  const name = classNameOf(value) ?? 'ArrayBuffer';
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  const isBytes = length === undefined || types.isUint8Array(value) || types.isUint8ClampedArray(value);
  if (isBytes) return captureBytes(walk, bytes, name);
  const isLong = length > walk.limits.maxItems;
  const kept = isLong ? walk.limits.keptNumbers : length;
  const shown = visitSome(walk, take(value as unknown as Iterable<unknown>, kept), length);
  return isLong && bytes.byteLength > MIN_NUMBERS_FILE_BYTES ? captureNumbers(walk, bytes, name, shown) : shown;
}
