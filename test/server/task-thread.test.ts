import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { TaskThread } from '../../src/server/task-thread.ts';

const READY = `const { parentPort } = require('node:worker_threads'); parentPort.postMessage('ready');`;

/** Answers what it is asked, and ends on demand: by itself, by an error, or for want of memory. */
const PROGRAM = `${READY}
parentPort.on('message', (task) => {
  if (task === 'exit') process.exit(0);
  if (task === 'throw') throw new Error('no more');
  if (task === 'fill') for (const kept = []; ;) kept.push({ kept });
  parentPort.postMessage(task);
});`;

function threadOf(program: string | undefined): { thread: TaskThread; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-thread-'));
  const file = join(folder, 'thread.cjs');
  if (program !== undefined) writeFileSync(file, program);
  const thread = new TaskThread(() => file, { name: 'test', memoryMb: 32 });
  onTestFinished(async () => {
    await thread.end();
    rmSync(folder, { recursive: true });
  });
  return { thread, file };
}

const ask = (task: string) => async (worker: Worker) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  worker.postMessage(task);
  return ((await once(worker, 'message')) as unknown[])[0];
};

test.each([
  ['cannot be read', undefined],
  ['ends before it is ready', 'process.exit(0)'],
  ['throws before it is ready', 'throw new Error("no")'],
])('a thread whose program %s is started again for the next task', async (_name, program) => {
  const { thread, file } = threadOf(program);
  await expect(thread.use(ask('a'))).rejects.toMatchObject({ code: 'unavailable', isOutOfMemory: false });
  writeFileSync(file, PROGRAM);
  expect(await thread.use(ask('b'))).toBe('b');
});

test.each([
  ['exit', false],
  ['throw', false],
  ['fill', true],
])('a task whose thread ends by "%s" is told so, and the next one has another', async (task, isOutOfMemory) => {
  const { thread } = threadOf(PROGRAM);
  for (let round = 0; round < 2; round++) {
    await expect(thread.use(ask(task))).rejects.toMatchObject({ code: 'unavailable', isOutOfMemory });
    expect(await thread.use(ask('b'))).toBe('b');
  }
});

test('a thread that ends between two tasks is started again', async () => {
  const { thread } = threadOf(PROGRAM);
  for (let round = 0; round < 3; round++) {
    const worker = await thread.use(async (current) => await Promise.resolve(current));
    await worker.terminate();
    expect(await thread.use(ask('a'))).toBe('a');
  }
});
