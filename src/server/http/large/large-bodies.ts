// docs/decisions/0029-large-bodies-are-read-in-a-thread.md says why.
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { TracingError } from '../../../protocol/error.ts';
import { unpackFacts } from '../../../storage/packed/packed-facts.ts';
import { feedbackOf } from '../../../storage/packed/packed-feedback.ts';
import { joinDigests, type PackedTable, tableOf } from '../../../storage/packed/packed-table.ts';
import type { ServedName } from '../../../protocol/endpoints.ts';
import type { Packed } from '../../../storage/packed/packing.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { BodyShape } from '../body/body-survey.ts';
import type { Asked } from '../asked.ts';
import { changedBy, type ChangedCall } from '../../page/call-changes.ts';
import type { EndedUsage } from '../../ingest/calls/ended-usage.ts';
import { TaskThread, ThreadEnded } from '../../task-thread.ts';
import { WaitingLine } from '../waiting-line.ts';
import {
  type BodyResult,
  type BodyTask,
  type FromBodyThread,
  outcomeOf,
  type StorageCall,
  thrownError,
  type ToBodyThread,
} from './body-messages.ts';

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

/** Who is told what the thread has written. */
interface WriteListeners {
  readonly onEnded: (ended: readonly EndedUsage[]) => void;
  readonly onChanged: (changed: readonly ChangedCall[]) => void;
}

type Method = (...args: unknown[]) => unknown;

/** Is a body to be read elsewhere? */
export function isLarge({ length }: Uint8Array, { parseMs, values }: BodyShape): boolean {
  return length > MAX_BYTES || parseMs > MAX_PARSE_MS || values > MAX_VALUES;
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
  readonly #storage: Storage;
  readonly #listeners: WriteListeners;
  readonly #thread = new TaskThread(threadFile, { name: 'spoor large bodies', memoryMb: MEMORY_MB });
  readonly #line = new WaitingLine(LINE);
  #waitingBytes = 0;

  constructor(storage: Storage, listeners: WriteListeners) {
    this.#storage = storage;
    this.#listeners = listeners;
  }

  /** The bytes are the thread's from then on. Nothing is begun for a client that has gone. */
  async carryOut(task: BodyTask, bytes: Buffer, signal: AbortSignal): Promise<BodyResult> {
    const { length } = bytes;
    if (this.#waitingBytes > 0 && this.#waitingBytes + length > MAX_WAITING_BYTES) {
      throw new TracingError('rate_limited', 'Cannot read the body now: too many large ones wait');
    }
    this.#waitingBytes += length;
    try {
      return await this.#line.run(async () => await this.#run(task, bytes), signal);
    } finally {
      this.#waitingBytes -= length;
    }
  }

  /** Nothing is carried out any more: requests have ended. */
  async close(): Promise<void> {
    await this.#thread.end();
  }

  async #run(task: BodyTask, bytes: Buffer): Promise<BodyResult> {
    try {
      return await this.#thread.use(async (worker) => {
        const done = this.#listen(worker);
        const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
        post(worker, { task, bytes: own }, [own.buffer as ArrayBuffer]);
        return await done;
      });
    } catch (error) {
      if (!(error instanceof ThreadEnded) || !error.isOutOfMemory) throw error;
      throw new TracingError('payload_too_large', 'Cannot read the body: it takes too much memory', { cause: error });
    }
  }

  #listen(worker: Worker): Promise<BodyResult> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: FromBodyThread) => {
        if (message === 'ready') return;
        if ('call' in message) return void this.#answer(worker, message);
        worker.off('message', onMessage);
        if ('error' in message.done) reject(thrownError(message.done.error));
        else resolve(message.done.result as BodyResult);
      };
      worker.on('message', onMessage);
    });
  }

  async #answer(worker: Worker, { call, store, method, args }: StorageCall): Promise<void> {
    // What came was copied into this thread, and will be copied again: others have their turn between. The first
    // immediate still belongs to the turn in which it came.
    await setImmediate();
    await setImmediate();
    const outcome = await outcomeOf(async () => await this.#call(store, method, args));
    post(worker, { call, ...outcome });
  }

  async #call(store: string, method: string, args: readonly unknown[]): Promise<unknown> {
    // What was sent is what the thread made of facts.
    if (store === 'ended') return this.#listeners.onEnded(args[0] as readonly EndedUsage[]);
    if (store === 'changed') return this.#listeners.onChanged(args[0] as readonly ChangedCall[]);
    if (store === 'packed') return await this.#write(method, args);
    const owner = this.#storage[store as 'calls'] as unknown as Record<string, Method>;
    // Only our own thread asks, for methods of the storage.
    return await owner[method]?.(...args);
  }

  async #write(method: string, args: readonly unknown[]): Promise<unknown> {
    const { capabilities, packed } = this.#storage;
    try {
      if (packed === undefined) return await this.#unpacked(method, args);
      return await (packed as unknown as Record<string, Method>)[method]?.(...args);
    } catch (error) {
      // A part of the batch may be there.
      const isPartial = method === 'writeCalls' && !capabilities.atomicBatches;
      if (isPartial) this.#listeners.onChanged(changedBy(unpackFacts(args[0] as Packed)));
      throw error;
    }
  }

  async #unpacked(method: string, [packed, digest]: readonly unknown[]): Promise<unknown> {
    const { tables, feedback } = this.#storage;
    if (method === 'createFeedback') return await feedback.createAll(feedbackOf(packed as Packed));
    if (method === 'createTable') {
      const table = tableOf(packed as PackedTable);
      return await tables.create({ ...table, row_digests: [...table.row_digests] });
    }
    if (method === 'getRowDigests') {
      const digests = await tables.getRowDigests(String(packed), String(digest));
      return digests && joinDigests(digests);
    }
    const written = await this.#storage.calls.write(unpackFacts(packed as Packed));
    return written.map(({ trace_id: traceId }) => traceId);
  }
}

/** What the thread has to know of a request. */
export function askedOf({ caller, headers, dialect, routeOptions, params }: Asked): BodyTask['asked'] {
  return { caller, headers: { ...headers }, dialect: dialect?.name, url: routeOptions.url, params };
}

/** Sources under a test runner, JavaScript in the package. */
function threadFile(): string {
  return createRequire(import.meta.url).resolve('#body-thread');
}

function post(worker: Worker, message: ToBodyThread, transferred: readonly ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  worker.postMessage(message, transferred);
}
