import { wellFormedText } from '../../host/well-formed.ts';
import { marksOf } from './text-marks.ts';
import { maskMembers, type MemberRules } from './secret-member.ts';
import { maskNetrc } from './secret-netrc.ts';
import { maskShapes } from './secret-shape.ts';
import { maskUrls } from './secret-url.ts';

/** The rules in force that `maskText` needs. */
export interface TextRules extends MemberRules {
  readonly shapes: readonly RegExp[];
}

/** A character that the rules look for, in the encoding of URLs. */
const ENCODED = /%(?:0[AD]|2[0267BF]|3[A-F]|40|5[BCD]|7[B-E])/gi;

/** The end of a word in that encoding. */
const WORD_END = /[\s"<>&=?#]/g;

/** A text within a text within a text is looked into, no further. */
const MAX_ENCODINGS = 3;

/** `text` with everything replaced that looks like a secret; the same string when there is nothing. */
export function maskText(text: string, rules: TextRules, encodings = 0): string {
  const { replacement } = rules;
  // What one rule leaves holds no mark that was not there before.
  const marks = marksOf(text);
  let masked = maskNetrc(maskUrls(maskShapes(text, marks, replacement), marks, replacement), replacement);
  masked = maskMembers(masked, marks, rules);
  for (const shape of rules.shapes) masked = masked.replace(shape, () => rules.replacement);
  if (encodings === MAX_ENCODINGS || !masked.includes('%')) return masked;
  return maskWords(masked, rules, encodings + 1);
}

/** Decodes each word that is encoded and looks into it. Goes through the text once. */
function maskWords(text: string, rules: TextRules, encodings: number): string {
  let masked = '';
  let copied = 0;
  let at = nextMatch(ENCODED, text, 0);
  while (at < text.length) {
    let from = at;
    while (from > copied && !' \t\n\r"<>&=?#'.includes(text.charAt(from - 1))) from -= 1;
    const to = nextMatch(WORD_END, text, at);
    masked += text.slice(copied, from) + maskEncoded(text.slice(from, to), rules, encodings);
    copied = to;
    at = nextMatch(ENCODED, text, to);
  }
  return copied === 0 ? text : masked + text.slice(copied);
}

function nextMatch(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? text.length;
}

function maskEncoded(word: string, rules: TextRules, encodings: number): string {
  const text = decoded(word);
  const masked = maskText(text, rules, encodings);
  if (masked === text) return word;
  // The encoding has nothing for half a pair of surrogates.
  return encodeURIComponent(wellFormedText(masked)).replaceAll(
    encodeURIComponent(rules.replacement),
    rules.replacement,
  );
}

function decoded(word: string): string {
  return word.replaceAll('+', ' ').replace(/(?:%[\dA-F]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      // Not UTF-8: such bytes are no part of what the rules look for.
      return bytes;
    }
  });
}
