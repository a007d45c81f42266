// docs/decisions/0029-large-bodies-are-read-in-a-thread.md says why.
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { TracingError } from '../../../protocol/error.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { ServedName } from '../../../protocol/endpoints.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { AsyncHandlers } from '../../../storage/thread-exchanges.ts';
import type { BodyShape } from '../../http/body/body-survey.ts';
import type { Asked } from '../../http/asked.ts';
import { TaskThread, ThreadEnded } from '../../task-thread.ts';
import { WaitingLine } from '../../http/waiting-line.ts';
import {
  type AnsweredBody,
  type AnsweredName,
  type BodyAnswerTo,
  type BodyRequest,
  type BodyTask,
  type FromBodyThread,
  outcomeOf,
  type StorageMessage,
  thrownError,
  type ToBodyThread,
} from './body-messages.ts';
import { answerTo, storageAnswers, type WriteListeners } from './storage-answers.ts';
import type { StorageExchanges } from './storage-requests.ts';

/** Beyond so much work a body is no matter of a few dozen milliseconds. */
const MAX_PARSE_MS = 25;
const MAX_BYTES = 4 * 1024 * 1024;

/** Bodies that may wait for the thread, and how long. */
const LINE = { maxWaiting: 64, waitMs: 10_000 };

/** Bytes of bodies that may wait for the thread; one alone is always taken. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** A body of the largest size with the most values that are accepted takes half of it. */
const MEMORY_MB = 640;

/** Values that are parsed in a moment are checked, written as text and hashed one by one. */
const MAX_VALUES = 50_000;

/** Values whose text is made anew, for their digest or their size, take so many times as long after they are parsed. */
const CANONICAL_WEIGHT = 4;
const CANONICAL: readonly ServedName[] = [
  'objCreate',
  'tableCreate',
  'feedbackCreate',
  'feedbackReplace',
  'feedbackBatchCreate',
];

/** Is a body to be read elsewhere? */
export function isLarge(name: ServedName, { length }: Uint8Array, { parseMs, values }: BodyShape): boolean {
  const weight = CANONICAL.includes(name) ? CANONICAL_WEIGHT : 1;
  return length * weight > MAX_BYTES || parseMs > MAX_PARSE_MS || values * weight > MAX_VALUES;
}

/** Does a request change what may be large, however small its body is? A table has up to a million rows. */
export function hasLargeSubject(name: ServedName): boolean {
  return name === 'tableUpdate';
}

/**
 * Carries out requests with large bodies in a thread of its own, one after the other: parsing 32 MiB takes half a second,
 * and checking and writing what was parsed as long again. The thread has no storage and asks for what it needs.
 */
export class LargeBodies {
  readonly #answers: AsyncHandlers<StorageExchanges>;
  readonly #thread = new TaskThread(threadFile, { name: 'spoor large bodies', memoryMb: MEMORY_MB });
  readonly #line = new WaitingLine(LINE);
  #waitingBytes = 0;

  constructor(storage: Storage, listeners: WriteListeners) {
    this.#answers = storageAnswers(storage, listeners);
  }

  /** Carries out a request; the bytes of its body are the thread's from then on. */
  async answer(task: BodyTask<AnsweredName>, bytes: Buffer, signal: AbortSignal): Promise<AnsweredBody> {
    return await this.#carryOut({ op: 'answer', ...task }, bytes, signal);
  }

  /** Reads and checks the body of a request; its bytes are the thread's from then on. */
  async check(task: BodyTask, bytes: Buffer, signal: AbortSignal): Promise<JsonValue> {
    return await this.#carryOut({ op: 'check', ...task }, bytes, signal);
  }

  /** Nothing is carried out any more: requests have ended. */
  async close(): Promise<void> {
    await this.#thread.end();
  }

  /** Nothing is begun for a client that has gone. */
  async #carryOut<Given extends BodyRequest>(
    request: Given,
    bytes: Buffer,
    signal: AbortSignal,
  ): Promise<BodyAnswerTo<Given>> {
    const { length } = bytes;
    if (this.#waitingBytes > 0 && this.#waitingBytes + length > MAX_WAITING_BYTES) {
      throw new TracingError('rate_limited', 'Cannot read the body now: too many large ones wait');
    }
    this.#waitingBytes += length;
    try {
      return await this.#line.run(async () => await this.#run(request, bytes), signal);
    } finally {
      this.#waitingBytes -= length;
    }
  }

  async #run<Given extends BodyRequest>(request: Given, bytes: Buffer): Promise<BodyAnswerTo<Given>> {
    try {
      return await this.#thread.use(async (worker) => {
        const done = this.#listen<Given>(worker);
        const own = ownMemory(bytes);
        post(worker, { request, bytes: own }, [own.buffer]);
        return await done;
      });
    } catch (error) {
      if (!(error instanceof ThreadEnded) || !error.isOutOfMemory) throw error;
      throw new TracingError('payload_too_large', 'Cannot read the body: it takes too much memory', { cause: error });
    }
  }

  #listen<Given extends BodyRequest>(worker: Worker): Promise<BodyAnswerTo<Given>> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: FromBodyThread) => {
        if (message === 'ready') return;
        if ('call' in message) return void this.#answerThread(worker, message);
        worker.off('message', onMessage);
        if ('error' in message.done) reject(thrownError(message.done.error));
        // The thread carries out one request at a time, and answers what the exchanges say.
        else resolve(message.done.result);
      };
      worker.on('message', onMessage);
    });
  }

  async #answerThread(worker: Worker, { call, request }: StorageMessage): Promise<void> {
    // What came was copied into this thread, and will be copied again: others have their turn between. The first
    // immediate still belongs to the turn in which it came.
    await setImmediate();
    await setImmediate();
    post(worker, { call, ...(await outcomeOf(async () => await answerTo(request, this.#answers))) });
  }
}

/** The parts of a request that the thread has to know. */
export function askedOf({ caller, headers, dialect, routeOptions, params }: Asked): BodyTask['asked'] {
  return { caller, headers: { ...headers }, dialect: dialect?.name, url: routeOptions.url, params };
}

/** Bytes in memory of their own, which another thread can be given; copied where others are in it too. */
function ownMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}

/** Sources under a test runner, JavaScript in the package. */
function threadFile(): string {
  return createRequire(import.meta.url).resolve('#body-thread');
}

function post(worker: Worker, message: ToBodyThread, transferred: readonly ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  worker.postMessage(message, transferred);
}
