import { comparedMembers, comparedText, isPlainObject } from './compared-text.ts';
import { isAlikeAsKept } from './cut-values.ts';
import { type OwnValues, withoutOwnWords } from './own-values.ts';
import { storedFilesIn } from './stored-file.ts';

/** A place at which two values differ. Where a side has nothing there, its member is absent. */
export interface ValueChange {
  /** Names of members and indices of lists, from the outermost one; empty for the whole value. */
  readonly path: readonly (string | number)[];
  readonly a?: unknown;
  readonly b?: unknown;
}

/** So many are told of two values; it says enough. */
const MAX_CHANGES = 100;

export interface Sides {
  readonly a: OwnValues;
  readonly b: OwnValues;
}

/**
 * The places at which two values differ, a hundred at most, each as deep as both have something there. A stored file is one
 * place, with all that is known of it.
 */
export function valueChanges(a: unknown, b: unknown, own: Sides): ValueChange[] {
  const changes: ValueChange[] = [];
  collect([], [a, b], { own, changes });
  return changes;
}

interface Collecting {
  readonly own: Sides;
  readonly changes: ValueChange[];
}

function collect(path: ValueChange['path'], [a, b]: readonly [unknown, unknown], collecting: Collecting): void {
  const { own, changes } = collecting;
  if (changes.length >= MAX_CHANGES || comparedText(a, own.a) === comparedText(b, own.b)) return;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let index = 0; index < Math.max(a.length, b.length); index++) {
      collectMember(path, index, { a, b, has: (side) => index < side.length, collecting });
    }
    return;
  }
  if (isPlainObject(a) && isPlainObject(b) && !isFile(a) && !isFile(b)) {
    const keys = new Set([...comparedMembers(a), ...comparedMembers(b)].map(([key]) => key));
    for (const key of keys) collectMember(path, key, { a, b, has: (side) => Object.hasOwn(side, key), collecting });
    return;
  }
  if (!isSameText(a, b, own)) changes.push({ path, a, b });
}

function isFile(value: object): boolean {
  return (storedFilesIn(value)?.length ?? 0) > 0;
}

/** Texts may have in them what every run has anew, and may not have been kept to their ends. */
function isSameText(a: unknown, b: unknown, own: Sides): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  return isAlikeAsKept(a, b) || withoutOwnWords(a, own.a) === withoutOwnWords(b, own.b);
}

interface Members<Side> {
  readonly a: Side;
  readonly b: Side;
  readonly has: (side: Side) => boolean;
  readonly collecting: Collecting;
}

function collectMember<Side extends object>(
  path: ValueChange['path'],
  key: string | number,
  { a, b, has, collecting }: Members<Side>,
): void {
  const inner = [...path, key];
  // Both are arrays and the key an index, or both objects and it is a name.
  const member = (side: Side): unknown => (side as Record<string | number, unknown>)[key];
  if (has(a) && has(b)) collect(inner, [member(a), member(b)], collecting);
  else if (collecting.changes.length < MAX_CHANGES)
    collecting.changes.push({ path: inner, ...(has(a) ? { a: member(a) } : { b: member(b) }) });
}
