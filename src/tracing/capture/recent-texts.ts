import type { Mask } from '../mask/mask.ts';

/** Characters of the texts that are held. */
const MAX_HELD_LENGTH = 24 * 1024 * 1024;
const MAX_TEXTS = 64;

interface Seen<Value> {
  readonly mask: Mask;
  readonly value: Value;
}

/**
 * Results for long texts of a moment ago: a conversation is passed on again and again with the same images in it.
 * Looking up a text that is the very same string compares nothing.
 */
export class RecentTexts<Value> {
  readonly #seen = new Map<string, Seen<Value>>();
  #heldLength = 0;

  find(text: string, mask: Mask): Value | undefined {
    const seen = this.#seen.get(text);
    if (seen?.mask !== mask) return undefined;
    // Last in line again: the oldest go first.
    this.#seen.delete(text);
    this.#seen.set(text, seen);
    return seen.value;
  }

  remember(text: string, mask: Mask, value: Value): void {
    if (text.length > MAX_HELD_LENGTH) return;
    if (!this.#seen.delete(text)) this.#heldLength += text.length;
    this.#seen.set(text, { mask, value });
    for (const oldest of this.#seen.keys()) {
      if (this.#heldLength <= MAX_HELD_LENGTH && this.#seen.size <= MAX_TEXTS) break;
      this.#seen.delete(oldest);
      this.#heldLength -= oldest.length;
    }
  }

  clear(): void {
    this.#seen.clear();
    this.#heldLength = 0;
  }
}
