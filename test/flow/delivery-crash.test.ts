import { describe, expect, test, vi } from 'vitest';
import { expectSteps, useFaultyWay } from './faulty-way.ts';
import { startProgram } from './program.ts';

// What is written ahead at each turn of the event loop survives ends that let nobody write.

const way = useFaultyWay();

/** Nothing is sent while the program runs, so what is there later was on disk. */
function keepSilent(): void {
  way.proxy.plan = () => ({ kind: 'hang' });
}

async function expectKept(count: number): Promise<void> {
  expect(await way.steps()).toEqual([]);
  way.proxy.plan = () => undefined;
  await expectSteps(way, count);
}

describe("with durability 'crash' all but the last turn of the event loop survives", () => {
  test.each([
    ['SIGKILL', "process.kill(process.pid, 'SIGKILL');", 'SIGKILL'],
    ['process.abort', 'process.abort();', 'SIGABRT'],
  ])('%s', async (_name, end, signal) => {
    keepSilent();
    const source = `
      import { setImmediate as turn } from 'node:timers/promises';
      init({ durability: 'crash' });
      for (let n = 0; n < 100; n++) { step(n); if (n % 10 === 9) await turn(); }
      await turn();
      ${end}`;
    // Without a core dump, which takes long.
    const through = ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh'];
    const program = startProgram(way.home, source, way.environment(), { through });
    expect(await program.ended).toMatchObject({ code: null, signal });
    await expectKept(100);
  });
});

describe('all but the last turn of a worker thread survives, without any option, when', () => {
  const source = (main: string) => `
    import { once } from 'node:events';
    import { setImmediate as turn } from 'node:timers/promises';
    import { isMainThread, parentPort, Worker } from 'node:worker_threads';
    if (isMainThread) {
      const worker = new Worker(new URL(import.meta.url));
      await once(worker, 'message');
      ${main}
    } else {
      for (let n = 0; n < 100; n++) { step(n); if (n % 10 === 9) await turn(); }
      await turn();
      parentPort.postMessage('recorded');
      setInterval(() => {}, 1000);
    }`;

  test.each([
    ['the main thread calls process.exit', 'process.exit(6);', 6],
    ['the main thread throws', "throw new Error('boom');", 1],
    ['worker.terminate ends it', 'await worker.terminate();', 0],
  ])('%s', async (_name, main, code) => {
    keepSilent();
    const program = startProgram(way.home, source(main), way.environment());
    expect(await program.ended).toMatchObject({ code, signal: null });
    await expectKept(100);
  });

  test('worker.terminate ends it in a program that goes on, which then delivers it', async () => {
    keepSilent();
    const main = "await worker.terminate(); console.log('terminated'); step(100); setInterval(() => {}, 1000);";
    const program = startProgram(way.home, source(main), way.environment());
    expect(await program.line()).toBe('terminated');
    way.proxy.plan = () => undefined;
    await vi.waitFor(async () => expect(await way.steps()).toHaveLength(101), { timeout: 20_000 });
    program.child.kill('SIGKILL');
    await program.ended;
  });
});
