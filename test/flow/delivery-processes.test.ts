import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeHome } from './service-process.ts';
import { expectDelivering, expectSteps, PATIENT, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';

// Several processes with one state folder.

const way = useFaultyWay();

/** Calls `step` from one number to below another. */
const stepping = (from: number, to: number) => `for (let n = ${from}; n < ${to}; n++) step(n);`;
const CLEAN = { code: 0, signal: null, stderr: '' };

/** The records that came to the proxy, each as often as it came. */
function deliveredRecords(): string[] {
  return way.proxy.requests.flatMap(({ body }) => {
    const { batch } = JSON.parse(body) as { batch: { mode: string; req: Record<string, { id: string }> }[] };
    return batch.map(({ mode, req }) => `${mode} ${req[mode]?.id}`);
  });
}

test('a forked program and the one that forks it both record', async () => {
  const source = `
    import { fork } from 'node:child_process';
    import { once } from 'node:events';
    if (process.argv[2] === 'child') {
      ${stepping(100, 200)}
      process.disconnect();
    } else {
      ${stepping(0, 50)}
      const child = fork(import.meta.filename, ['child']);
      ${stepping(50, 100)}
      const [code] = await once(child, 'exit');
      process.exitCode = code;
    }`;
  const run = () => runProgram(way.home, source, way.environment(PATIENT));
  expect(await expectDelivering(way, 200, run)).toEqual(CLEAN);
});

test('a forked program that outlives the one that forked it delivers its own', async () => {
  const source = `
    import { fork } from 'node:child_process';
    if (process.argv[2] === 'child') {
      process.once('disconnect', () => { ${stepping(100, 200)} });
      process.send('ready');
    } else {
      ${stepping(0, 100)}
      const child = fork(import.meta.filename, ['child'], { stdio: 'ignore' });
      child.once('message', () => process.exit(0));
    }`;
  expect(await runProgram(way.home, source, way.environment())).toEqual(CLEAN);
  await expectSteps(way, 200);
});

describe('a cluster loses nothing when', () => {
  test.each([
    ['the primary kills its workers', 'worker.kill();'],
    ['the primary sends its workers SIGTERM', "worker.process.kill('SIGTERM');"],
    ['the primary disconnects its workers', 'worker.disconnect();'],
    ['its workers call process.exit', "worker.send('exit');"],
    ['its workers fail', "worker.send('fail');"],
    ['the primary calls process.exit', 'process.exit(0);'],
    ['the primary is killed after a flush', "process.kill(process.pid, 'SIGKILL');"],
  ])('%s', async (_name, end) => {
    const source = `
      import cluster from 'node:cluster';
      import { once } from 'node:events';
      if (cluster.isPrimary) {
        ${stepping(0, 100)}
        await flush();
        const workers = [1, 2].map((number) => cluster.fork({ FROM: String(number * 100) }));
        await Promise.all(workers.map((worker) => once(worker, 'message')));
        const ends = Promise.all(workers.map((worker) => once(worker, 'exit')));
        for (const worker of workers) { ${end} }
        await ends;
      } else {
        process.on('message', (how) => {
          if (how === 'fail') throw new Error('boom');
          process.exit(3);
        });
        for (let n = 0; n < 100; n++) step(Number(process.env.FROM) + n);
        process.send('ready');
      }`;
    const { code, signal } = await runProgram(way.home, source, way.environment());
    expect({ code, signal }).toEqual(
      end.includes('SIGKILL') ? { code: null, signal: 'SIGKILL' } : { code: 0, signal: null },
    );
    await expectSteps(way, 300);
  });
});

/** Programs that ended and left a segment each, a hundred calls in it. */
async function leaveSegments(count: number): Promise<void> {
  way.proxy.plan = () => ({ kind: 'answer', status: 401 });
  for (const from of upTo(count)) await runProgram(way.home, stepping(from * 100, from * 100 + 100), way.environment());
  expect(way.segments()).toHaveLength(count);
  way.proxy.plan = () => undefined;
  way.proxy.requests.length = 0;
}

test('drains and a program that start at once deliver each segment once', async () => {
  await leaveSegments(6);
  way.proxy.plan = () => ({ kind: 'delay', ms: 100 });
  const source = `step(600); await flush(); await flush(); await new Promise((go) => process.stdin.once('data', go)); process.exit();`;
  // What is answered late is sent again.
  const program = startProgram(way.home, source, way.environment({ SPOOR_TIMEOUT_MS: '60000' }));
  const drains = await Promise.all([way.drain(), way.drain()]);
  expect(drains.map(({ stderr }) => stderr)).toEqual(['', '']);
  // A program that ends in the middle of a segment leaves it to others, who send it again.
  await expect.poll(() => way.segments(), { timeout: 15_000 }).toEqual([]);
  program.child.stdin?.write('go\n');
  expect(await program.ended).toEqual(CLEAN);
  await expectSteps(way, 601);
  const records = deliveredRecords();
  expect(records).toHaveLength(2 * 601);
  expect(new Set(records).size).toBe(records.length);
});

test('what one process delivers at the moment no other takes, also while it takes long', async () => {
  await leaveSegments(1);
  // Its own come first, then the segment.
  way.proxy.plan = ({ index }) => (index === 0 ? undefined : { kind: 'hang' });
  const source = 'step(100); setInterval(() => {}, 1000); void flush();';
  const first = startProgram(way.home, source, way.environment({ SPOOR_TIMEOUT_MS: '60000' }));
  await vi.waitFor(() => expect(deliveredRecords()).toHaveLength(202), { timeout: 10_000 });
  way.proxy.plan = () => undefined;
  const { code, stdout } = await way.drain();
  expect(code).toBe(1);
  expect(stdout).toContain('1 segment waits');
  expect(deliveredRecords()).toHaveLength(202);
  // Once its owner has ended it is everybody's.
  first.child.kill('SIGKILL');
  await first.ended;
  await expectSteps(way, 101);
});

test('two programs that wait on one disk for a service each deliver their own, once', async () => {
  way.proxy.plan = () => ({ kind: 'answer', status: 401 });
  const programs = [0, 100].map((from) => {
    const other = makeHome();
    onTestFinished(other.remove);
    const source = `
      ${stepping(from, from + 100)}
      console.log(JSON.stringify(await flush()));
      process.stdin.once('data', async () => {
        console.log(JSON.stringify(await flush()));
        process.stdin.unref();
      });`;
    return startProgram(other.home, source, way.environment({ SPOOR_HOME: way.home, SPOOR_TIMEOUT_MS: '60000' }));
  });
  const lines = () => Promise.all(programs.map(async (program) => JSON.parse(await program.line()) as unknown));
  expect(await lines()).toEqual(programs.map(() => ({ sent: 0, spooled: 200, dropped: 0 })));
  expect(way.segments()).toHaveLength(2);
  way.proxy.plan = () => undefined;
  way.proxy.requests.length = 0;
  for (const { child } of programs) child.stdin?.write('go\n');
  expect(await lines()).toEqual(programs.map(() => ({ sent: 200, spooled: 0, dropped: 0 })));
  for (const { ended } of programs) expect(await ended).toMatchObject({ code: 0 });
  expect(await way.steps()).toEqual(upTo(200));
  const records = deliveredRecords();
  expect(records).toHaveLength(400);
  expect(new Set(records).size).toBe(400);
});
