import { types } from 'node:util';
import { registry } from '../propagation/registry.ts';
import type { Walk } from '../capture/walk.ts';

/** An object that was published, or one inside of it, with what it held then: keys and values in turn, or items. */
export interface Watched {
  readonly object: object;
  readonly content: readonly unknown[];
}

/** The version that an object was published as, and all that it was made from. */
export interface PublishedVersion {
  readonly ref: string;
  readonly watched: readonly Watched[];
}

/** Copies the members of `value` into `copy`, which it answers. */
export type CopyMembers = (walk: Walk, value: object, copy: Record<string, unknown>) => Record<string, unknown>;

/** How objects inside a value become references. */
export interface ObjectHooks {
  /** The reference that stands for the object or function; `undefined` when it is to be copied. */
  refOf(value: object): string | undefined;
  /** Copies an instance of a class of the user. */
  copyInstance?(walk: Walk, value: object, className: string, copyMembers: CopyMembers): unknown;
}

/** Looking through more than this at each call would cost more than the copy that a reference saves. */
export const MAX_WATCHED = 2000;

/** The hooks of ordinary capture; `undefined`, at the price of one branch, as long as nothing was published. */
export function publishedHooks(): ObjectHooks | undefined {
  return registry.published === undefined ? undefined : HOOKS;
}

const HOOKS: ObjectHooks = { refOf: (value) => publishedVersion(value)?.ref };

/** From now on `value` is recorded as its reference, as long as nothing in it changes. */
export function rememberVersion(value: object, ref: string, watched: readonly Watched[] | undefined): void {
  const count = watched?.reduce((sum, { content }) => sum + content.length, 0) ?? Number.POSITIVE_INFINITY;
  if (watched === undefined || count > MAX_WATCHED) return void registry.published?.delete(value);
  registry.published ??= new WeakMap();
  registry.published.set(value, { ref, watched });
}

/** The version that `value` still is; `undefined` when it was never published or has changed since. */
export function publishedVersion(value: object): PublishedVersion | undefined {
  const version = registry.published?.get(value);
  try {
    return version?.watched.every(isUnchanged) ? version : undefined;
  } catch {
    // A getter that throws now did not when the value was published.
    return undefined;
  }
}

/** The content of `object` now; `undefined` for kinds of objects of which that cannot be told without using them up. */
export function watch(object: object): Watched | undefined {
  if (Array.isArray(object) || types.isDate(object) || types.isMap(object) || types.isSet(object) || isPlain(object)) {
    return { object, content: contentOf(object) };
  }
  return undefined;
}

/** The same for an instance, whose fields are taken as they are. */
export function watchInstance(object: object): Watched {
  return { object, content: contentOf(object) };
}

function isUnchanged({ object, content }: Watched): boolean {
  const now = contentOf(object);
  return now.length === content.length && now.every((value, index) => Object.is(value, content[index]));
}

function contentOf(object: object): unknown[] {
  if (Array.isArray(object)) return [...(object as unknown[])];
  if (types.isDate(object)) return [object.getTime()];
  if (types.isMap(object)) return [...object].flat();
  if (types.isSet(object)) return [...object];
  return membersOf(object as Record<string, unknown>);
}

/** A tenth of the time of flattened entries: it is done for each row of a dataset, and again at each call. */
function membersOf(object: Readonly<Record<string, unknown>>): unknown[] {
  const content: unknown[] = [];
  for (const key of Object.keys(object)) content.push(key, object[key]);
  return content;
}

function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}
