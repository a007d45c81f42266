import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { TracingError } from '../../protocol/error.ts';
import type { SchemaTask, Verdict } from './schema-thread.ts';
import { threadFlags } from '../../storage/thread-flags.ts';

/** Nearly all checks take less than a hundredth of it; a pattern may be made to take years. */
const CHECK_MS = 1000;

/** Who waited so long behind the checks of others is asked to come again. */
const WAIT_MS = 4000;

/** A thread that has nothing to do for so long is ended. */
const IDLE_MS = 10_000;

const MEMORY_MB = 128;

let last: Promise<unknown> = Promise.resolve();
let thread: Promise<Worker> | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Checks a value against a schema that somebody sent, in a thread of its own: neither can hold up the service. Rejects
 * with `invalid_request` where they take too long and with `rate_limited` where others do. One check at a time.
 */
export async function checkSchema(task: SchemaTask): Promise<Verdict> {
  const since = performance.now();
  const verdict = last.then(async () => {
    if (performance.now() - since <= WAIT_MS) return await check(task);
    throw new TracingError('rate_limited', 'Cannot check the value now: too many others are being checked');
  });
  last = verdict.catch(() => undefined);
  return await verdict;
}

async function check(task: SchemaTask): Promise<Verdict> {
  clearTimeout(idle);
  const worker = await (thread ??= startThread());
  worker.ref();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), CHECK_MS);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    worker.postMessage(task);
    const [verdict] = (await once(worker, 'message', { signal: stop.signal })) as [Verdict];
    return verdict;
  } catch (error) {
    endThread();
    throw new TracingError('invalid_request', 'Cannot check the value: its schema takes too much time or memory', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    worker.unref();
    idle = setTimeout(endThread, IDLE_MS).unref();
  }
}

/** Nobody who annotates nothing has the thread. It says so when it has loaded the validator. */
async function startThread(): Promise<Worker> {
  // Sources under a test runner, JavaScript in the package.
  const file = createRequire(import.meta.url).resolve('#schema-thread');
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  const worker = new Worker(file, { name: 'spoor schemas', ...threadFlags(), resourceLimits });
  // A thread may run out of memory when it is not waited for any more.
  worker.on('error', endThread);
  await once(worker, 'message');
  return worker;
}

function endThread(): void {
  const ending = thread;
  thread = undefined;
  ending?.then((worker) => worker.terminate()).catch(() => undefined);
}
