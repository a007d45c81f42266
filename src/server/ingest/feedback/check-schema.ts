import { once } from 'node:events';
import { createRequire } from 'node:module';
import { TracingError } from '../../../protocol/error.ts';
import type { SchemaTask, Verdict } from './schema-thread.ts';
import { TaskThread, ThreadEnded } from '../../task-thread.ts';

/** Nearly all checks take less than a hundredth of it; a pattern may be made to take years. */
const CHECK_MS = 1000;

/** Who waited so long behind the checks of others is asked to come again. */
const WAIT_MS = 4000;

/** Sources under a test runner, JavaScript in the package. Nobody who annotates nothing has the thread. */
const threadFile = () => createRequire(import.meta.url).resolve('#schema-thread');

const thread = new TaskThread(threadFile, { name: 'spoor schemas', memoryMb: 128 });

let last: Promise<unknown> = Promise.resolve();

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
  const stop = new AbortController();
  try {
    return await thread.use(async (worker) => {
      const timer = setTimeout(() => stop.abort(), CHECK_MS);
      try {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
        worker.postMessage(task);
        const [verdict] = (await once(worker, 'message', { signal: stop.signal })) as [Verdict];
        return verdict;
      } finally {
        clearTimeout(timer);
      }
    });
  } catch (error) {
    if (error instanceof ThreadEnded && !error.isOutOfMemory) throw error;
    await thread.end();
    throw new TracingError('invalid_request', 'Cannot check the value: its schema takes too much time or memory', {
      cause: error,
    });
  }
}
