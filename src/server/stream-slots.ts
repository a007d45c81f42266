import { TracingError } from '../protocol/error.ts';

/** Counts the streams of each key, so that one reader cannot take all of the service. */
export class StreamSlots {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a slot and returns what gives it back. Throws `rate_limited` when the key has none left. */
  take(keyId: string): () => void {
    const count = this.#open.get(keyId) ?? 0;
    if (count >= this.#max) {
      throw new TracingError('rate_limited', `Cannot open a stream: the key has ${this.#max} open ones already`);
    }
    this.#open.set(keyId, count + 1);
    return () => this.#giveBack(keyId);
  }

  #giveBack(keyId: string): void {
    const count = (this.#open.get(keyId) ?? 0) - 1;
    if (count > 0) this.#open.set(keyId, count);
    else this.#open.delete(keyId);
  }
}
