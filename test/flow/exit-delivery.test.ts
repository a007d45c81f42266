import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { type FaultPlan, FaultProxy } from './fault-proxy.ts';
import { runProgram, stepsOf, upTo } from './program.ts';
import { makeHome, runNode, type ServiceProcess, startServiceProcess } from './service-process.ts';

// What a program recorded is at the service when the process has ended, as its disk may end with it. The service has a
// state folder of its own here, so nothing but the program itself can deliver.

let service: ServiceProcess;
let home: string;
let project: string;
let proxy: FaultProxy;
const removers: (() => void)[] = [];

beforeAll(async () => {
  await buildOnce();
  const own = makeHome();
  service = await startServiceProcess(own.home);
  removers.push(own.remove);
}, 120_000);
afterAll(async () => {
  await service.stop();
  for (const remove of removers) remove();
});
beforeEach(async () => {
  const own = makeHome();
  [home, project] = [own.home, `local/${basename(own.home)}`];
  removers.push(own.remove);
  proxy = await FaultProxy.start(service.url);
});
afterEach(() => proxy.close());

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { SPOOR_URL: proxy.url, SPOOR_API_KEY: service.apiKey, SPOOR_PROJECT: project, ...more };
}

function segments(): string[] {
  return readdirSync(join(home, 'spool'));
}

function recordsOnDisk(): number {
  const texts = segments().map((file) => readFileSync(join(home, 'spool', file), 'utf8'));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{"mode":')).length;
}

const THOUSAND = 'for (let n = 0; n < 1000; n++) step(n);';

describe('when the process has ended, all is at the service and nothing is on disk, after', () => {
  test.each([
    ['process.exit at once', `${THOUSAND} process.exit(3);`, 3],
    ['process.exit while requests are under way', `${THOUSAND} setTimeout(() => process.exit(4), 60);`, 4],
    ['process.exit in a promise', `${THOUSAND} await null; process.exit(5);`, 5],
    ['an uncaught error', `${THOUSAND} throw new Error('boom');`, 1],
    ['an unhandled rejection', `${THOUSAND} Promise.reject(new Error('boom')); setInterval(() => {}, 1000);`, 1],
    [
      'calls of an exit handler that the program had before',
      `process.on('exit', () => { for (let n = 500; n < 1000; n++) step(n); });
       for (let n = 0; n < 500; n++) step(n);
       process.exit(2);`,
      2,
    ],
    [
      'process.exit in a handler of a signal',
      `${THOUSAND} process.on('SIGTERM', () => process.exit(6)); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`,
      6,
    ],
  ])('%s', async (_name, source, code) => {
    const ended = await runProgram(home, source, environment());
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal: null });
    expect(await stepsOf(service, project)).toEqual(upTo(1000));
    expect(segments()).toEqual([]);
  });
});

test('calls of an exit handler that runs after ours wait on disk', async () => {
  const source = `step(0); process.on('exit', () => { for (let n = 1; n < 1000; n++) step(n); }); process.exit(2);`;
  expect(await runProgram(home, source, environment())).toMatchObject({ code: 2, stderr: '' });
  expect(await stepsOf(service, project)).toEqual([0]);
  expect(await runProgram(home, 'step(1000);', environment())).toMatchObject({ code: 0 });
  expect(await stepsOf(service, project)).toEqual(upTo(1001));
});

