import { toObjectId } from '../protocol/values/id.ts';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';

/** Characters that the name of an object may not have: they separate the parts of a reference, or are no text. */
// Control characters are what the rule is about.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[/:\u0000-\u001f\u007f-\u009f]/;

/**
 * The name as object name: other characters than letters, digits, `_`, `.`, `-` become `-`. Throws a `TypeError` that
 * begins with `action` where no name can be made of it.
 */
export function toObjectName(name: unknown, action: string, argument = 'name'): string {
  const refuse = (reason: string) => new TypeError(`Cannot ${action}: the argument "${argument}" ${reason}`);
  if (typeof name !== 'string') throw refuse(`is ${describe(name)}, not a text`);
  const quoted = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  if (FORBIDDEN.test(name)) throw refuse(`is ${quoted}: a name has no "/", no ":" and no control characters`);
  const most = DEFAULT_LIMITS.object_id_characters;
  if ([...name].length > most) throw refuse(`is ${quoted}: a name has at most ${most} characters`);
  const objectId = toObjectId(name);
  if (objectId === '') throw refuse(`is ${quoted}: a name has a letter or a digit`);
  return objectId;
}

/** The words of a message for a value that is of the wrong type. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
