import type PQueue from 'p-queue';
import { setImmediate } from '../../host/timers.ts';

/** Runs tasks in their order, several at a time. */
export interface Lane {
  /** Settles as the task does. */
  add<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Resolves when fewer tasks than that wait for their turn. */
  onSizeLessThan(limit: number): Promise<void>;
  /** Resolves when no task runs or waits. */
  onIdle(): Promise<void>;
}

/** Calls must not wait behind large files. */
interface Lanes {
  readonly calls: Lane;
  readonly objects: Lane;
}

/** Batches under way at a time: enough for 1,000 calls per second to a service that answers in half a second. */
const CALL_REQUESTS = 4;
const OBJECT_REQUESTS = 2;

/** Each has a connection, so that none waits for one with its time limit running. */
export const REQUESTS_AT_ONCE = CALL_REQUESTS + OBJECT_REQUESTS;

export type OpenLane = (name: keyof Lanes) => Promise<Lane>;

/** Opens lanes when they are first needed. A failure is not the last word: the process may be out of file handles. */
export function laneOpener(): OpenLane {
  let lanes: Promise<Lanes> | undefined;
  return async (name) => {
    lanes ??= openLanes();
    try {
      return (await lanes)[name];
    } catch (error) {
      lanes = undefined;
      throw error;
    }
  };
}

async function openLanes(): Promise<Lanes> {
  const { default: Queue } = await import('p-queue');
  const open = (concurrency: number) => new MovingLane(new Queue({ concurrency }), concurrency);
  return { calls: open(CALL_REQUESTS), objects: open(OBJECT_REQUESTS) };
}

interface Waiting {
  readonly limit: number;
  readonly resolve: () => void;
}

/**
 * The queue learns in a microtask of the global function that a task has ended. Where a test holds these back, the places
 * of ended tasks are given anew, so that it goes on all the same; and who waits for room is told here, by the start of a
 * task, which makes it.
 */
class MovingLane implements Lane {
  readonly #queue: PQueue;
  readonly #concurrency: number;
  #running = 0;
  /** Added and not settled. */
  readonly #open = new Set<Promise<unknown>>();
  #waiting: Waiting[] = [];

  constructor(queue: PQueue, concurrency: number) {
    this.#queue = queue;
    this.#concurrency = concurrency;
  }

  add<Result>(task: () => Promise<Result>): Promise<Result> {
    const settled = this.#queue
      .add(async () => {
        this.#running++;
        this.#tellRoom();
        return task();
      })
      .finally(() => {
        this.#running--;
        this.#open.delete(settled);
        setImmediate(() => this.#giveAnew()).unref();
      });
    this.#open.add(settled);
    return settled;
  }

  async onIdle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  async onSizeLessThan(limit: number): Promise<void> {
    if (this.#queue.size < limit) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ limit, resolve });
    });
  }

  #tellRoom(): void {
    const { size } = this.#queue;
    const told = this.#waiting.filter(({ limit }) => size < limit);
    if (told.length === 0) return;
    this.#waiting = this.#waiting.filter(({ limit }) => size >= limit);
    for (const { resolve } of told) resolve();
  }

  #giveAnew(): void {
    const held = Math.max(0, this.#queue.pending - this.#running);
    const concurrency = this.#concurrency + held;
    try {
      if (this.#queue.concurrency !== concurrency) this.#queue.concurrency = concurrency;
    } catch {
      // The queue asks a clock that a test may have broken; the program does not pay for that.
    }
  }
}
