import { looksRandom, WHOLE_TOKENS, TOKENS } from './secret-token.ts';
import { LOOSE_PREFIXES, PREFIXES } from './secret-prefix.ts';
import { maskUrls } from './secret-url.ts';

/** Also as in a form. */
const SPACE = String.raw`[\s+]`;

const PEM_KIND = `(?:[A-Z0-9]{1,16}${SPACE}){0,3}PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?-----`;

/** Secrets behind words of their own. */
const WORDS = [
  String.raw`[Bb](?:earer|EARER)${SPACE}+(?<bearer>[\w.~+/=-]{12,})`,
  String.raw`[Bb](?:asic|ASIC)${SPACE}+(?<basic>[A-Za-z0-9+/]{8,})={0,2}`,
  String.raw`-----BEGIN${SPACE}${PEM_KIND}[\s\S]*?(?:-----END${SPACE}${PEM_KIND}|$)`,
  String.raw`-(?<=[\s"'+(]-)u[ =+]["']?(?<login>[^\s:"']{1,64}:)(?!\d+(?!\w))[^\s"'&\\]{1,256}`,
];

const SHAPES = new RegExp([...TOKENS, ...WORDS].join('|'), 'g');

/**
 * Is in every text with a secret behind a word, or with a token that has no digit. Nearly every text has none of
 * these, and is gone through at a fifth of a nanosecond per character.
 */
const MARKER = new RegExp(
  [
    String.raw`[-_][A-Za-z]{10}(?<=(?:${PREFIXES}|${LOOSE_PREFIXES})[-_][A-Za-z]{10})`,
    'A[KS]IA[0-9A-Z]{16}',
    String.raw`[Bb](?:earer|EARER|asic|ASIC)[\s+]`,
    '-----BEGIN',
    '-u[ =+]',
  ].join('|'),
);

/** What the expression found, by what decides on it. */
interface Found {
  readonly loose?: string;
  readonly bearer?: string;
  readonly basic?: string;
  readonly login?: string;
  readonly whole?: string;
}

/** `text` with everything replaced that has the shape of a secret; the same string when there is nothing. */
export function maskShapes(text: string, replacement: string): string {
  return maskUrls(hasToken(text) || MARKER.test(text) ? replaceShapes(text, replacement) : text, replacement);
}

function replaceShapes(text: string, replacement: string): string {
  let hasWhole = false;
  const masked = text.replace(SHAPES, (match: string, ...rest: unknown[]) => {
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
  return '-_.:'.includes(match.charAt(0)) && !match.startsWith('--') ? match.charAt(0) + replacement : replacement;
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

/** Letters, digits, `-` and `_` of ASCII. */
const IS_TOKEN = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w-]/.test(String.fromCharCode(code))));

/**
 * Is there a word of sixteen or more letters and digits that is no UUID and no number? Every sixteenth character is
 * looked at, since a word of that length has one of them; texts without any digit are left to `MARKER`.
 */
function hasToken(text: string): boolean {
  if (!/\d/.test(text)) return false;
  for (let at = TOKEN_LENGTH - 1; at < text.length; at += TOKEN_LENGTH) {
    if (IS_TOKEN[text.charCodeAt(at)] !== 1) continue;
    let from = at;
    while (IS_TOKEN[text.charCodeAt(from - 1)] === 1) from -= 1;
    let to = at + 1;
    while (IS_TOKEN[text.charCodeAt(to)] === 1) to += 1;
    if (to - from >= TOKEN_LENGTH && mayBeToken(text.slice(from, to))) return true;
    while (at + TOKEN_LENGTH < to) at += TOKEN_LENGTH;
  }
  return false;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function mayBeToken(word: string): boolean {
  return /\d/.test(word) && /[A-Za-z]/.test(word) && !(word.length === 36 && UUID.test(word));
}
