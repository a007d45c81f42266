import type { Mask } from './mask.ts';
import { maskedText } from './masked-text.ts';

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
