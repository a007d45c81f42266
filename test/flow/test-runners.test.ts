import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectSteps, useFaultyWay } from './faulty-way.ts';
import { ROOT, runNode } from './service-process.ts';

// Runners of tests end their threads by force, and their processes by SIGTERM and, half a second later, SIGKILL.
// `POOL_RUNS=20 npx vitest run test/flow/test-runners.test.ts` tries it as often.

const RUNS = Number(process.env['POOL_RUNS'] ?? 3);
const FILES = 3;
const CALLS = 10;

const way = useFaultyWay();

function writeProject(): string {
  const folder = join(way.home, 'project');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  symlinkSync(ROOT, join(folder, 'node_modules/spoor'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "type": "module" }');
  for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `${file}.test.js`), testFile(file * CALLS));
  return folder;
}

const testFile = (first: number) => `
  import { expect, test } from 'vitest';
  import { traced } from 'spoor';
  const step = traced(function step(n) { return n; }, { op: false });
  for (let n = ${first}; n < ${first + CALLS}; n++) test(String(n), () => expect(step(n)).toBe(n));`;

describe.each(['threads', 'forks'])('short tests in the pool "%s" lose no call beside a slow service', (pool) => {
  test.each(Array.from({ length: RUNS }, (_, run) => run + 1))('run %i', { timeout: 120_000 }, async () => {
    way.proxy.plan = () => ({ kind: 'delay', ms: 700 });
    const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', `--pool=${pool}`, '--maxWorkers=2'];
    const env = way.environment({ SPOOR_TIMEOUT_MS: '10000', VITEST: undefined, VITEST_POOL_ID: undefined });
    const { code, stdout, stderr } = await runNode(args, { home: way.home, cwd: writeProject(), env });
    expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' });
    way.proxy.plan = () => undefined;
    await expectSteps(way, FILES * CALLS);
  });
});
