import { parseRef, REF_SCHEME, type RefParts } from '../../protocol/ref.ts';
import { storedFilesIn } from './stored-file.ts';
import { isIdOfAnswer, isNameOfAnswer, isOwnInstant, isOwnTime, isTokenCount, type OwnValues } from './own-values.ts';

/**
 * A recorded value as text: equal for values that are alike but for the order of members, projects in references, and what
 * every run has anew: ids of its own calls and of answers of models, instants at which it ran, counts of tokens. A stored file
 * is its content, whatever its name.
 */
export function comparedText(value: unknown, own: OwnValues): string {
  if (typeof value === 'string') return JSON.stringify(comparedString(value, own));
  if (typeof value === 'number') return isOwnTime(value, own) ? OWN_TIME : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => comparedText(item, own)).join(',')}]`;
  // A number that a codec keeps as it was written: its fields have all digits.
  if (!isPlainObject(value)) return JSON.stringify(Object.entries(value));
  const files = storedFilesIn(value) ?? [];
  if (files.length > 0) return JSON.stringify(`\u0000file ${files.join(' ')}`);
  const members = comparedMembers(value).map(([key, member]) => `${JSON.stringify(key)}:${comparedText(member, own)}`);
  return `{${members.join(',')}}`;
}

const OWN_TIME = '"\u0000time"';
const OWN_ID = '\u0000id';

/** An object of JSON: a codec may have classes of its own for numbers. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Those that are compared, by their names in order. */
export function comparedMembers(value: object): [string, unknown][] {
  const members = Object.entries(value).filter(([key, member]) => !isLeftOut(key, member));
  return members.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

function isLeftOut(key: string, member: unknown): boolean {
  if (typeof member === 'string') return isNameOfAnswer(key);
  return isPlainObject(member) && isTokenCount(key, member);
}

function comparedString(text: string, own: OwnValues): string {
  if (text.startsWith(REF_SCHEME)) return comparedRef(text, own);
  if (own.ids.has(text) || isIdOfAnswer(text)) return OWN_ID;
  return isOwnInstant(text, own) ? OWN_TIME : text;
}

function comparedRef(text: string, own: OwnValues): string {
  const ref = refIn(text);
  if (ref === undefined) return text;
  const path = ref.extra.map(({ edge, value }) => `/${edge}/${value}`).join('');
  switch (ref.kind) {
    case 'call':
      return own.ids.has(ref.id) ? OWN_ID : `${REF_SCHEME}call/${ref.id}`;
    case 'table':
      return `${REF_SCHEME}table/${ref.digest}${path}`;
    default:
      return `${REF_SCHEME}${ref.kind}/${ref.name}:${ref.version}${path}`;
  }
}

/** `undefined` for a text that is no reference, though it may look like one. */
export function refIn(value: unknown): RefParts | undefined {
  if (typeof value !== 'string' || !value.startsWith(REF_SCHEME)) return undefined;
  try {
    return parseRef(value);
  } catch {
    return undefined;
  }
}
