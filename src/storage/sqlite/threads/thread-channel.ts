import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { TracingError } from '../../../protocol/error.ts';
import type { Channel, SendOptions } from './channel.ts';
import { ExitGate, guardExit } from './exit-gate.ts';
import { type Answer, errorOf, type FromThread, type ToThread } from './messages.ts';
import { type AnswerTo, answerTo, type Request } from './requests.ts';
import { Interrupt } from './interrupt.ts';
import { packFacts } from '../../packed/packed-facts.ts';
import { isPackedDerived, packDerived } from '../../packed/packed-derived-table.ts';
import { isPacked, packTable } from '../../packed/packed-table.ts';
import type { Recovery } from '../upkeep/recovery.ts';
import type { ThreadData } from './thread.ts';
import { threadFlags } from '../../thread-flags.ts';

/** A request whose answer is awaited. */
export interface Pending {
  readonly request: Request;
  readonly options: SendOptions;
  /** The channel is the one that answered, where a stream goes on. */
  readonly resolve: (result: unknown, channel: ThreadChannel) => void;
  readonly reject: (error: unknown) => void;
  /** Nobody waits any more; the thread will come to it nevertheless. */
  isDropped: boolean;
  timer?: NodeJS.Timeout | undefined;
  onAbort?: (() => void) | undefined;
}

/**
 * An endpoint in a thread of its own. The thread keeps the process alive only while answers are awaited. It
 * carries out requests in order, so the first pending one is the one it is at.
 */
export class ThreadChannel implements Channel {
  readonly ready: Promise<Recovery>;
  readonly #worker: Worker;
  readonly #interrupt = new Interrupt();
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  /** Gets what was waiting when a request at work ran out of time. */
  readonly #onStuck: (waiting: readonly Pending[]) => void;
  #nextId = 1;
  #groupCount = 0;
  #isBroken = false;
  #isReady = false;
  #hasEnded = false;

