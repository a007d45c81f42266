/** Also as it stands within JSON. */
const SPACE = String.raw`(?:\s|\\[nrt]){1,24}`;

const HOST = String.raw`(?:[\w-]{0,64}[.\d:][\w.:-]{0,192}|localhost)`;

/** One entry, without the password: words without any mark between names and values. */
const ENTRY = new RegExp(
  String.raw`(?:machine${SPACE}${HOST}(?:${SPACE}(?:login|account)${SPACE}[^\s\\]{1,128}){0,2}` +
    String.raw`|default${SPACE}login${SPACE}[^\s\\]{1,128})${SPACE}password${SPACE}(?=[^\s\\"'])`,
  'y',
);

const PASSWORD_END = /[\s\\"']/g;

/** Passwords in a netrc file, from which command lines read logins: its entries begin a text or a line. */
export function maskNetrc(text: string, replacement: string): string {
  if (!mayBeNetrc(text)) return text;
  return maskEntries(maskEntries(text, 'machine', replacement), 'default', replacement);
}

/** Where a text has such entries, one is near its beginning: to look at all of it for them would be felt. */
const HEAD = 1024;

function mayBeNetrc(text: string): boolean {
  if (text.startsWith('machine') || text.startsWith('default')) return true;
  const head = text.length > HEAD ? text.slice(0, HEAD) : text;
  return BEGINNINGS.some((beginning) => head.includes(beginning));
}

/** Each begins with a rare character, since searches for such take no time. */
const BEGINNINGS = ['\nmac', '\ndef', '\\nmac', '\\ndef', '"mac', '"def'];

function maskEntries(text: string, word: string, replacement: string): string {
  let masked = '';
  let copied = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    ENTRY.lastIndex = at;
    if (!ENTRY.test(text)) continue;
    masked += text.slice(copied, ENTRY.lastIndex) + replacement;
    PASSWORD_END.lastIndex = ENTRY.lastIndex;
    copied = PASSWORD_END.exec(text)?.index ?? text.length;
  }
  return copied === 0 ? text : masked + text.slice(copied);
}
