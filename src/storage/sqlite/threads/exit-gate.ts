import { TracingError } from '../../../protocol/error.ts';

const STOPPED = 0;
const IS_INSIDE = 1;

/** How long the end of a process waits for a thread that is inside SQLite, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/**
 * Keeps the end of a process from ending a thread in the middle of a call of SQLite: the driver cannot be unwound
 * from outside, and the whole process would abort. Both threads see the same two numbers.
 */
export class ExitGate {
  /** Shared by both threads; travels with the data of the thread. */
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array;

  constructor(shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#state = new Int32Array(shared);
  }

  /** For the owner: nobody enters any more. */
  stop(): void {
    Atomics.store(this.#state, STOPPED, 1);
  }

  /** For the owner, after `stop`: blocks until the thread is outside, or has taken too long. */
  wait(): void {
    Atomics.wait(this.#state, IS_INSIDE, 1, MAX_WAIT_MS);
  }

  /** For the thread: does what uses SQLite, unless the process is ending. */
  pass(work: () => void): void {
    // In this order, as the owner stops first and looks then: one of the two always sees the other.
    Atomics.store(this.#state, IS_INSIDE, 1);
    try {
      if (!this.#isStopped) work();
    } finally {
      Atomics.store(this.#state, IS_INSIDE, 0);
      Atomics.notify(this.#state, IS_INSIDE);
    }
  }

  /** For the thread, inside: throws when the process is ending, as nobody will hear the answer. */
  check(): void {
    if (this.#isStopped) throw new TracingError('unavailable', 'Cannot finish the read: the process is ending');
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#state, STOPPED) === 1;
  }
}

const open = new Set<ExitGate>();

/** Lets the end of this process wait for the thread behind the gate; returns what forgets it, once it has ended. */
export function guardExit(gate: ExitGate): () => void {
  if (open.size === 0) process.on('exit', stopAll);
  open.add(gate);
  return () => {
    open.delete(gate);
    if (open.size === 0) process.removeListener('exit', stopAll);
  };
}

function stopAll(): void {
  for (const gate of open) gate.stop();
  for (const gate of open) gate.wait();
}
