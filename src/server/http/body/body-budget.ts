import type { IncomingMessage, ServerResponse } from 'node:http';
import { TracingError } from '../../../protocol/error.ts';

/** Unpacked bytes of large bodies that are in memory at a time; one alone is always taken. */
export const MAX_BODY_BYTES_AT_ONCE = 256 * 1024 * 1024;

/** Bodies up to this size do not count: others must not keep them out. */
const FREE_BYTES = 1024 * 1024;

const RETRY_AFTER_SECONDS = 2;

/** Who counts what is read of a request. */
const counters = new WeakMap<IncomingMessage, (bytes: number) => void>();

/**
 * The bytes of all bodies that a service reads or works on at a time. Each is within its own limit, but a thousandth of
 * it may be sent, packed, and many may come at once.
 */
export class BodyBudget {
  #bytes = 0;

  /** Counts what `noteBodyBytes` tells of the request, until it is answered or broken off. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    let own = 0;
    counters.set(request, (bytes) => {
      const before = counted(own);
      own += bytes;
      const more = counted(own) - before;
      const others = this.#bytes - before;
      if (others > 0 && others + counted(own) > MAX_BODY_BYTES_AT_ONCE) {
        own -= bytes;
        throw full();
      }
      this.#bytes += more;
    });
    response.once('close', () => {
      counters.delete(request);
      this.#bytes -= counted(own);
      own = 0;
    });
  }
}

/** So many bytes more of a body are in memory. Throws `rate_limited` where those of all bodies are too many. */
export function noteBodyBytes(request: IncomingMessage, bytes: number): void {
  counters.get(request)?.(bytes);
}

function counted(bytes: number): number {
  return bytes > FREE_BYTES ? bytes : 0;
}

function full(): TracingError {
  const extra = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new TracingError('rate_limited', 'Cannot read the body now: too many large ones are being read', { extra });
}
