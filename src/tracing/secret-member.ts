import { KEY_KINDS, type KeyKind } from './key-kind.ts';
import { isLoginQueryName, isSecretQueryName } from './secret-key.ts';
import { startOfNamed, valueNamedBehind } from './secret-pair.ts';
import { Neighbours } from './secret-sibling.ts';
import { mayHoldSeparator, Separators } from './separators.ts';

/** What the scan of a text needs to know of the rules in force. */
export interface MemberRules {
  readonly replacement: string;
  /** What its name says of the value of a member. Is asked for each, so that the answer has to be remembered. */
  kindOf(key: string): KeyKind;
  /** Is this value none, though its key is that of a secret? */
  isHarmlessMember(key: string, value: string): boolean;
}

const MAX_KEY_LENGTH = 64;

/** A value within a text. `instead` goes around the replacement: an object becomes a text in the quotes of its key. */
interface Value {
  readonly from: number;
  readonly to: number;
  readonly quote?: string;
}

interface Key {
  readonly name: string;
  readonly from: number;
  /** The quote around it, with the backslashes in front. */
  readonly quote: string;
}

/**
 * `text` with the values replaced that stand behind the name of a secret: members of JSON in however many strings,
 * assignments and named arguments in source text, queries and forms, connection strings, headers, lines of YAML and
 * of environment files, flags of commands, elements of XML. Goes through the text once.
 */
export function maskMembers(text: string, rules: MemberRules): string {
  if (!mayHoldSeparator(text)) return text;
  let masked = '';
  let copied = 0;
  const separators = new Separators(text);
  const scan: Scan = { text, rules, neighbours: new Neighbours(text) };
  for (let at = separators.next(0); at < text.length; at = separators.next(Math.max(at + 1, copied))) {
    const value = secretAt(scan, at, copied);
    if (value === undefined) continue;
    const { from, to, quote = '' } = value;
    masked += `${text.slice(copied, from)}${quote}${rules.replacement}${quote}`;
    copied = to;
  }
  return copied === 0 ? text : masked + text.slice(copied);
}

/** A text on its way through the rules. */
interface Scan {
  readonly text: string;
  readonly rules: MemberRules;
  readonly neighbours: Neighbours;
}

function secretAt(scan: Scan, at: number, copied: number): Value | undefined {
  const { text, rules } = scan;
  const separator = text.charCodeAt(at);
  const isBehind = separator === DASH || separator === ANGLE;
  const key = isBehind ? keyAfter(text, at + 1) : keyBefore(text, at, copied);
  if (key === undefined) return undefined;
  const kind = rules.kindOf(key.name);
  if (kind === KEY_KINDS.plain && (separator !== EQUALS || !isInQuery(text, key))) return undefined;
  if (kind === KEY_KINDS.type) return separator === EQUALS ? typedValue(scan, at, key, copied) : undefined;
  return kind === KEY_KINDS.naming || kind === KEY_KINDS.named
    ? pairedValue(scan, at, key, kind)
    : ownValue(scan, at, key, kind);
}

/** The value of a secret behind its type: `token: string = '…'`, `var token string = "…"`. */
function typedValue({ text, rules }: Scan, at: number, { from, quote }: Key, copied: number): Value | undefined {
  if (quote !== '' || !isSpace(text[from - 1])) return undefined;
  const end = from - (text[from - 2] === ':' ? 2 : 1);
  const key = keyBefore(text, end, copied);
  if (key === undefined || rules.kindOf(key.name) !== KEY_KINDS.secret) return undefined;
  const value = quotedValue(text, skipSpace(text, at + 1));
  return value === undefined || isMark(text.slice(value.from, value.to)) ? undefined : value;
}

const DASH = 0x2d;
const ANGLE = 0x3c;
const EQUALS = 0x3d;

/** Is it a parameter in the query of an address? */
function isInQuery(text: string, { from }: Key): boolean {
  const before = text.charCodeAt(from - 1);
  return before === 0x3f || before === 0x26 || before === 0x23;
}

