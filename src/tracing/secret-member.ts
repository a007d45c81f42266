import { isLoginQueryName, isSecretQueryName } from './secret-key.ts';
import { startOfNamed, valueNamedBehind } from './secret-pair.ts';
import { isPassName, Neighbours } from './secret-sibling.ts';
import { mayHoldSeparator, Separators } from './separators.ts';

/** What the scan of a text needs to know of the rules in force. */
export interface MemberRules {
  readonly replacement: string;
  isSecretKey(key: string): boolean;
  /** Is this value none, though its key is that of a secret? */
  isHarmlessMember(key: string, value: string): boolean;
  /** Is this key never that of a secret? */
  isAllowed(key: string): boolean;
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
  const separator = text[at];
  const isBehind = separator === '-' || separator === '<';
  const key = isBehind ? keyAfter(text, at + 1) : keyBefore(text, at, copied);
  if (key === undefined) return undefined;
  const certainty = certaintyOf(scan, at, key);
  if (certainty === 'none') return isBehind ? undefined : namedValueAt(scan, at, key);
  const value = valueOf(text, at, key);
  if (value === undefined) return undefined;
  const word = text.slice(value.from, value.to);
  if (isMark(word) || (certainty === 'odd' && !isOdd(word))) return undefined;
  if (certainty === 'beside' && !isSecretThere(scan, at, key, word)) return undefined;
  return rules.isHarmlessMember(key.name, word) ? undefined : value;
}

/** What makes a value a secret: its name alone, that and how it looks, or that and what is around it. */
function certaintyOf(
  { text, rules, neighbours }: Scan,
  at: number,
  { name, from }: Key,
): 'name' | 'odd' | 'beside' | 'none' {
  if (rules.isSecretKey(name)) return 'name';
  if (neighbours.mayTell(name) && !rules.isAllowed(name)) return 'beside';
  const before = text[from - 1];
  if (text[at] !== '=' || (before !== '?' && before !== '&' && before !== '#')) return 'none';
  if (isSecretQueryName(name)) return 'name';
  return isLoginQueryName(name) ? 'odd' : 'none';
}

/** Numbers as small as that of a round are none, wherever they stand. */
function isSecretThere({ text, neighbours }: Scan, at: number, { name, from }: Key, word: string): boolean {
  if (isPassName(name) && /^\d{1,3}$/.test(word)) return false;
  const isFlag = text[at] === '-';
  const isQuery = text[at] === '=' && '?&#'.includes(text[from - 1] ?? ' ');
  return (isPassName(name) && (isFlag || isQuery)) || neighbours.tell(name, at, word);
}

/** The value of a secret whose name is a value, too: `key="DbPassword" value="…"`. */
function namedValueAt({ text, rules }: Scan, at: number, { name }: Key): Value | undefined {
  if (name.length > 5 || name.length < 3) return undefined;
  const from = startOfNamed(text, at, name, rules);
  if (from === undefined) {
    const behind = valueNamedBehind(text, at, name, rules);
    return behind === undefined ? undefined : { from: behind[0], to: behind[1] };
  }
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
  return code === 32 || isKeyLetter(code);
}

/** Letters, digits, `_`, `$`, `.`, `-`. */
function isKeyLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 36
  );
}
