import { KEY_KINDS } from './key-kind.ts';
import type { MemberRules } from './secret-member.ts';

/**
 * The text behind the name of a member that names another one: `key="DbPassword" value="`, `name: DB_PASSWORD` and
 * in the next line `value: `, `name="password">`. Everything has a bound, as this is tried again and again.
 */
const NAMED = new RegExp(
  String.raw`[:=]\s{0,3}\\{0,7}["']?[\w.:$-]{1,64}` +
    String.raw`(?:\\{0,7}["']?(?:[\s,]|\\[nr]){1,24}\\{0,7}["']?(?:value|content)\\{0,7}["']?\s{0,3}[:=]\s{0,3}|\\{0,7}["']\s{0,3}>)`,
  'iy',
);

/** The other way round: `="…" key="DbPassword"`. */
const VALUE_FIRST = new RegExp(
  String.raw`=\s{0,3}\\{0,7}(["'])([^"'\\<>\n]{1,256})\\{0,7}\1\s{1,24}(?:key|name)\s{0,3}=\s{0,3}\\{0,7}["']([\w.:$-]{1,64})`,
  'iy',
);

/** Where the value begins that the member at this separator names as a secret; `undefined` when it names none. */
export function startOfNamed(text: string, at: number, rules: MemberRules): number | undefined {
  if (!isSecretGoingOn(text, at + 1, rules)) return undefined;
  NAMED.lastIndex = at;
  return NAMED.test(text) ? NAMED.lastIndex : undefined;
}

/** Is the one word that is there the name of a secret, and comes what begins like `value` or `content` behind it, or the end of a tag? */
function isSecretGoingOn(text: string, at: number, { kinds }: MemberRules): boolean {
  const from = skip(text, at, BEFORE);
  const end = skip(text, from, WITHIN);
  if (end === from || !mayGoOn(text, skip(text, end, BETWEEN))) return false;
  return kinds.at(text, from, end) === KEY_KINDS.secret;
}

function mayGoOn(text: string, at: number): boolean {
  const first = text.charCodeAt(at) | SMALL;
  if (first === V) return (text.charCodeAt(at + 1) | SMALL) === A;
  if (first === C) return (text.charCodeAt(at + 1) | SMALL) === O;
  // The end of a tag, or the letter of an escape.
  return first === ANGLE || first === N;
}

const SMALL = 0x20;
const ANGLE = 0x3e;
const A = 0x61;
const C = 0x63;
const K = 0x6b;
const N = 0x6e;
const O = 0x6f;
const V = 0x76;

/** Kinds of letters, of ASCII: they stand before a name, between that and what follows, or in a name. */
const BEFORE = 1;
const BETWEEN = 2;
const WITHIN = 4;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (' "\'\\'.includes(letter)) return BEFORE | BETWEEN;
  if (',\n\r\t'.includes(letter)) return BETWEEN;
  return '>=&;'.includes(letter) ? 0 : WITHIN;
});

/** Goes on as long as there are letters of a kind. */
function skip(text: string, from: number, kind: number): number {
  const last = Math.min(from + 64, text.length);
  let at = from;
  while (at < last && ((KINDS[text.charCodeAt(at)] ?? 0) & kind) !== 0) at += 1;
  return at;
}

/** The value at this separator that is named behind it. */
export function valueNamedBehind(text: string, at: number, rules: MemberRules): [number, number] | undefined {
  if (text[at] !== '=' || !mayBeNamed(text, at + 1)) return undefined;
  VALUE_FIRST.lastIndex = at;
  const [match = '', , value = '', name] = VALUE_FIRST.exec(text) ?? [];
  if (name === undefined || rules.kinds.at(name, 0, name.length) !== KEY_KINDS.secret) return undefined;
  const from = at + match.indexOf(value);
  return [from, from + value.length];
}

/** Does a name begin behind the end of this value? Here, too, one look tells for nearly every value. */
function mayBeNamed(text: string, at: number): boolean {
  let from = at;
  while (from - at < 10 && isBeforeQuote(text.charCodeAt(from))) from += 1;
  const quote = text.charAt(from);
  if (quote !== '"' && quote !== "'") return false;
  const end = text.indexOf(quote, from + 1);
  const first = end === -1 ? 0 : text.charCodeAt(skip(text, end + 1, BETWEEN)) | SMALL;
  return first === K || first === N;
}

/** White space or a backslash. */
function isBeforeQuote(code: number): boolean {
  return code === 0x20 || code === 0x5c || (code >= 0x09 && code <= 0x0d);
}