/** What stands behind the name of a secret, or of what is one here. */
function ownValue(scan: Scan, at: number, key: Key, kind: KeyKind): Value | undefined {
  if (kind !== KEY_KINDS.secret && !mayBeSecret(scan, at, key, kind)) return undefined;
  const value = valueOf(scan.text, at, key);
  if (value === undefined) return undefined;
  const word = scan.text.slice(value.from, value.to);
  if (isMark(word)) return undefined;
  return scan.rules.isHarmlessMember(key.name, word) ? undefined : value;
}

/** Asked before the value is read, which may be long; numbers as small as that of a round are no passwords, wherever they stand. */
function mayBeSecret({ text, neighbours }: Scan, at: number, key: Key, kind: KeyKind): boolean {
  if (kind === KEY_KINDS.ofKey) return neighbours.mayHoldKey && isPartOfKey(text, at) && neighbours.tellOfKey(at);
  const isQuery = text[at] === '=' && isInQuery(text, key);
  if (kind !== KEY_KINDS.pass) return isQuery && (isSecretQueryName(key.name) || isLoginCode(text, at, key.name));
  if (isSmallNumber(text, at + 1) || isBlock(text, at + 1)) return false;
  return isQuery || text[at] === '-' || neighbours.tellOfLogin(at);
}

/** A value is read only when it is known to be a secret: where it is not, what it holds would be read again. */
function isPartOfKey(text: string, at: number): boolean {
  KEY_PART.lastIndex = at + 1;
  return KEY_PART.test(text);
}

