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

const RUN_NUMBERS = Array.from({ length: RUNS }, (_, run) => run + 1);

const way = useFaultyWay();

function writeProject(more = ''): string {
  const folder = join(way.home, 'project');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  symlinkSync(ROOT, join(folder, 'node_modules/spoor'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "type": "module" }');
  for (let file = 0; file < FILES; file++) {
    writeFileSync(join(folder, `${file}.test.js`), testFile(file * CALLS) + more);
  }
  return folder;
}

const testFile = (first: number) => `
  import { afterAll, expect, test } from 'vitest';
  import { traced } from 'spoor';
  const step = traced(function step(n) { return n; }, { op: false });
  for (let n = ${first}; n < ${first + CALLS}; n++) test(String(n), () => expect(step(n)).toBe(n));`;

const HANDLE_NOTHING = `
  afterAll(() => void process.removeAllListeners('exit').removeAllListeners('SIGTERM').on('SIGTERM', () => {}));`;

const PASSED = { code: 0, said: '' };

const runVitest = (pool: string, folder: string) =>
  runTests([join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', `--pool=${pool}`, '--maxWorkers=2'], folder);

/** Runs the tests as a user does who is in no other runner. */
async function runTests(args: readonly string[], folder: string): Promise<{ code: number | null; said: string }> {
  const none = { VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined };
  const env = way.environment({ SPOOR_TIMEOUT_MS: '10000', ...none });
  const { code, stdout, stderr } = await runNode(args, { home: way.home, cwd: folder, env });
  return { code, said: code === 0 ? deprecationsIn(stderr) : stdout + stderr };
}

/** Such as of jest, of what it will take away from the globals before the records are delivered. */
function deprecationsIn(text: string): string {
  return text.match(/^.*DeprecationWarning.*$/gm)?.join('\n') ?? '';
}

describe.each(['threads', 'forks'])('short tests in the pool "%s" lose no call', (pool) => {
  test.each(RUN_NUMBERS)('beside a slow service, run %i', { timeout: 120_000 }, async () => {
    way.proxy.plan = () => ({ kind: 'delay', ms: 700 });
    expect(await runVitest(pool, writeProject())).toEqual(PASSED);
    way.proxy.plan = () => undefined;
    await expectSteps(way, FILES * CALLS);
  });

  // As where the machine is so busy that the process gets no time between SIGTERM and SIGKILL.
  test('though no handler of ours runs at the end', { timeout: 120_000 }, async () => {
    way.proxy.plan = () => ({ kind: 'hang' });
    expect(await runVitest(pool, writeProject(HANDLE_NOTHING))).toEqual(PASSED);
    way.proxy.plan = () => undefined;
    await expectSteps(way, FILES * CALLS);
  });
});

// Jest loads modules itself, and knows ES modules only where it is told to.
describe.each(['jest-29', 'jest'])('tests of %s lose no call under fake timers', (runner) => {
  const WAYS = {
    CommonJS: {
      flags: [],
      extension: 'cjs',
      head: "const { traced, flush } = require('spoor');",
    },
    'ES modules': {
      flags: ['--experimental-vm-modules', '--no-warnings'],
      extension: 'mjs',
      head: "import { traced, flush } from 'spoor';",
    },
  };

  test.each(Object.entries(WAYS))('in %s', { timeout: 120_000 }, async (_name, { flags, extension, head }) => {
    const folder = writeJestProject(extension, head);
    const jest = [join(ROOT, 'node_modules', runner, 'bin/jest.js'), '--config=jest.json'];
    expect(await runTests([...flags, ...jest], folder)).toEqual(PASSED);
    await expectSteps(way, FILES * CALLS);
  });
});

function writeJestProject(extension: string, head: string): string {
  const folder = join(way.home, 'project');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/spoor'));
  // Where a package is linked and not installed, jest would take it for what it has to translate.
  const config = { testMatch: [`**/*.test.${extension}`], transform: {}, fakeTimers: { enableGlobally: true } };
  writeFileSync(join(folder, 'package.json'), '{ "name": "project" }');
  writeFileSync(join(folder, 'jest.json'), JSON.stringify(config));
  for (let file = 0; file < FILES; file++) {
    writeFileSync(join(folder, `${file}.test.${extension}`), head + jestTests(file * CALLS));
  }
  return folder;
}

const jestTests = (first: number) => `
  const step = traced(function step(n) { return n; }, { op: false });
  for (let n = ${first}; n < ${first + CALLS}; n++) test(String(n), () => expect(step(n)).toBe(n));
  test('all of it is sent', async () => expect(await flush({ timeoutMs: 10_000 })).toMatchObject({ spooled: 0, dropped: 0 }));`;
