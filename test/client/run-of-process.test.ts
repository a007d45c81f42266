import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RunOfProcess } from '../../src/client/run-of-process.ts';
import { isRunId, parseRun } from '../../src/protocol/process-run.ts';
import { PACKAGE_VERSION } from '../../src/protocol/version.ts';

test('a run has the facts of its process', () => {
  const run = parseRun(new RunOfProcess({ mayAskGit: false }).text());
  expect(isRunId(run?.id ?? '')).toBe(true);
  expect(run).toMatchObject({ pid: process.pid, host: hostname(), version: PACKAGE_VERSION });
  const beganMs = Date.now() - process.uptime() * 1000;
  expect(Math.abs((run?.startedAt ?? 0) / 1000 - beganMs)).toBeLessThan(5000);
});

test('all that record in a process are of the same run', () => {
  const idOf = () => parseRun(new RunOfProcess({ mayAskGit: false }).text())?.id;
  expect(idOf()).toBe(idOf());
});

test('git is asked once, in the background', async () => {
  const run = new RunOfProcess({ mayAskGit: true });
  run.begin();
  run.begin();
  expect(parseRun(run.text())?.isDirty).toBeUndefined();
  await expect.poll(() => parseRun(run.text())?.isDirty, { timeout: 5000 }).toEqual(expect.any(Boolean));
  await run.known(1000);
});

test('who may not start git does not wait for it', async () => {
  const run = new RunOfProcess({ mayAskGit: false });
  await run.known(1000);
  run.begin();
  await run.known(1000);
  expect(parseRun(run.text())?.isDirty).toBeUndefined();
});

test('who flushes waits for git once, for a part of his time', async () => {
  const run = new RunOfProcess({ mayAskGit: true });
  run.begin();
  await run.known(0);
  const waited = run.known(Infinity).then(() => 'not any more');
  const turn = new Promise((resolve) => setTimeout(resolve, 0, 'a turn'));
  expect(await Promise.race([waited, turn])).toBe('not any more');
});

test('threads are told the run where the system does not say when a process began', async () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  vi.resetModules();
  vi.doMock('../../src/host/process-mark.ts', () => ({
    bootId: () => undefined,
    startTicks: () => undefined,
    pidNamespace: () => undefined,
  }));
  onTestFinished(() => {
    vi.doUnmock('../../src/host/process-mark.ts');
    vi.resetModules();
  });
  const { RunOfProcess: Elsewhere } = await import('../../src/client/run-of-process.ts');
  // Recording is set up, and nothing is recorded yet.
  const run = new Elsewhere({ mayAskGit: false });
  const worker = new Worker(
    `const { getEnvironmentData, parentPort } = require('node:worker_threads');
    parentPort.postMessage(getEnvironmentData('spoor.run'));`,
    { eval: true },
  );
  const told = await new Promise((resolve) => worker.once('message', resolve));
  expect(told).toBe(parseRun(run.text())?.id);
  expect(isRunId(String(told))).toBe(true);
});
