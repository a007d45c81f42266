import type { Mask } from '../mask/mask.ts';
import { maskedText } from '../mask/masked-text.ts';

/** Shorter texts are masked at once: that takes less than an object that stands for them. */
export const SHORTEST_LATE = 128;

/**
 * A text in a record that is masked only when the record's JSON is made, not in the caller's turn. Texts cannot change,
 * so nothing is missed; and who makes JSON of it gets the masked text, whoever that is.
 */
export class LateText {
  readonly #text: string;
  readonly #mask: Mask;

  constructor(text: string, mask: Mask) {
    this.#text = text;
    this.#mask = mask;
  }

  toJSON(): string {
    return maskedText(this.#mask, this.#text);
  }
}

/**
 * Puts the masked texts into a copy in which `LateText`s stand, before its JSON is made: `JSON.stringify` would ask each of
 * them, which takes longer.
 */
export function resolveLateTexts(copy: object): void {
  const members = copy as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (typeof member !== 'object' || member === null) continue;
    if (member instanceof LateText) members[key] = member.toJSON();
    else resolveLateTexts(member);
  }
}
