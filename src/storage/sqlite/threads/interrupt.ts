import { TracingError } from '../../../protocol/error.ts';

/** How the owner of a thread ends a request that the thread is at: both see one number, the id of that request. */
export class Interrupt {
  /** Shared by both threads; travels with the data of the thread. */
  readonly shared: SharedArrayBuffer;
  readonly #unwanted: Int32Array;
  #current = 0;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#unwanted = new Int32Array(shared);
  }

  /** Nobody wants the answer to this request any more. */
  request(id: number): void {
    Atomics.store(this.#unwanted, 0, id);
  }

  /** The thread has come to this request. */
  begin(id: number): void {
    this.#current = id;
  }

  /** Throws when the request at hand is unwanted. */
  check(): void {
    if (this.#current !== 0 && Atomics.load(this.#unwanted, 0) === this.#current) {
      throw new TracingError('query_timeout', 'Cannot finish the read: it was interrupted');
    }
  }
}
