import { captureLongText, MIN_MEDIA_TEXT } from './capture-bytes.ts';
import type { CaptureLimits } from './capture-limits.ts';
import { fitted } from './capture-fit.ts';
import { captureInstance } from './capture-instance.ts';
import type { CapturedFiles } from '../record/captured-files.ts';
import { LateText } from './late-text.ts';
import { compileMask, type Mask } from '../mask/mask.ts';
import { type ObjectHooks, publishedHooks } from '../record/published-versions.ts';
import { replaceByMask } from '../mask/replace-by-mask.ts';
import { isNamedValue, isSecretPair, NAMING_MEMBERS, namesBeside, shownBehind } from '../mask/secret-list.ts';
import { isToldBeside, Siblings } from '../mask/secret-sibling.ts';
import {
  hasRoom,
  hide,
  isHideable,
  keyOf,
  mark,
  setMember,
  visitMember,
  visitShown,
  visitText,
  visitWholeText,
  type Walk,
} from './walk.ts';

/** A copy that shares nothing but strings with the original, and its estimated size as JSON. */
export interface Captured {
  readonly value: unknown;
  readonly bytes: number;
  /** Over when content that is told later stands in the copy as well. Never rejects. */
  readonly reading?: Promise<unknown> | undefined;
  /** Does a `LateText` stand in the copy? */
  readonly hasLate?: boolean | undefined;
  /** JSON text of the value, where it was made already. */
  readonly text?: string | undefined;
}

/**
 * Copies a value as it is now: masked, within limits, never consuming it and never throwing. `field` names what the
 * value is, as the first part of the path that a mask function sees. `undefined` becomes null. Large bytes and texts
 * go to `files`; without it they are recorded by their size. With `isLate` the copy is for `JSON.stringify` alone,
 * which masks the longer texts in it.
 */
export function capture(
  value: unknown,
  field: string,
  mask: Mask,
  limits: CaptureLimits,
  hooks?: ObjectHooks,
  files?: CapturedFiles,
  isLate = false,
): Captured {
  const walk = startWalk(field, mask, limits, hooks, files, isLate);
  return captured(walk, visit(walk, value) ?? null);
}

/** The same for one of many values of one field, each within the limits: what the walk found before is forgotten. */
export function captureAgain(walk: Walk, value: unknown): Captured {
  walk.bytes = 2;
  walk.values = 0;
  if (walk.path.length > 1) walk.path.length = 1;
  // Something may have been published meanwhile.
  walk.hooks = publishedHooks();
  return captured(walk, visit(walk, value) ?? null);
}

/** The copy that a walk has made, within the limit of a field. */
export function captured(walk: Walk, value: unknown): Captured {
  const { bytes, reading, hasLate, limits } = walk;
  return fitted({ value, bytes, reading, hasLate }, limits, copyAgain);
}

/** Of what is a copy already: it is masked or masks itself, and holds no code. */
function copyAgain(value: unknown, limits: CaptureLimits): Captured {
  const walk = { ...startWalk('', NO_MASK, limits), visit: visitCopy };
  return { value: visitCopy(walk, value) ?? null, bytes: walk.bytes };
}

function visitCopy(walk: Walk, value: unknown): unknown {
  return value instanceof LateText ? visitText(walk, value.toJSON()) : visit(walk, value);
}

const NO_MASK = compileMask(false);

/** For fields with several values: each is visited with `visitMember`, and all share the limits. */
export function startWalk(
  field: string,
  mask: Mask,
  limits: CaptureLimits,
  hooks: ObjectHooks | undefined = publishedHooks(),
  files?: CapturedFiles,
  isLate = false,
): Walk {
  const path = mask.value === undefined ? NO_PATH : [field];
  return {
    field,
    mask,
    limits,
    files,
    isLate,
    hasLate: false,
    reading: undefined,
    bytes: 2,
    values: 0,
    ancestors: undefined,
    path,
    hooks,
    visit,
  };
}

/** Nobody asks for it. */
const NO_PATH: string[] = [];

function visit(walk: Walk, original: unknown): unknown {
  walk.values += 1;
  const value = walk.mask.value === undefined ? original : replaceByMask(walk.mask, original, walk.path);
  switch (typeof value) {
    case 'string':
      return value.length > MIN_MEDIA_TEXT ? captureLongText(walk, value) : visitWholeText(walk, value);
    case 'number':
      walk.bytes += 8;
      // JSON knows no NaN and no Infinity; their names say more than null.
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      walk.bytes += 6;
      return value;
    case 'object':
      if (value !== null) return visitObject(walk, value);
      walk.bytes += 5;
      return null;
    case 'undefined':
      return undefined;
    case 'function':
      return referenceOf(walk, value) ?? visitText(walk, functionTag(value));
    default:
      return visitText(walk, String(value));
  }
}

function visitObject(walk: Walk, value: object): unknown {
  const reference = walk.hooks === undefined ? undefined : referenceOf(walk, value);
  if (reference !== undefined) return reference;
  const ancestors = (walk.ancestors ??= []);
  if (ancestors.includes(value)) return mark(walk, '[Circular]');
  if (ancestors.length >= walk.limits.maxDepth || !hasRoom(walk)) return mark(walk, cutTag(walk, value));
  ancestors.push(value);
  try {
    return copyObject(walk, value);
  } catch {
    // Getters, proxies and `toJSON` are foreign code and may throw.
    return mark(walk, '[Unreadable]');
  } finally {
    ancestors.pop();
  }
}