const KEY_PART = /[ \t]{0,64}\\{0,63}["'`]?[\w-]{16}/y;

function isBlock(text: string, at: number): boolean {
  const first = text[skipSpace(text, at)];
  return first === '{' || first === '[';
}

function isLoginCode(text: string, at: number, name: string): boolean {
  if (!isLoginQueryName(name)) return false;
  CODE.lastIndex = at + 1;
  return isOdd(CODE.exec(text)?.[0] ?? '');
}

/** The beginning of one tells. */
const CODE = /[^&;,\s"'`<>\\]{0,256}/y;

function isSmallNumber(text: string, at: number): boolean {
  let from = at;
  while (' \t"\'\\'.includes(text.charAt(from)) && from - at < 8 && from < text.length) from += 1;
  let to = from;
  while (to - from < 4 && text.charCodeAt(to) >= 0x30 && text.charCodeAt(to) <= 0x39) to += 1;
  return to > from && to - from < 4 && !isKeyLetter(text.charCodeAt(to));
}

/** The value of a secret whose name is a value, too: `key="DbPassword" value="…"`. */
function pairedValue(scan: Scan, at: number, key: Key, kind: KeyKind): Value | undefined {
  const { text, rules } = scan;
  if (text[at] === '-' || text[at] === '<') return undefined;
  if (kind === KEY_KINDS.named) {
    const behind = valueNamedBehind(text, at, rules);
    return behind === undefined ? undefined : { from: behind[0], to: behind[1] };
  }
  const from = startOfNamed(text, at, rules);
  // The name `key` is that of a secret in a query.
  if (from === undefined) return isInQuery(text, key) ? ownValue(scan, at, key, KEY_KINDS.plain) : undefined;
  if (text[from - 1] === '>') return shown(text, until(text, from, /</g));
  return shown(text, quotedValue(text, from) ?? until(text, from, /[\s"'`,;<>&\\]/g));
}

function shown(text: string, value: Value): Value | undefined {
  return isMark(text.slice(value.from, value.to).trim()) ? undefined : value;
}

/** Nothing, or what a parser says of a token: `expected token: ";"`. */
function isMark(value: string): boolean {
  return value === '' || (value.length < 4 && /^\W+$/.test(value));
}

function valueOf(text: string, at: number, key: Key): Value | undefined {
  const separator = text[at];
  if (separator === '-') return flagValue(text, key.from + key.name.length);
  if (separator === '<') return until(text, key.from + key.name.length + 1, /</g);
  const next = text[at + 1];
  if (separator === ':' && next === '/') return undefined;
  const isArrow = separator === '=' && next === '>';
  const start = isArrow || (separator === ':' && next === '=') ? at + 2 : at + 1;
  if (text[start] === '=') return undefined;
  const from = skipSpace(text, start);
  const quoted = quotedValue(text, from);
  if (quoted !== undefined || isArrow) return quoted;
  const first = text[from];
  if (first === '{' || first === '[') return key.quote === '' ? undefined : blockValue(text, from, key.quote);
  return separator === '=' ? assignedValue(text, start, from) : namedValue(text, start, from, key);
}

/** `--token x` */
function flagValue(text: string, at: number): Value | undefined {
  // Spaces are `+` in a form.
  if (text[at] === '+') return until(text, at + 1, /[\s"'`\\+&]/g);
  if (text[at] !== ' ') return undefined;
  const from = skipSpace(text, at);
  return quotedValue(text, from) ?? (text[from] === '-' ? undefined : until(text, from, /[\s"'`\\]/g));
}

/** Without spaces all up to the next member; with them, as in files of settings and in code, only what looks random. */
function assignedValue(text: string, start: number, from: number): Value | undefined {
  if (from === start) return until(text, from, /[&;,\s"'`<>\\]/g);
  const value = until(text, from, /[\s"'`,;(){}[\]<>&\\]/g);
  return isOdd(text.slice(value.from, value.to)) && !/[;,([]/.test(text[value.to] ?? '') ? value : undefined;
}

/** A header, a line of YAML, or a remark in a message. */
function namedValue(text: string, start: number, from: number, key: Key): Value | undefined {
  if (/^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(key.name)) return lineOf(text, from);
  // Up to the next colon, since all behind it would be looked at again when this is no secret.
  const value = until(text, from, /[\s"'`,;(){}[\]<>&\\:]/g);
  const word = text.slice(value.from, value.to);
  if (isOdd(word)) return until(text, value.to, /[\s"'`,;(){}[\]<>&\\]/g, from);
  return from > start && isLine(text, key, value.to) && !HARMLESS_VALUE.test(word) ? value : undefined;
}

/** What stands behind a colon in declarations and schemas. */
const HARMLESS_VALUE =
  /^(?:string|number|boolean|any|unknown|never|object|null|undefined|none|true|false|str|int|required|optional|\W*)$/i;

function isOdd(word: string): boolean {
  return word.length >= 6 && /\d/.test(word) && /[A-Za-z]|\d{6}/.test(word);
}

/** Is there nothing else in this line, whether it is a line of the text or of a text within? */
function isLine(text: string, key: Key, to: number): boolean {
  const before = text.slice(Math.max(0, key.from - 40), key.from);
  const isFirst = /(?:^|[\n\r]|\\[nr])[ \t-]*$/.test(before) && (key.from <= 40 || /[\n\r]|\\[nr]/.test(before));
  return isFirst && /^[ \t]*(?:$|[\n\r]|\\[nr])/.test(text.slice(to, to + 40));
}

/** Up to the end of the line, or of the text around it when that is a member of JSON. */
function lineOf(text: string, from: number): Value {
  return until(text, from, /[\n\r]|\\[nr]|\\{0,7}["'](?=\s{0,9}(?:[}\]]|,\s{0,9}\\{0,7}["'{[]|https?:|$))/g);
}

function until(text: string, at: number, end: RegExp, from = at): Value {
  end.lastIndex = at;
  return { from, to: end.exec(text)?.index ?? text.length };
}

/** Within quotes, however many strings they are nested in; an open quote ends with its line. */
function quotedValue(text: string, at: number): Value | undefined {
  const quote = quoteAt(text, at);
  if (quote === '') return undefined;
  const from = at + quote.length;
  return { from, to: endOfQuoted(text, from, quote) };
}

function quoteAt(text: string, at: number): string {
  let mark = at;
  while (text[mark] === '\\') mark += 1;
  return isQuote(text[mark]) ? text.slice(at, mark + 1) : '';
}

/**
 * A quote within the value has more backslashes in front than the one that ends it: in JSON n of them become 2n + 1.
 * One with fewer ends a string around the value, which was cut.
 */
function endOfQuoted(text: string, from: number, quote: string): number {
  const level = quote.length - 1;
  const end = QUOTE_OR_LINE[quote.at(-1) as '"' | "'" | '`'];
  for (let at = from; ; at += 1) {
    end.lastIndex = at;
    at = end.exec(text)?.index ?? text.length;
    if (at === text.length || text[at] === '\n') return at;
    const slashes = backslashesBefore(text, at, from);
    if (slashes < level || slashes % (2 * level + 2) === level) return at - Math.min(slashes, level);
  }
}

/** Whichever comes first; a template goes on in the next line. */
const QUOTE_OR_LINE = { '"': /["\n]/g, "'": /['\n]/g, '`': /`/g };

function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text[first - 1] === '\\') first -= 1;
  return at - first;
}

/** An object or list of JSON, with all that is in it. */
function blockValue(text: string, from: number, quote: string): Value {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    else if (letter === quote.at(-1)) at = endOfQuoted(text, at + 1, quote) + quote.length - 1;
    if (depth === 0) return { from, to: at + 1, quote };
  }
  return { from, to: text.length, quote };
}

function keyAfter(text: string, from: number): Key | undefined {
  let to = from;
  while (to - from < MAX_KEY_LENGTH && isKeyLetter(text.charCodeAt(to))) to += 1;
  return to === from ? undefined : { name: text.slice(from, to), from, quote: '' };
}

/** Reads backwards from a separator, never into what was replaced already. */
function keyBefore(text: string, at: number, copied: number): Key | undefined {
  let to = at;
  // Other ways to assign: `?=`, `::=`, `.=`.
  if (text.charCodeAt(at) === EQUALS)
    while (to > copied && at - to < 3 && isOfAssignment(text.charCodeAt(to - 1))) to -= 1;
  while (to > copied && at - to < 8 && isSpace(text[to - 1])) to -= 1;
  if (text[to - 1] === ']') to -= 1;
  let quote = '';
  if (isQuote(text[to - 1])) {
    const slashes = backslashesBefore(text, to - 1, copied);
    quote = text.slice(to - 1 - slashes, to);
    to -= quote.length;
  }
  const isLetter = quote === '' ? isKeyLetter : isQuotedKeyLetter;
  const first = Math.max(copied, to - MAX_KEY_LENGTH);
  let from = to;
  while (from > first && isLetter(text.charCodeAt(from - 1))) from -= 1;
  // The letter of an escape is none of the key.
  if (from > 0 && text[from - 1] === '\\' && quote === '' && to - from > 1) from += text[from] === 'u' ? 5 : 1;
  return from >= to ? undefined : { name: text.slice(from, to), from, quote };
}

/** The colon, the question mark, the dot. */
function isOfAssignment(code: number): boolean {
  return code === 0x3a || code === 0x3f || code === 0x2e;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from < 64 && (text[at] === ' ' || text[at] === '\t')) at += 1;
  return at;
}

function isSpace(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\t';
}

function isQuote(letter: string | undefined): boolean {
  return letter === '"' || letter === "'" || letter === '`';
}

function isQuotedKeyLetter(code: number): boolean {
  return code === 32 || IS_KEY_LETTER[code] === 1;
}

function isKeyLetter(code: number): boolean {
  return IS_KEY_LETTER[code] === 1;
}

/** Of ASCII. */
const IS_KEY_LETTER = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[A-Za-z0-9_$.-]/.test(String.fromCharCode(code))),
);
