import type { CaptureLimits } from './capture-limits.ts';
import type { CapturedFiles } from '../record/captured-files.ts';
import { LateText, SHORTEST_LATE } from './late-text.ts';
import { type Mask, MASKED } from '../mask/mask.ts';
import { maskedText } from '../mask/masked-text.ts';
import type { ObjectHooks } from '../record/published-versions.ts';
import type { Siblings } from '../mask/secret-sibling.ts';

/** One walk through one field of a record. */
export interface Walk {
  /** `inputs`, `output`, `attributes`, … */
  readonly field: string;
  readonly mask: Mask;
  readonly limits: CaptureLimits;
  /** Takes large values; without it they are recorded by their size. */
  readonly files: CapturedFiles | undefined;
  /** May texts be masked when the JSON is made? Then they are objects until then. */
  readonly isLate: boolean;
  /** Are there such texts in the copy? */
  hasLate: boolean;
  /** Content that is told later and that the record should wait for. */
  reading: Promise<unknown> | undefined;
  /** Estimated JSON bytes of what was copied so far. */
  bytes: number;
  /** Values visited so far. */
  values: number;
  /** Objects that contain the one being visited, outermost first: at most `maxDepth`, so a scan is cheap. */
  ancestors: object[] | undefined;
  /** Names from the field to the value being visited; kept up only for a mask function. */
  readonly path: string[];
  /** Hooks for values that are recorded as references; `undefined` in a program that publishes nothing. */
  hooks: ObjectHooks | undefined;
  /** Copies a value that was found inside another. */
  readonly visit: (walk: Walk, value: unknown) => unknown;
}

/** Is there room for one more value? */
export function hasRoom(walk: Walk): boolean {
  return walk.bytes < walk.limits.maxFieldBytes && walk.values < walk.limits.maxValues;
}

/** Longer names are cut, see `keyOf`. */
const MAX_KEY_BYTES = 1100;

/** Copies the member `key` of the object being visited, hidden when the key says so, or the names beside it. */
export function visitMember(walk: Walk, key: string, value: unknown, beside?: Siblings): unknown {
  if (!isHideable(value) || !walk.mask.hides(key, value, beside)) return visitShown(walk, key, value);
  walk.bytes += bytesOfKey(key);
  return hide(walk);
}

/** Copies the member whatever its key says. */
export function visitShown(walk: Walk, key: string, value: unknown): unknown {
  walk.bytes += bytesOfKey(key);
  if (walk.mask.value === undefined) return walk.visit(walk, value);
  walk.path.push(key);
  const copy = walk.visit(walk, value);
  walk.path.pop();
  return copy;
}

function bytesOfKey(key: string): number {
  return Math.min(key.length, MAX_KEY_BYTES) + 4;
}

export function hide(walk: Walk): string {
  walk.bytes += MASKED.length + 2;
  return MASKED;
}

/** Numbers and booleans are never hidden: `max_tokens` is no secret, and neither is `has_password`. */
export function isHideable(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
}

/** Sets a member also when it is called `__proto__`, which an assignment would take for the prototype. */
export function setMember(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') {
    copy[key] = value;
    return;
  }
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Shorter names have no room for a secret and need no cut. */
const SHORT_KEY = 10;

/** Of the limit of a text, this part is the limit of a name. */
const KEY_SHARE = 64;

/** The name of a member as it is recorded: masked, as programs count by keys of providers, and cut. */
export function keyOf(walk: Walk, key: string): string {
  return key.length < SHORT_KEY ? key : longKeyOf(walk, key);
}

function longKeyOf(walk: Walk, key: string): string {
  const room = Math.max(SHORT_KEY, Math.floor(walk.limits.maxStringLength / KEY_SHARE));
  try {
    if (key.length <= room) return walk.mask.key(key);
    return `${walk.mask.key(key.slice(0, room + BEYOND_CUT)).slice(0, room)} …[cut: ${key.length} characters]`;
  } catch {
    return MASKED;
  }
}

/** A remark of ours in place of a value: it holds nothing to hide and is never cut itself. */
export function mark(walk: Walk, remark: string): string {
  walk.bytes += remark.length + 3;
  return remark;
}

/** Copies a text: masked, and cut to the limits with its original length beside it. */
export function visitText(walk: Walk, text: string): string {
  const room = roomOf(walk);
  const copy = text.length <= room ? maskedText(walk.mask, text) : cutText(walk, text, room);
  walk.bytes += copy.length + 3;
  return copy;
}

/** The same for a text that is a value of its own: a long one may be masked later, see `LateText`. */
export function visitWholeText(walk: Walk, text: string): unknown {
  if (!walk.isLate || text.length < SHORTEST_LATE || text.length > roomOf(walk)) return visitText(walk, text);
  walk.bytes += text.length + 3;
  walk.hasLate = true;
  return new LateText(text, walk.mask);
}

function roomOf({ limits, bytes }: Walk): number {
  return Math.min(limits.maxStringLength, Math.max(0, limits.maxFieldBytes - bytes));
}

/** A secret that lies across the cut must be seen whole to be recognised, so some more is masked than is kept. */
const BEYOND_CUT = 512;

function cutText(walk: Walk, text: string, room: number): string {
  return `${maskedHead(walk, text, room)} …[cut: ${text.length} characters]`;
}

/** The beginning of a text, masked. */
export function maskedHead(walk: Walk, text: string, room: number): string {
  const masked = maskedText(walk.mask, text.slice(0, room + BEYOND_CUT)).slice(0, room);
  // A slice would keep the whole original in memory for as long as the record waits.
  return Buffer.from(masked, 'utf16le').toString('utf16le');
}
