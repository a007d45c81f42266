// Recorded text may hold anything. Written to a terminal as it is, it could move the cursor, change the title, or
// hide what stands around it. Control characters are what this file is about.
// oxlint-disable no-control-regex

/** Whole escape sequences: CSI, OSC and the other strings up to their end, and two-character ones. */
const ESCAPE_SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
/** Characters that reorder or hide the text around them. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text without anything a terminal would act on; line breaks stay, tabs become spaces. */
export function toPlainText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '');
}

/** Plain text in one line, cut to `maxLength` characters where that is given. */
export function toLine(text: string, maxLength = Infinity): string {
  const line = toPlainText(text.slice(0, 100_000).replaceAll(/[\r\n\u2028\u2029]+/g, ' ')).trim();
  if (line.length <= maxLength) return line;
  return `${[...line].slice(0, maxLength - 1).join('')}…`;
}

/** Columns that plain text takes up in a terminal. */
export function displayWidth(text: string): number {
  // Most texts are, and measuring is much of what a long list takes.
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const char of text) {
    if (/\p{M}|\p{Cf}/u.test(char)) continue;
    width += WIDE.test(char) ? 2 : 1;
  }
  return width;
}

/** Plain text of at most so many columns: of a longer one the beginning and an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const char of text) {
    room -= displayWidth(char);
    if (room < 0) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

const NARROW = /^[ -~]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
