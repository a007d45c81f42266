import { looksRandom, WHOLE_TOKENS, TOKENS } from './secret-token.ts';
import { LOOSE_PREFIXES, PREFIXES } from './secret-prefix.ts';
import type { Marks } from './text-marks.ts';

/** Also as in a form. */
const SPACE = String.raw`[\s+]`;

const PEM_KIND = `(?:[A-Z0-9]{1,16}${SPACE}){0,3}PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?-----`;

/** Secrets behind words of their own. */
const LOGINS = [
  String.raw`[Bb](?:earer|EARER)${SPACE}+(?<bearer>[\w.~+/=-]{12,})`,
  String.raw`[Bb](?:asic|ASIC)${SPACE}+(?<basic>[A-Za-z0-9+/]{8,})={0,2}`,
];

const WORDS = [
  ...LOGINS,
  String.raw`-----BEGIN${SPACE}${PEM_KIND}[\s\S]*?(?:-----END${SPACE}${PEM_KIND}|$)`,
  String.raw`-(?<=(?:^|[\s"'+(])(?:--?|--proxy-))u(?:ser)?(?:[ =+]["']?|\\{0,7}["'],(?:\s|\\{1,7}[nrt]){0,24}\\{0,7}["'])(?<login>[^\s:"']{1,64}:)(?!\d+(?!\w))[^\s"'&\\]{1,256}`,
];

const SHAPES = new RegExp([...TOKENS, ...WORDS].join('|'), 'g');

/** Of texts that hold none but these, which takes a fifth of the time. */
const LOGIN_SHAPES = new RegExp(LOGINS.join('|'), 'g');

/** Is in every text with a token that has no digit, and with a secret behind a word that begins with a dash. */
const DASHED_MARKER = new RegExp(
  [
    String.raw`[-_][A-Za-z]{10}(?<=(?:${PREFIXES}|${LOOSE_PREFIXES})[-_][A-Za-z]{10})`,
    '-----BEGIN',
    String.raw`-u(?:ser)?(?:[ =+]|\\{0,7}["'],)`,
  ].join('|'),
);

/** Is in every other text with a secret behind a word. */
const WORD_MARKER = /[Bb](?:earer|EARER|asic|ASIC)[\s+]/;

/** A key of AWS need not have a digit. */
const AWS_KEY = /A(?:[KSB]IA|CCA)[0-9A-Z]{16}/;

/** The match of the expression, by what decides on it. */
interface Found {
  readonly loose?: string;
  readonly bearer?: string;
  readonly basic?: string;
  readonly login?: string;
  readonly whole?: string;
}

/** `text` with everything replaced that has the shape of a secret; the same string when there is nothing. */
export function maskShapes(text: string, marks: Marks, replacement: string): string {
  const shapes = shapesFor(text, marks);
  if (shapes === undefined) return text;
  let hasWhole = false;
  const masked = text.replace(shapes, (match: string, ...rest: unknown[]) => {
    // The last argument holds the named groups, since the expression has some.
    const found = rest.at(-1) as Found;
    if (found.whole !== undefined) hasWhole = true;
    return replaced(match, found, replacement);
  });
  return hasWhole ? masked.replace(WHOLE_TOKENS, () => replacement) : masked;
}

function replaced(match: string, { loose, bearer, basic, login, whole }: Found, replacement: string): string {
  if (whole !== undefined) return match;
  if (loose !== undefined) return looksRandom(loose) ? match.charAt(0) + replacement : match;
  if (bearer !== undefined) return isWord(bearer) ? match : `${match.slice(0, -bearer.length)}${replacement}`;
  if (basic !== undefined) return isLogin(basic) ? match.slice(0, match.lastIndexOf(basic)) + replacement : match;
  if (login !== undefined) return match.slice(0, match.indexOf(login) + login.length) + replacement;
  return '-_.:~|'.includes(match.charAt(0)) && !match.startsWith('--') ? match.charAt(0) + replacement : replacement;
}

/** `Bearer authentication`, and not a token. */
function isWord(text: string): boolean {
  return text.length < 24 && /^[A-Za-z]?[a-z-]*$/.test(text);
}

/** Is this base64 the name of a user, a colon and a password? */
function isLogin(base64: string): boolean {
  const login = Buffer.from(base64, 'base64').toString('latin1');
  return /^[\x20-\x7e\xa0-\xff]*:/.test(login);
}

const TOKEN_LENGTH = 16;

/** Letters, digits, `-` and `_` of ASCII. It has a place for every code: a read beside a table takes its time. */
const IS_TOKEN = new Uint8Array(65_536);
for (let code = 0; code < 128; code++) IS_TOKEN[code] = Number(/[\w-]/.test(String.fromCharCode(code)));

/**
 * Nearly every text has none of these, and is gone through at a nanosecond per character: searches for single
 * characters and a scan that leaps are many times as fast as an expression.
 */
function shapesFor(text: string, { hasDash }: Marks): RegExp | undefined {
  if (((hasDash || text.includes('_')) && DASHED_MARKER.test(text)) || hasToken(text)) return SHAPES;
  return hasWord(text) ? LOGIN_SHAPES : undefined;
}

/** An expression would look at each letter; few are a B, and behind few of those comes what would have to come. */
function hasWord(text: string): boolean {
  return (mayHaveWord(text, 'B') || mayHaveWord(text, 'b')) && WORD_MARKER.test(text);
}

/** Does anything begin like `Bearer` or `Basic`? */
function mayHaveWord(text: string, first: string): boolean {
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    const third = text.charCodeAt(at + 2) | SMALL;
    if ((third === A && isLetter(text, at + 3, R)) || (third === S && isLetter(text, at + 3, I))) return true;
  }
  return false;
}

function isLetter(text: string, at: number, small: number): boolean {
  return (text.charCodeAt(at) | SMALL) === small;
}

const SMALL = 0x20;
const A = 0x61;
const I = 0x69;
const R = 0x72;
const S = 0x73;

/**
 * Is there a word of sixteen or more letters and digits that is no UUID and no number? Where a shorter word begins,
 * none ends before sixteen more characters, so most are never looked at.
 */
function hasToken(text: string): boolean {
  let last = TOKEN_LENGTH - 1;
  while (last < text.length) {
    const before = beforeWord(text, last);
    const isLong = last - before >= TOKEN_LENGTH;
    const end = isLong ? endOfWord(text, last) : before;
    if (isLong && mayBeToken(text.slice(before + 1, end))) return true;
    last = end + TOKEN_LENGTH;
  }
  return false;
}

/** The place before the word that `last` is in; `last` itself when that is in none. No word before has an end in between. */
function beforeWord(text: string, last: number): number {
  const first = last - TOKEN_LENGTH;
  let before = last;
  while (before > first && IS_TOKEN[text.charCodeAt(before)] === 1) before -= 1;
  return before;
}

function endOfWord(text: string, last: number): number {
  let end = last + 1;
  while (IS_TOKEN[text.charCodeAt(end)] === 1) end += 1;
  return end;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function mayBeToken(word: string): boolean {
  if (word.length === 36 && UUID.test(word)) return false;
  return (/\d/.test(word) && /[A-Za-z]/.test(word)) || AWS_KEY.test(word);
}
