import type { Worker } from 'node:worker_threads';

/** Calls back with the number of each worker thread of this one that ends, as long as the process runs. */
export function onThreadEnd(callback: (threadId: number) => void): void {
  process.on('worker', (worker: Worker) => {
    // When it has ended it has no number any more.
    const { threadId } = worker;
    worker.once('exit', () => callback(threadId));
  });
}
