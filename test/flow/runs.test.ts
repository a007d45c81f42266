import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { commitAll, headOf, makeRepository } from '../git-repository.ts';
import { useFaultyWay } from './faulty-way.ts';
import { readerOf, startProgram, runProgram } from './program.ts';
import { makeHome } from './service-process.ts';
import type { Run } from '../../src/protocol/page/run.ts';

const way = useFaultyWay();

/** With their sums, which a service that is kept waiting for too long leaves out. */
async function runsOf(): Promise<Run[]> {
  const { page } = readerOf(way.service, way.project);
  let runs: Run[] = [];
  const look = async () => (({ runs } = await page.runs()), runs.map(({ calls }) => calls));
  await expect.poll(look, { timeout: 30_000 }).not.toContain(null);
  return runs;
}

function newRepository(): string {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  return makeRepository(realpathSync(home));
}

/** Counts come a moment later where the service is slow with them. */
async function expectRuns(...expected: readonly object[]): Promise<void> {
  await expect.poll(runsOf).toMatchObject(expected);
}

/** Longer than a program waits for git. */
const GIT_MS = 3000;

/** Runs a program in a folder that records until it is told to end, which it is when git has answered or is given up. */
async function recordIn(folder: string): Promise<Run> {
  const known = new Set((await runsOf()).map(({ id }) => id));
  const source = `step(0);
    const timer = setInterval(() => step(1), 20);
    process.stdin.once('data', () => clearInterval(timer)).once('data', () => process.stdin.destroy());`;
  // As for users, who have not switched git off.
  const env = way.environment({ SPOOR_RECORD_GIT: undefined });
  const program = startProgram(way.home, source, env, { through: ['env', '-C', folder] });
  const own = async () => (await runsOf()).find(({ id }) => !known.has(id));
  await expect.poll(own).toBeDefined();
  const isGivenUp = AbortSignal.timeout(GIT_MS);
  while ((await own())?.is_dirty === null && !isGivenUp.aborted) await wait(20);
  program.child.stdin?.write('end');
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  const run = await own();
  if (run === undefined) throw new Error('The run is gone');
  return run;
}

/** On a machine that has other work git may be too slow for a program, which then never knows; the next one asks again. */
async function runIn(folder: string): Promise<Run> {
  for (let tries = 0; tries < 5; tries++) {
    const run = await recordIn(folder);
    if (run.is_dirty !== null) return run;
  }
  throw new Error('Git was too slow for each program');
}

const STEPS = 'for (let n = 0; n < 3; n++) step(n);';

test('each run of a program has its commit, and whether files were changed', async () => {
  const folder = newRepository();
  const first = headOf(folder);
  const clean = await runIn(folder);
  writeFileSync(join(folder, 'main.js'), 'changed');
  const changed = await runIn(folder);
  commitAll(folder);
  const committed = await runIn(folder);
  const runs = [committed, changed, clean];
  expect(runs.map(({ commit, is_dirty: isDirty }) => [commit, isDirty])).toEqual([
    [headOf(folder), false],
    [first, true],
    [first, false],
  ]);
  const ids = runs.map(({ id }) => id);
  expect((await runsOf()).map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(3);
  expect(runs).toMatchObject(runs.map(() => ({ entry_op: 'step', errors: 0, running: 0 })));
  for (const run of runs) expect(Date.parse(run.started_at ?? '')).toBeLessThan(Date.parse(run.first_call_at));
});

test('what git and the machine are called can be left out', async () => {
  const env = { SPOOR_RECORD_GIT: '0', SPOOR_RECORD_HOST: 'off' };
  const through = ['env', '-C', newRepository()];
  const ended = await runProgram(way.home, `${STEPS} await flush();`, way.environment(env), { through });
  expect(ended).toEqual({ code: 0, signal: null, stderr: '' });
  await way.drain();
  await expectRuns({ commit: null, is_dirty: null, host: null, calls: 3 });
  const told = way.proxy.requests.map(({ headers }) => JSON.stringify(headers));
  expect(told.filter((text) => text.includes('svc-sender') || text.includes('host='))).toEqual([]);
});

test('worker threads are of the run of their process, child processes are runs of their own', async () => {
  const source = `
    import { fork } from 'node:child_process';
    import { once } from 'node:events';
    import { isMainThread, Worker } from 'node:worker_threads';
    const own = traced(function own(n) { return n; }, { op: false });
    if (!isMainThread) step(1);
    else if (process.argv[2] === 'child') own(2);
    else {
      const worker = new Worker(new URL(import.meta.url));
      await once(worker, 'exit');
      step(0);
      await once(fork(import.meta.filename, ['child']), 'exit');
    }`;
  expect(await runProgram(way.home, source, way.environment())).toEqual({ code: 0, signal: null, stderr: '' });
  await way.drain();
  await expectRuns({ entry_op: 'own', calls: 1 }, { entry_op: 'step', calls: 2 });
  expect(new Set((await runsOf()).map(({ pid }) => pid)).size).toBe(2);
});

test('what was left on disk is of the run that recorded it, whoever delivers it', async () => {
  way.proxy.plan = () => ({ kind: 'answer', status: 401 });
  const left = startProgram(way.home, `${STEPS} console.log(process.pid);`, way.environment());
  const pid = Number(await left.line());
  await left.ended;
  expect(way.segments()).toHaveLength(1);
  way.proxy.plan = () => undefined;
  expect((await way.drain()).code).toBe(0);
  await expectRuns({ pid, calls: 3, entry_op: 'step' });
});

test('what is sent while a program ends is of its run', async () => {
  const ended = await runProgram(way.home, `${STEPS} process.exit(0);`, way.environment());
  expect(ended).toEqual({ code: 0, signal: null, stderr: '' });
  await way.drain();
  await expect.poll(runsOf, { timeout: 20_000 }).toMatchObject([{ calls: 3, entry_op: 'step' }]);
});

test('a program that is killed is the same run before and after', async () => {
  const source = `${STEPS} await flush(); step(3); setImmediate(() => process.kill(process.pid, 'SIGKILL'));`;
  const killed = await runProgram(way.home, source, way.environment({ SPOOR_DURABILITY: 'crash' }));
  expect(killed).toMatchObject({ signal: 'SIGKILL' });
  await way.drain();
  await expectRuns({ calls: 4 });
});