  constructor(
    data: Omit<ThreadData, 'interrupt' | 'gate'>,
    onStuck: (waiting: readonly Pending[]) => void = rejectAll,
  ) {
    this.#onStuck = onStuck;
    const gate = new ExitGate();
    this.#worker = new Worker(threadFile(), {
      workerData: { ...data, interrupt: this.#interrupt.shared, gate: gate.shared },
      name: `spoor storage ${data.role}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      ...threadFlags(),
    });
    const forget = guardExit(gate);
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        forget();
        this.#hasEnded = true;
        resolve();
      });
    });
    this.ready = this.#listen();
    // Whoever needs the endpoint waits for `ready` itself.
    this.ready.catch(() => undefined);
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  get groupCount(): number {
    return this.#groupCount;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Nothing of the thread is left; there is nothing to close. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  send<Asked extends Request>(request: Asked, options: SendOptions = {}): Promise<AnswerTo<Asked>> {
    return new Promise((resolve, reject) => {
      const onAnswer = (result: unknown) => resolve(answerTo(request, result));
      this.transfer({ request, options, resolve: onAnswer, reject, isDropped: false });
    });
  }

  /** Takes over a request, which may have waited in another channel. */
  transfer(pending: Pending): void {
    if (this.#isBroken) return pending.reject(broken());
    if (pending.options.signal?.aborted === true) return pending.reject(pending.options.signal.reason);
    const id = this.#nextId++;
    try {
      this.#postRequest(id, pending.request);
    } catch (error) {
      return pending.reject(error);
    }
    this.#watch(id, pending);
    this.#pending.set(id, pending);
    this.#keepAlive();
  }

  async close(): Promise<void> {
    if (!this.#isBroken) {
      this.#isBroken = true;
      this.#worker.ref();
      this.#post('close');
    }
    await this.#exited;
  }

  #listen(): Promise<Recovery> {
    return new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromThread) => {
        if ('ready' in message) {
          this.#isReady = true;
          this.#keepAlive();
          resolve(message.ready);
        } else if ('failed' in message) {
          const error = errorOf(message.failed);
          reject(error);
          // Whoever waits learns why; what is wrong with the configuration is for the start only.
          this.#break(error.code === 'unavailable' ? error : broken(error));
        } else {
          this.#receive(message);
        }
      });
      const fail = (cause: unknown) => {
        const error = broken(cause);
        reject(error);
        this.#break(error);
      };
      this.#worker.on('error', fail);
      this.#worker.on('exit', () => fail(undefined));
    });
  }

  #receive(answer: Answer): void {
    if (answer.beginsGroup) this.#groupCount += 1;
    const pending = this.#pending.get(answer.id);
    if (pending === undefined) return;
    this.#pending.delete(answer.id);
    this.#keepAlive();
    stopWatching(pending);
    this.#interruptFirst();
    if (pending.isDropped) this.#discard(answer);
    else if ('error' in answer) pending.reject(errorOf(answer.error));
    else pending.resolve(answer.result, this);
  }

  /** A stream that nobody reads is given back. */
  #discard(answer: Answer): void {
    if (!('result' in answer) || typeof answer.result !== 'object' || answer.result === null) return;
    if ('stream' in answer.result && typeof answer.result.stream === 'number') {
      this.transfer({
        request: { op: 'cancel', stream: answer.result.stream },
        options: {},
        resolve: () => undefined,
        reject: () => undefined,
        isDropped: true,
      });
    }
  }

  #watch(id: number, pending: Pending): void {
    const { deadlineMs, signal } = pending.options;
    if (deadlineMs !== undefined) {
      pending.timer = setTimeout(() => this.#onDeadline(id, deadlineMs), deadlineMs);
      pending.timer.unref();
    }
    if (signal === undefined) return;
    pending.onAbort = () => {
      drop(pending, signal.reason);
      this.#interruptFirst();
    };
    signal.addEventListener('abort', pending.onAbort, { once: true });
  }

  #onDeadline(id: number, deadlineMs: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    drop(pending, new TracingError('query_timeout', `Cannot finish the read: it took longer than ${deadlineMs} ms`));
    const first = this.#interruptFirst();
    if (first === undefined) return;
    // Scans over bodies end at once; what SQLite does in one step, such as a sort, nothing can stop.
    const timer = setTimeout(() => this.#pending.get(first)?.isDropped === true && this.#giveUp(), GRACE_MS);
    timer.unref();
  }

  /** Ends the request that the thread is at when nobody waits for it; its id. */
  #interruptFirst(): number | undefined {
    const [first] = this.#pending;
    if (first === undefined || !first[1].isDropped) return undefined;
    this.#interrupt.request(first[0]);
    return first[0];
  }

  /**
   * The thread ends by itself when its call of SQLite does. Terminating it would abort the whole process: the
   * driver cannot be unwound from outside.
   */
  #giveUp(): void {
    const waiting = [...this.#pending.values()].filter((pending) => !pending.isDropped);
    this.#pending.clear();
    this.#isBroken = true;
    this.#worker.ref();
    this.#post('close');
    waiting.forEach(stopWatching);
    this.#onStuck(waiting);
  }

  #break(error: TracingError): void {
    this.#isBroken = true;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const each of pending) {
      stopWatching(each);
      each.reject(error);
    }
  }

  #keepAlive(): void {
    // Who has told it to close waits for its end.
    if (this.#pending.size > 0 || !this.#isReady || this.#isBroken) this.#worker.ref();
    else this.#worker.unref();
  }

  #postRequest(id: number, request: Request): void {
    if (request.op === 'createTable' && !isPacked(request.table)) {
      return this.#post({ id, request: { op: 'createTable', table: packTable(request.table) } });
    }
    if (request.op === 'deriveTable' && !isPackedDerived(request.table)) {
      return this.#post({ id, request: { op: 'deriveTable', table: packDerived(request.table) } });
    }
    if (request.op !== 'writeCalls') return this.#post({ id, request });
    // What came packed is copied: a request that is refused is tried again.
    if ('count' in request.facts) return this.#post({ id, calls: request.facts });
    const calls = packFacts(request.facts);
    this.#post({ id, calls }, [calls.lengths.buffer, calls.numbers.buffer]);
  }

  #post(message: ToThread, transferred: readonly ArrayBuffer[] = []): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    this.#worker.postMessage(message, transferred);
  }
}

function drop(pending: Pending, reason: unknown): void {
  if (pending.isDropped) return;
  pending.isDropped = true;
  stopWatching(pending);
  pending.reject(reason);
}

function stopWatching(pending: Pending): void {
  clearTimeout(pending.timer);
  if (pending.onAbort !== undefined) pending.options.signal?.removeEventListener('abort', pending.onAbort);
}

/**
 * Room of a thread for what is young. Whatever it makes of records is gone with the request: with the room which V8 would
 * give to each the garbage of three of them is a hundred megabytes.
 */
const YOUNG_MB = 16;

/** How long a request may go on after it was interrupted. */
const GRACE_MS = 500;

function rejectAll(waiting: readonly Pending[]): void {
  for (const { reject } of waiting) reject(broken());
}

function broken(cause?: unknown): TracingError {
  return new TracingError('unavailable', 'Cannot use the storage: its thread has ended', { cause });
}

/** Sources under a test runner, JavaScript in the package. */
function threadFile(): string {
  return createRequire(import.meta.url).resolve('#storage-thread');
}