/** Holds nothing to hide, like any remark of ours. */
function referenceOf(walk: Walk, value: object): string | undefined {
  const ref = walk.hooks?.refOf(value);
  return ref === undefined ? undefined : mark(walk, ref);
}

function copyObject(walk: Walk, value: object): unknown {
  if (Array.isArray(value)) return copyArray(walk, value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return captureInstance(walk, value, copyMembers);
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return captureInstance(walk, value, copyMembers);
  return copyMembers(walk, value, {});
}

function copyMembers(walk: Walk, value: object, copy: Record<string, unknown>): Record<string, unknown> {
  const source = value as Record<string, unknown>;
  const keys = Object.keys(source);
  if (keys.length > KEYS_PER_VALUE) walk.values += Math.floor(keys.length / KEYS_PER_VALUE);
  walk.bytes += 2;
  let kept = 0;
  let siblings: Siblings | undefined;
  for (const key of keys) {
    if (kept === walk.limits.maxKeys || !hasRoom(walk)) {
      copy['_cut'] = mark(walk, `${keys.length - kept} more of ${keys.length} keys`);
      break;
    }
    const member = readMember(source, key);
    const beside = isToldBeside(key) ? (siblings ??= new Siblings(keys, walk.limits.maxKeys)) : undefined;
    if (member !== undefined) setMember(copy, keyOf(walk, key), copyMember(walk, source, key, member, beside));
    kept += 1;
  }
  return copy;
}

/** A getter that throws costs its own member only. */
function readMember(source: Record<string, unknown>, key: string): unknown {
  try {
    return source[key];
  } catch {
    return '[Unreadable]';
  }
}

function copyMember(
  walk: Walk,
  source: Record<string, unknown>,
  key: string,
  member: unknown,
  beside: Siblings | undefined,
): unknown {
  if (key === 'token' && isPieceOfText(source)) return visitShown(walk, key, member);
  const isSecret = isNamedValue(key) && isHideable(member) && hasSecretName(walk, source, member);
  return isSecret ? hide(walk) : visitMember(walk, key, member, beside);
}

/** Models tell the tokens of an answer with their probability. */
function isPieceOfText(source: Record<string, unknown>): boolean {
  return typeof readMember(source, 'logprob') === 'number';
}

/** Is the first text among the members that name a value the name of a secret? */
function hasSecretName({ mask }: Walk, source: Record<string, unknown>, value: unknown): boolean {
  for (const member of NAMING_MEMBERS) {
    const name = readMember(source, member);
    if (typeof name === 'string') return mask.hides(name, value);
  }
  return false;
}

function copyArray(walk: Walk, value: readonly unknown[]): unknown[] {
  const { length } = value;
  walk.bytes += 2;
  if (isSecretPair(walk.mask, value)) return copySecretPair(walk, value);
  const limit = keptItems(walk, value);
  const copy: unknown[] = [];
  let before: unknown;
  for (let index = 0; index < limit && hasRoom(walk); index++) {
    // Read once: each read of a Proxy or a getter is code of the program.
    const item = value[index];
    copy.push(isToldPair(walk, value, item) ? copySecretPair(walk, item) : copyItem(walk, before, item, index));
    before = item;
  }
  if (copy.length < length) copy.push(mark(walk, `…[${length - copy.length} more of ${length} items]`));
  return copy;
}

/** Do other pairs of the list tell that this one is that of a secret? */
function isToldPair({ mask, limits }: Walk, list: readonly unknown[], item: unknown): item is readonly unknown[] {
  const beside = namesBeside(list, item, limits.maxKeys);
  return beside !== undefined && isSecretPair(mask, item as readonly unknown[], beside);
}

function copySecretPair(walk: Walk, pair: readonly unknown[]): unknown[] {
  return [walk.visit(walk, pair[0]), hide(walk)];
}

function copyItem(walk: Walk, before: unknown, item: unknown, index: number): unknown {
  walk.bytes += 1;
  const shown = typeof before === 'string' ? shownBehind(walk.mask, before, item) : undefined;
  if (shown !== undefined) return mark(walk, shown);
  if (walk.mask.value === undefined) return walk.visit(walk, item) ?? null;
  walk.path.push(String(index));
  const copy = walk.visit(walk, item) ?? null;
  walk.path.pop();
  return copy;
}

/** Of a long list of numbers a few tell as much as all: it is an embedding. */
function keptItems(walk: Walk, value: readonly unknown[]): number {
  const { maxItems, keptNumbers } = walk.limits;
  if (value.length <= maxItems) return value.length;
  for (let index = 0; index < keptNumbers; index++) if (typeof value[index] !== 'number') return maxItems;
  return keptNumbers;
}

/** To list the keys of a large object takes time, too, though less than to copy its members. */
const KEYS_PER_VALUE = 64;

function cutTag(walk: Walk, value: object): string {
  try {
    if (Array.isArray(value)) return `[Array: ${value.length} items]`;
    const { length } = Object.keys(value);
    walk.values += Math.floor(length / KEYS_PER_VALUE);
    return `[Object: ${length} keys]`;
  } catch {
    return '[Unreadable]';
  }
}

function functionTag(value: Function): string {
  try {
    return `[Function: ${value.name === '' ? 'anonymous' : value.name}]`;
  } catch {
    return '[Function]';
  }
}
