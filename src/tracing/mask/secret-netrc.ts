import { endOfQuoted } from './quoted-value.ts';

/** Also as it stands within JSON, however deep, and in a form. */
const SPACE = String.raw`(?:\+|(?:\s|\\{1,7}[nrt]){1,24})`;

/** A word in quotes, as newer programs read it: blanks and escaped quotes are part of it. */
const QUOTE = String.raw`\\{0,15}"`;
const QUOTED = String.raw`${QUOTE}(?:[^\n"]|(?<=\\)"){1,128}?"`;

const HOST = String.raw`(?:(?:${QUOTE})?(?:[\w-]{0,64}[.\d:][\w.:-]{0,192}|localhost)(?:${QUOTE})?)`;

const LOGIN = String.raw`${SPACE}(?:login|account)${SPACE}(?:${QUOTED}|[^\s\\]{1,128})`;

/** A sign that follows the end of a text within JSON. */
const END_OF_TEXT = String.raw`(?:[}\]]+[\s,}\]"\\]|[}\]]+$|,\s*\\*")`;

/** One entry, without the password: words without any mark between names and values. */
const ENTRY = new RegExp(
  String.raw`(?:machine${SPACE}(?:${HOST}(?:${LOGIN}){0,2}|(?:${QUOTE})?[\w-]{1,64}(?:${QUOTE})?(?:${LOGIN}){1,2})` +
    String.raw`|default${SPACE}login${SPACE}(?:${QUOTED}|[^\s\\]{1,128}))${SPACE}password${SPACE}` +
    String.raw`(?:(?=[^\s\\"'])|(?<quote>${QUOTE})(?!${END_OF_TEXT}))`,
  'y',
);

const PASSWORD_END = /[\s\\"'&]/g;

/** Is in every text with an entry, and in few others; whose first letter is no frequent one, so that it is soon looked for. */
const MARKER = 'passw';

/** Passwords in a netrc file, from which command lines read logins. */
export function maskNetrc(text: string, replacement: string): string {
  if (!text.includes(MARKER)) return text;
  const masked = maskEntries(text, 'machine', 0, replacement);
  return maskEntries(masked, 'default', 2, replacement);
}

/** Looks for four letters of the word, the first of which is a rare one: such a search takes hardly any time. */
function maskEntries(text: string, word: string, skipped: number, replacement: string): string {
  const letters = word.slice(skipped, skipped + 4);
  let masked = '';
  let copied = 0;
  for (let found = text.indexOf(letters); found !== -1; found = text.indexOf(letters, found + 1)) {
    const at = found - skipped;
    if (!mayBeEntry(text, at + word.length)) continue;
    ENTRY.lastIndex = at;
    const entry = at < copied ? null : ENTRY.exec(text);
    if (entry === null) continue;
    masked += text.slice(copied, ENTRY.lastIndex) + replacement;
    copied = endOfPassword(text, ENTRY.lastIndex, entry.groups?.['quote']);
  }
  return copied === 0 ? text : masked + text.slice(copied);
}

function endOfPassword(text: string, from: number, quote: string | undefined): number {
  if (quote !== undefined) return endOfQuoted(text, from, quote);
  PASSWORD_END.lastIndex = from;
  return PASSWORD_END.exec(text)?.index ?? text.length;
}

const TAB = 9;
const LINE = 10;
const RETURN = 13;
const BLANK = 32;
const PLUS = 43;
const DOT = 46;
const COLON = 58;
const BACKSLASH = 92;

const ENDS_OF_WORD = [BLANK, LINE, TAB, RETURN, PLUS, BACKSLASH];

/** Behind the word and a space stands that of a login, or the name of a host: it has a dot, a digit or a colon, or a login. */
function mayBeEntry(text: string, end: number): boolean {
  const space = text.charCodeAt(end);
  if (space !== BLANK)
    return space === LINE || space === TAB || space === PLUS || space === BACKSLASH || space === RETURN;
  for (let at = end + 1; at < end + 64; at++) {
    const code = text.charCodeAt(at);
    if (code >= DOT && code <= COLON) return true;
    if (ENDS_OF_WORD.includes(code)) {
      if (mayBeLogin(text, at)) return true;
      break;
    }
  }
  return text.startsWith('lo', end + 1) || text.charCodeAt(end + 1) === BLANK;
}

/** Blanks, lines and their escapes are few between two words. */
function mayBeLogin(text: string, from: number): boolean {
  const behind = text.slice(from, from + 40);
  return behind.includes('login') || behind.includes('account');
}
