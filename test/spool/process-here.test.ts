import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isRunningHere, namespaceHere, processHere } from '../../src/spool/process-here.ts';

const own = { host: hostname(), pid: process.pid, namespace: namespaceHere().own };

test('a process runs until it has ended', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const pid = child.pid ?? 0;
  const sender = { ...own, pid, started: processHere(pid)?.started };
  expect(isRunningHere(sender)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isRunningHere(sender)).toBe(false);
  expect(isRunningHere({ ...sender, started: undefined })).toBe(false);
});

test('one that began at another time has had the number before', () => {
  expect(isRunningHere({ ...own, started: processHere(process.pid)?.started })).toBe(true);
  expect(isRunningHere({ ...own, started: 1 })).toBe(processHere(process.pid)?.started === undefined);
});

test('one of another machine or container cannot be seen from here', () => {
  expect(isRunningHere({ ...own, host: 'elsewhere' })).toBeUndefined();
  expect(isRunningHere({ ...own, namespace: 1 })).toBeUndefined();
});

test('a number whose place is not said is looked at from outside of containers only', () => {
  const found = isRunningHere({ ...own, namespace: undefined });
  expect(found).toBe(namespaceHere().isTakenForOwn ? true : undefined);
});
