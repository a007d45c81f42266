import { Worker } from 'node:worker_threads';
import { TracingError } from '../protocol/error.ts';
import { threadFlags } from '../storage/thread-flags.ts';

/** A thread that has nothing to do for so long is ended. */
const IDLE_MS = 10_000;

/** Values that large tasks make are needed until their end: more room for the young is filled, and gains no time. */
const YOUNG_MB = 4;

export interface TaskThreadOptions {
  readonly name: string;
  readonly memoryMb: number;
}

/** The thread has ended, by itself or because it could not go on. */
export class ThreadEnded extends TracingError {
  readonly isOutOfMemory: boolean;

  constructor(cause: unknown) {
    super('unavailable', 'Cannot carry out the request now: its thread has ended', { cause });
    this.isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

interface Running {
  readonly worker: Worker;
  readonly ready: Promise<unknown>;
  /** Never resolves; rejects with `ThreadEnded`. */
  readonly ended: Promise<never>;
}

/**
 * A thread for tasks, one at a time: started with the first, ended when there are none for a while, and started again when
 * it has ended, for whatever reason. It says something when it is ready.
 */
export class TaskThread {
  readonly #file: () => string;
  readonly #options: TaskThreadOptions;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(file: () => string, options: TaskThreadOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Rejects with `ThreadEnded` when the thread ends before the work does. */
  async use<Result>(work: (worker: Worker) => Promise<Result>): Promise<Result> {
    clearTimeout(this.#idle);
    const { worker, ready, ended } = (this.#running ??= this.#start());
    worker.ref();
    try {
      return await Promise.race([ready.then(async () => await work(worker)), ended]);
    } finally {
      worker.unref();
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    await running?.worker.terminate();
  }

  #start(): Running {
    const { name, memoryMb } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = newWorker(this.#file, { name, resourceLimits });
    const ready = new Promise((resolve) => worker.once('message', resolve));
    const ended = new Promise<never>((_resolve, reject) => {
      const onEnd = (cause: unknown) => {
        if (this.#running?.worker === worker) this.#running = undefined;
        reject(new ThreadEnded(cause));
      };
      // As long as the thread lives: it may end when nobody waits for it. What comes second says nothing more.
      worker.on('error', onEnd);
      worker.on('exit', onEnd);
    });
    ended.catch(() => undefined);
    return { worker, ready, ended };
  }
}

function newWorker(file: () => string, options: object): Worker {
  try {
    return new Worker(file(), { ...options, ...threadFlags() });
  } catch (cause) {
    throw new ThreadEnded(cause);
  }
}
