import { maskMembers, type MemberRules } from './secret-member.ts';
import { maskShapes } from './secret-shape.ts';

/** What `maskText` needs to know of the rules in force. */
export interface TextRules extends MemberRules {
  readonly shapes: readonly RegExp[];
}

/** A word in the encoding of URLs that hides a character which the rules look for. */
const ENCODED = /[^\s"<>&=?#%]*%(?:0[AD]|2[0267BF]|3[A-F]|40|5[BCD]|7[BDE])[^\s"<>&=?#]*/gi;

/** A text within a text within a text is looked into, no further. */
const MAX_ENCODINGS = 3;

/** `text` with everything replaced that looks like a secret; the same string when there is nothing. */
export function maskText(text: string, rules: TextRules, encodings = 0): string {
  let masked = maskMembers(maskShapes(text, rules.replacement), rules);
  for (const shape of rules.shapes) masked = masked.replace(shape, () => rules.replacement);
  if (encodings === MAX_ENCODINGS || !masked.includes('%')) return masked;
  return masked.replace(ENCODED, (word) => maskEncoded(word, rules, encodings + 1));
}

function maskEncoded(word: string, rules: TextRules, encodings: number): string {
  const text = decoded(word);
  const masked = maskText(text, rules, encodings);
  if (masked === text) return word;
  return encodeURIComponent(masked).replaceAll(encodeURIComponent(rules.replacement), rules.replacement);
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
