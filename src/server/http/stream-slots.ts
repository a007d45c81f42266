import { TracingError } from '../../protocol/error.ts';

/** Counts the streams of each key, so that one reader cannot take all of the service. */
export class StreamSlots {
  readonly #max: number;
  readonly #open = new Map<string, Set<AbortController>>();
  #openedCount = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return [...this.#open.values()].reduce((sum, streams) => sum + streams.size, 0);
  }

  /** Streams so far, those that are over too. */
  get openedCount(): number {
    return this.#openedCount;
  }

  /** Takes a slot and returns what gives it back. Throws `rate_limited` when the key has none left. */
  take(keyId: string, stream: AbortController): () => void {
    const streams = this.#open.get(keyId) ?? new Set();
    if (streams.size >= this.#max) {
      throw new TracingError('rate_limited', `Cannot open a stream: the key has ${this.#max} open ones already`);
    }
    this.#open.set(keyId, streams.add(stream));
    this.#openedCount += 1;
    return () => {
      streams.delete(stream);
      if (streams.size === 0) this.#open.delete(keyId);
    };
  }

  /** Breaks off all streams with a reason. */
  abort(reason: Error): void {
    for (const streams of this.#open.values()) for (const stream of streams) stream.abort(reason);
  }
}
