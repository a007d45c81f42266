import { describe, expect, test } from 'vitest';
import { expectSteps, PATIENT, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';

const way = useFaultyWay();

/** A program whose worker threads are the same file. The main thread calls `step` from 0 to 99, the worker from 100. */
const withWorker = (main: string, worker: string) => `
  import { once } from 'node:events';
  import { isMainThread, parentPort, Worker } from 'node:worker_threads';
  if (isMainThread) {
    for (let n = 0; n < 100; n++) step(n);
    const worker = new Worker(new URL(import.meta.url));
    ${main}
  } else {
    for (let n = 100; n < 200; n++) step(n);
    ${worker}
  }`;

test('a worker thread that simply ends has delivered all before the program ends', async () => {
  const source = withWorker("console.log(await once(worker, 'exit'));", '');
  const program = startProgram(way.home, source, way.environment(PATIENT));
  expect(await program.line()).toBe('[ 0 ]');
  expect(await way.steps()).toEqual(expect.arrayContaining(upTo(200).slice(100)));
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(await way.steps()).toEqual(upTo(200));
  expect(way.segments()).toEqual([]);
});

test('a worker thread that calls process.exit ends with its code, and loses nothing', async () => {
  const source = withWorker("console.log(await once(worker, 'exit'));", 'process.exit(4);');
  const program = startProgram(way.home, source, way.environment());
  expect(await program.line()).toBe('[ 4 ]');
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  await expectSteps(way, 200);
});

test('an error thrown in a worker thread reaches its parent as without us, and loses nothing', async () => {
  const main = "worker.on('error', ({ message }) => console.log(message)).on('exit', (code) => console.log(code));";
  const program = startProgram(way.home, withWorker(main, "throw new Error('boom');"), way.environment());
  expect(await program.line()).toBe('boom');
  expect(await program.line()).toBe('1');
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  await expectSteps(way, 200);
});

test('an error of a worker thread that nobody listens for ends the program as without us, and loses nothing', async () => {
  const { code, stderr } = await runProgram(way.home, withWorker('', "throw new Error('boom');"), way.environment());
  expect(code).toBe(1);
  expect(stderr).toContain('boom');
  await expectSteps(way, 200);
});

describe('the main thread ends, whose worker has told of its calls, and has not lost what the worker has', () => {
  test.each(['sent', 'spooled'] as const)('%s, as process.exit ends it', async (fate) => {
    if (fate === 'spooled') way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const worker = `await flush(); parentPort.postMessage(JSON.stringify(stats())); setInterval(() => {}, 1000);`;
    const main = "console.log(...await once(worker, 'message')); process.exit(6);";
    const program = startProgram(way.home, withWorker(main, worker), way.environment());
    const counts = JSON.parse(await program.line()) as Record<string, number>;
    expect(counts[fate]).toBe(200);
    expect(await program.ended).toMatchObject({ code: 6, signal: null });
    way.proxy.plan = () => undefined;
    await expectSteps(way, 200);
  });

  test('spooled, as worker.terminate ends it', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const worker = "await flush(); parentPort.postMessage('flushed'); setInterval(() => {}, 1000);";
    const main = "await once(worker, 'message'); console.log(await worker.terminate());";
    const program = startProgram(way.home, withWorker(main, worker), way.environment());
    expect(await program.line()).toBe('1');
    expect(await program.ended).toMatchObject({ code: 0, signal: null });
    way.proxy.plan = () => undefined;
    await expectSteps(way, 200);
  });
});
