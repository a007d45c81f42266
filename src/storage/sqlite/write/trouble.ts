// docs/decisions/0031-health-tries-what-was-refused.md says why.
import { setTimeout } from 'node:timers/promises';
import { TracingError } from '../../../protocol/error.ts';

/** A failed request is tried again so often at most, in milliseconds. */
const RETRY_INTERVAL_MS = 1000;

/** Whoever asks waits so long at most, in milliseconds. */
const WAIT_MS = 1000;

/**
 * Remembers what did not work, with a request that shows it. It is over when that request works: smaller ones may work all
 * the time, as on a disk that has room for a page and none for a batch.
 */
export class Trouble<Request> {
  readonly #tryAgain: (request: Request) => Promise<unknown>;
  readonly #join: (known: Request, other: Request) => Request;
  #known: { readonly error: TracingError; readonly request: Request } | undefined;
  #attempt: Promise<void> | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;

  /** Of several that fail one is kept, which `join` makes: the very one that is known, where the other adds nothing to it. */
  constructor(
    tryAgain: (request: Request) => Promise<unknown>,
    join: (known: Request, other: Request) => Request = (known) => known,
  ) {
    this.#tryAgain = tryAgain;
    this.#join = join;
  }

  /** Whatever is not `unavailable` is about the request, and nothing to remember. */
  note(error: unknown, request: Request): void {
    if (!isUnavailable(error)) return;
    const known = this.#known;
    this.#known = { error, request: known === undefined ? request : this.#join(known.request, request) };
  }

  /** Asks for less from now on. */
  ease(change: (request: Request) => Request): void {
    if (this.#known !== undefined) this.#known = { error: this.#known.error, request: change(this.#known.request) };
  }

  /** Rejects with what is wrong, within a moment; resolves where nothing is, or not any more. */
  async check(): Promise<void> {
    if (this.#known === undefined) return;
    await atMost(WAIT_MS, this.#attemptOnce());
    if (this.#known !== undefined) throw this.#known.error;
  }

  /** One at a time, and not at once after another. */
  #attemptOnce(): Promise<void> {
    const isDue = performance.now() - this.#attemptedAt >= RETRY_INTERVAL_MS;
    if (isDue) this.#attempt ??= this.#work();
    return this.#attempt ?? Promise.resolve();
  }

  async #work(): Promise<void> {
    const known = this.#known;
    try {
      if (known !== undefined) await this.#tryAgain(known.request);
      // What failed meanwhile may be worse.
      if (this.#known?.request === known?.request) this.#known = undefined;
    } catch (error) {
      this.#learn(error);
    } finally {
      this.#attemptedAt = performance.now();
      this.#attempt = undefined;
    }
  }

  /** The database's word on the request ends the trouble; an attempt that could not be made says nothing of it. */
  #learn(error: unknown): void {
    if (this.#known === undefined || !(error instanceof TracingError) || error.code === 'internal_error') return;
    this.#known = isUnavailable(error) ? { error, request: this.#known.request } : undefined;
  }
}

/** Resolves with the work, or without it when its time is over. Rejects as the work does. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const over = setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  try {
    await Promise.race([work, over]);
  } finally {
    controller.abort();
  }
}

export function isUnavailable(error: unknown): error is TracingError {
  return error instanceof TracingError && error.code === 'unavailable';
}
