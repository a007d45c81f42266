import { quotedValue, until, type Value } from './quoted-value.ts';

/** The end of a line of a shell, of JSON or of YAML. */
const SPACE = String.raw`(?:\s|\\{1,7}[nrt])`;

const BEHIND = new RegExp(
  [
    // The next part of a list, in however many strings: `"--token", "…"`.
    String.raw`(?<quote>\\{0,7}["'\x60])${SPACE}{0,3},${SPACE}{0,64}(?=\k<quote>)`,
    // The next line of a list, when it holds one word: `- --token` and `- …`.
    String.raw`["']?[ \t]{0,8}\r?\n[ \t]{0,64}-[ \t]{1,8}(?=\S{1,256}[ \t]{0,8}(?:[\r\n]|$))`,
    // The next line of a command.
    String.raw`[ \t]{1,8}\\\r?\n[ \t]{0,64}`,
    String.raw`[ \t]{1,64}`,
    // A space in a form.
    String.raw`\+`,
  ].join('|'),
  'y',
);

/** Where the value of a flag begins whose name ends here: in a command line, in a list of its parts, in a form. */
export function startBehindFlag(text: string, end: number): number | undefined {
  BEHIND.lastIndex = end;
  if (!BEHIND.test(text)) return undefined;
  const from = BEHIND.lastIndex;
  return NEXT_FLAG.test(text.slice(from, from + 10)) ? undefined : from;
}

const NEXT_FLAG = /^\\{0,7}["'`]?-/;

/** `--token x` */
export function flagValue(text: string, end: number): Value | undefined {
  const from = startBehindFlag(text, end);
  if (from === undefined) return undefined;
  return quotedValue(text, from) ?? until(text, from, text[end] === '+' ? /[\s"'`\\+&]/g : /[\s"'`\\]/g);
}
