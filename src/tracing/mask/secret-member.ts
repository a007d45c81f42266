import { startBehindFlag } from './flag-value.ts';
import { isVerdictAt } from './harmless-value.ts';
import { KEY_KINDS, type KeyKind } from './key-kind.ts';
import type { KnownKinds } from './known-kinds.ts';
import { isSpaceCode, type Key, keyAfter, keyBefore } from './member-key.ts';
import { isCode, valueOf } from './member-value.ts';
import { quotedValue, skipSpace, until, type Value } from './quoted-value.ts';
import { isLoginQueryName, isSecretQueryName } from './secret-key.ts';
import { startOfNamed, valueNamedBehind } from './secret-pair.ts';
import { valueOfPair } from './listed-pair.ts';
import { Neighbours } from './secret-sibling.ts';
import { mayHoldSeparator, Separators } from './separators.ts';
import type { Marks } from './text-marks.ts';

/** The rules in force that the scan of a text needs. */
export interface MemberRules {
  readonly replacement: string;
  /** The kinds of the values of members, by their names. */
  readonly kinds: KnownKinds;
  /** Is this value none, though its key is that of a secret? */
  isHarmlessMember(key: string, value: string): boolean;
}

/**
 * `text` with the values replaced that stand behind the name of a secret: members of JSON in however many strings,
 * assignments and named arguments in source text, queries and forms, connection strings, headers, lines of YAML and
 * of environment files, flags of commands, elements of XML. Goes through the text once.
 */
export function maskMembers(text: string, marks: Marks, rules: MemberRules): string {
  if (!mayHoldSeparator(text, marks)) return text;
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
  if (separator === BRACKET) return valueOfPair(text, at, rules);
  const isBehind = separator === DASH || separator === ANGLE;
  const key = isBehind ? keyAfter(text, at + 1) : keyBefore(text, at, copied);
  if (key === undefined) return undefined;
  const kind = rules.kinds.at(text, key.from, key.to);
  if (kind === KEY_KINDS.plain && (separator !== EQUALS || !isInQuery(text, key))) return undefined;
  if (kind === KEY_KINDS.type) return separator === EQUALS ? typedValue(scan, at, key, copied) : undefined;
  return kind === KEY_KINDS.naming || kind === KEY_KINDS.named
    ? pairedValue(scan, at, key, kind)
    : ownValue(scan, at, key, kind);
}

/** The value of a secret behind its type: `token: string = '…'`, `var token string = "…"`. */
function typedValue({ text, rules }: Scan, at: number, { from, quote }: Key, copied: number): Value | undefined {
  if (quote !== '' || !isSpaceCode(text.charCodeAt(from - 1))) return undefined;
  const end = from - (text[from - 2] === ':' ? 2 : 1);
  const key = keyBefore(text, end, copied);
  if (key === undefined || rules.kinds.at(text, key.from, key.to) !== KEY_KINDS.secret) return undefined;
  const value = quotedValue(text, skipSpace(text, at + 1));
  return value === undefined || isMark(text.slice(value.from, value.to)) ? undefined : value;
}

const DASH = 0x2d;
const ANGLE = 0x3c;
const EQUALS = 0x3d;
const BRACKET = 0x5b;

/** Is it a parameter in the query of an address? */
function isInQuery(text: string, { from }: Key): boolean {
  const before = text.charCodeAt(from - 1);
  return before === 0x3f || before === 0x26 || before === 0x23;
}

/** The value behind the name of a secret, or of what is one here. */
function ownValue(scan: Scan, at: number, key: Key, kind: KeyKind): Value | undefined {
  if (kind !== KEY_KINDS.secret && !mayBeSecret(scan, at, key, kind)) return undefined;
  const value = valueOf(scan.text, at, key);
  if (value === undefined) return undefined;
  const word = scan.text.slice(value.from, value.to);
  if (isMark(word)) return undefined;
  return scan.rules.isHarmlessMember(scan.text.slice(key.from, key.to), word) ? undefined : value;
}

/** Asked before the value is read, which may be long. */
function mayBeSecret(scan: Scan, at: number, key: Key, kind: KeyKind): boolean {
  const { text, neighbours } = scan;
  if (kind === KEY_KINDS.ofKey) return neighbours.mayHoldKey && isPartOfKey(text, at) && neighbours.tellOfKey(at);
  const isQuery = text[at] === '=' && isInQuery(text, key);
  if (kind !== KEY_KINDS.pass) return isQuery && isSecretInQuery(text, at, text.slice(key.from, key.to));
  const isFlag = text[key.from] === '-' || text[at] === '-';
  const from = text[at] === '-' ? (startBehindFlag(text, key.to) ?? key.to) : at + 1;
  if (isVerdictAt(text, from) || isBlock(text, from)) return false;
  return isQuery || isFlag || neighbours.tellOfLogin(at);
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

function isSecretInQuery(text: string, at: number, name: string): boolean {
  return isSecretQueryName(name) || (isLoginQueryName(name) && isCode(text, at + 1));
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