test('what goes with the calls goes too: versions of ops, objects, files and tables', async () => {
  const source = `
    const read = traced(function read(bytes) { return bytes.length; });
    read(Buffer.alloc(5000, 'x'));
    spoor.publish({ model: 'm' }, 'settings');
    new spoor.Dataset({ name: 'rows', rows: [{ a: 1 }, { a: 2 }] }).publish();
    process.exit(0);`;
  expect(await runProgram(home, source, environment())).toMatchObject({ code: 0, stderr: '' });
  expect(segments()).toEqual([]);
  const paths = new Set(proxy.requests.map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(['/call/upsert_batch', '/file/create', '/obj/create', '/table/create']);
});

test('an uncaught error is printed as without us', async () => {
  const { stderr } = await runProgram(home, `${THOUSAND} throw new Error('boom');`, environment());
  expect(stderr).toContain('Error: boom');
  expect(stderr).not.toContain('spoor:');
});

test('one file made by a bundler delivers like the package', async () => {
  const outfile = join(home, 'bundle.cjs');
  const source = `const { traced } = require(${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))});
    const step = traced(function step(n) { return n; }, { op: false, name: 'step' });
    ${THOUSAND} process.exit(0);`;
  const stdin = { contents: source, resolveDir: import.meta.dirname };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', minify: true, logLevel: 'error' });
  const ended = await runNode([outfile], { home, cwd: home, env: environment() });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(await stepsOf(service, project)).toEqual(upTo(1000));
});

test('a worker thread that ends by process.exit delivers', async () => {
  const source = `
    import { isMainThread, Worker } from 'node:worker_threads';
    if (isMainThread) {
      step(0);
      await flush();
      const worker = new Worker(new URL(import.meta.url));
      worker.on('exit', (code) => process.stdin.unref());
      process.stdin.resume();
    } else {
      for (let n = 1; n < 1000; n++) step(n);
      process.exit(0);
    }`;
  expect(await runProgram(home, source, environment())).toMatchObject({ code: 0, stderr: '' });
  expect(await stepsOf(service, project)).toEqual(upTo(1000));
});

describe('a program ends as it wants to, says why its records are on disk, and all are there, when the service', () => {
  const hang = { kind: 'hang' } as const;
  const page = {
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Sign in</h1>',
  } as const;
  test.each<[string, FaultPlan, NodeJS.ProcessEnv, RegExp]>([
    ['hangs', () => hang, { SPOOR_TIMEOUT_MS: '60000' }, /No whole answer before the process ended/],
    ['answers byte by byte', () => ({ kind: 'slowAnswer', pauseMs: 300 }), {}, /No whole answer before the process/],
    ['refuses the key', () => undefined, { SPOOR_API_KEY: 'spoor_wrong' }, /401.*Check SPOOR_API_KEY/],
    ['is not there', () => undefined, { SPOOR_URL: 'http://127.0.0.1:9' }, /ECONNREFUSED/],
    ['answers with a page', () => page, {}, /text\/html.*Check SPOOR_URL/],
    ['breaks the connection', () => ({ kind: 'resetRequest' }), {}, /Cannot deliver/],
    ['breaks off its answer', () => ({ kind: 'halfAnswer' }), {}, /Cannot deliver/],
  ])('%s', async (_name, plan, env, reason) => {
    proxy.plan = plan;
    const { code, signal, stderr } = await runProgram(home, `${THOUSAND} process.exit(3);`, environment(env));
    expect({ code, signal }).toEqual({ code: 3, signal: null });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(reason)]);
    expect(recordsOnDisk()).toBe(2000);
  });
});

test('a service that failed is not asked once more while the process ends', async () => {
  proxy.plan = () => ({ kind: 'answer', status: 503 });
  const source = `${THOUSAND} setInterval(() => stats().lastError && process.exit(3), 5);`;
  expect(await runProgram(home, source, environment())).toMatchObject({ code: 3 });
  const seen = proxy.requests.length;
  expect(seen).toBeLessThanOrEqual(4);
  expect(segments()).toHaveLength(1);
});

test('what is refused waits on disk for a program that has the time to find the bad record', async () => {
  proxy.plan = ({ body }) => (body.includes('poison') ? { kind: 'answer', status: 422 } : undefined);
  const spoil = `traced(function spoil(text) { return text; }, { op: false })('poison');`;
  expect(await runProgram(home, `${spoil} ${THOUSAND} process.exit(0);`, environment())).toMatchObject({ code: 0 });
  expect(segments()).toHaveLength(1);
  const { stderr } = await runProgram(home, 'step(1000); await flush();', environment());
  expect(stderr).toMatch(/refused/);
  expect(await stepsOf(service, project)).toEqual(upTo(1001));
  expect(segments()).toEqual([]);
});
