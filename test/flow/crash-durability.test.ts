import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expectDelivering, expectSteps, PATIENT, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';

// Ends that no program sees coming. The service has a state folder of its own, so what it has came from a program.

const way = useFaultyWay();

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return way.environment({ SPOOR_DURABILITY: 'crash', ...more });
}

/** The next program of the same target delivers what others left. */
async function stepsAfterNextProgram(): Promise<number[]> {
  const next = 'trace("next", () => 1); await flush();';
  expect(await runProgram(way.home, next, environment())).toMatchObject({ code: 0, stderr: '' });
  // On a slow machine the two seconds of its end are not enough.
  await way.drain();
  return way.steps();
}

const THOUSAND = 'for (let n = 0; n < 1000; n++) step(n);';
const NEXT_TURN = 'await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));';
const KILL = `process.kill(process.pid, 'SIGKILL');`;

describe.each([
  ['kill -9', KILL, { code: null, signal: 'SIGKILL' }],
  ['process.abort', 'process.abort();', { code: null, signal: 'SIGABRT' }],
])('%s in the next turn', (_name, kill, end) => {
  // Two turns are enough for a fast machine to have sent all of it.
  beforeEach(keepSilent);

  test('loses nothing with durability "crash"', async () => {
    expect(await runProgram(way.home, `${THOUSAND} ${NEXT_TURN} ${kill}`, environment())).toMatchObject(end);
    way.proxy.plan = () => undefined;
    expect(await stepsAfterNextProgram()).toEqual(upTo(1000));
  });

  test('loses what was not sent without it', async () => {
    const source = `${THOUSAND} ${NEXT_TURN} console.log(stats().recorded); ${kill}`;
    const program = startProgram(way.home, source, environment({ SPOOR_DURABILITY: 'exit' }));
    expect(await program.line()).toBe('2000');
    expect(await program.ended).toMatchObject(end);
    expect(way.segments()).toEqual([]);
    expect(await way.steps()).toEqual([]);
  });
});

test('in a long turn records do not wait for its end', async () => {
  const source = `for (let n = 0; n < 3000; n++) step(n), trace('long', () => 'x'.repeat(1000)); ${KILL}`;
  await runProgram(way.home, source, environment());
  // At most 256 KiB and some milliseconds of 3 MB were in memory.
  expect((await stepsAfterNextProgram()).length).toBeGreaterThan(2000);
});

test('kill -9 while a service is silent loses nothing', async () => {
  way.proxy.plan = () => ({ kind: 'hang' });
  const program = startProgram(way.home, `${THOUSAND} console.log('on'); setInterval(() => {}, 1000);`, environment());
  await program.line();
  await expect.poll(() => way.proxy.requests.length).toBeGreaterThan(0);
  program.child.kill('SIGKILL');
  await program.ended;
  way.proxy.plan = () => undefined;
  expect(await stepsAfterNextProgram()).toEqual(upTo(1000));
});

test('all arrives once, soon, and nothing stays on disk', async () => {
  const source = `${THOUSAND} console.log(JSON.stringify(await flush())); console.log(JSON.stringify(stats()));`;
  // What is answered late is sent again.
  const program = startProgram(way.home, source, environment(PATIENT));
  expect(JSON.parse(await program.line())).toEqual({ sent: 2000, spooled: 0, dropped: 0 });
  expect(JSON.parse(await program.line())).toMatchObject({ recorded: 2000, queued: 0, sent: 2000, spooled: 0 });
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(way.segments()).toEqual([]);
  expect(await way.steps()).toEqual(upTo(1000));
  const items = way.proxy.requests.flatMap(({ body }) => (JSON.parse(body) as { batch: unknown[] }).batch);
  expect(items).toHaveLength(2000);
});

test('a running program delivers without being asked', async () => {
  const program = startProgram(way.home, `${THOUSAND} setInterval(() => {}, 1000);`, environment());
  await expect.poll(() => way.steps(), { timeout: 15_000 }).toEqual(upTo(1000));
  program.child.kill('SIGKILL');
  await program.ended;
});

test('a program that ends while records are on their way from the disk waits for them', async () => {
  way.proxy.plan = () => ({ kind: 'delay', ms: 300 });
  const run = async () => {
    const source = `step(0); process.stdin.once('data', () => process.stdin.unref());`;
    const program = startProgram(way.home, source, environment(PATIENT));
    await expect.poll(() => way.proxy.requests.length).toBeGreaterThan(0);
    program.child.stdin?.write('end');
    return await program.ended;
  };
  expect(await expectDelivering(way, 1, run)).toMatchObject({ code: 0, stderr: '' });
});

test('where the disk takes nothing records are sent from memory', async () => {
  const locked = join(way.home, 'locked');
  writeFileSync(locked, 'no folder');
  const source = `${THOUSAND} ${NEXT_TURN} console.log(JSON.stringify(await flush()));`;
  const program = startProgram(way.home, source, environment({ SPOOR_HOME: locked }));
  expect(JSON.parse(await program.line())).toEqual({ sent: 2000, spooled: 0, dropped: 0 });
  const { code, stderr } = await program.ended;
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('Cannot keep records on disk')]);
  expect(await way.steps()).toEqual(upTo(1000));
});

test('worker threads write ahead unless told otherwise', async () => {
  const source = `
    import { isMainThread, Worker } from 'node:worker_threads';
    if (isMainThread) {
      console.log(init().config.durability);
      new Worker(new URL(import.meta.url));
    } else console.log(init().config.durability);`;
  const program = startProgram(way.home, source, environment({ SPOOR_DURABILITY: '' }));
  expect([await program.line(), await program.line()]).toEqual(['exit', 'crash']);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
});

/** Nothing is sent while the program runs, so what is there later was on disk. */
function keepSilent(): void {
  way.proxy.plan = () => ({ kind: 'hang' });
}

async function expectKept(count: number): Promise<void> {
  expect(await way.steps()).toEqual([]);
  way.proxy.plan = () => undefined;
  await expectSteps(way, count);
}

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
