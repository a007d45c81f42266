import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import type { FaultPlan } from './fault-proxy.ts';
import { expectDelivering, expectNextDelivers, expectSteps, PATIENT, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';
import { runNode } from './service-process.ts';

// What a program recorded is at the service when the process has ended, as its disk may end with it. The service has a
// state folder of its own here, so nothing but the program itself can deliver.

const way = useFaultyWay();

function recordsOnDisk(): number {
  const texts = way.segments().map((file) => readFileSync(join(way.home, 'spool', file), 'utf8'));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{"mode":')).length;
}

const THOUSAND = 'for (let n = 0; n < 1000; n++) step(n);';

test('when process.exit has ended the process, all is at the service and nothing is on disk', async () => {
  const ended = await runProgram(way.home, `${THOUSAND} process.exit(3);`, way.environment(PATIENT));
  expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 3, signal: null });
  expect(await way.steps()).toEqual(upTo(1000));
  expect(way.segments()).toEqual([]);
});

const runPatient = (source: string) => runProgram(way.home, source, way.environment(PATIENT));

describe('as soon as the process has ended, on a machine that is fast enough for that, all is at the service after', () => {
  test.each([
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
    const ended = await expectDelivering(way, 1000, () => runPatient(source));
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal: null });
  });
});

test('calls of an exit handler that runs after ours wait on disk', async () => {
  const source = `step(0); process.on('exit', () => { for (let n = 1; n < 1000; n++) step(n); }); process.exit(2);`;
  expect(await runPatient(source)).toMatchObject({ code: 2 });
  expect(recordsOnDisk()).toBeGreaterThanOrEqual(1998);
  await expectNextDelivers(way, upTo(1001));
});

test('what goes with the calls goes too: versions of ops, objects, files and tables', async () => {
  const source = `
    const read = traced(function read(bytes) { return bytes.length; });
    read(Buffer.alloc(5000, 'x'));
    spoor.publish({ model: 'm' }, 'settings');
    new spoor.Dataset({ name: 'rows', rows: [{ a: 1 }, { a: 2 }] }).publish();
    process.exit(0);`;
  expect(await runProgram(way.home, source, way.environment())).toMatchObject({ code: 0, stderr: '' });
  expect(way.segments()).toEqual([]);
  const paths = new Set(way.proxy.requests.map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(['/call/upsert_batch', '/file/create', '/obj/create', '/table/create']);
});

test('an uncaught error is printed as without us', async () => {
  const { stderr } = await expectDelivering(way, 1000, () => runPatient(`${THOUSAND} throw new Error('boom');`));
  expect(stderr).toContain('Error: boom');
  expect(stderr).not.toContain('spoor:');
});

test('one file made by a bundler delivers like the package', async () => {
  const outfile = join(way.home, 'bundle.cjs');
  const source = `const { traced } = require(${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))});
    const step = traced(function step(n) { return n; }, { op: false, name: 'step' });
    ${THOUSAND} process.exit(0);`;
  const stdin = { contents: source, resolveDir: import.meta.dirname };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', minify: true, logLevel: 'error' });
  const run = () => runNode([outfile], { home: way.home, cwd: way.home, env: way.environment(PATIENT) });
  expect(await expectDelivering(way, 1000, run)).toMatchObject({ code: 0, stderr: '' });
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
  expect(await expectDelivering(way, 1000, () => runPatient(source))).toMatchObject({ code: 0, stderr: '' });
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
    way.proxy.plan = plan;
    const { code, signal, stderr } = await runProgram(way.home, `${THOUSAND} process.exit(3);`, way.environment(env));
    expect({ code, signal }).toEqual({ code: 3, signal: null });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(reason)]);
    expect(recordsOnDisk()).toBe(2000);
  });
});

test('a service that failed is not asked once more while the process ends', async () => {
  way.proxy.plan = () => ({ kind: 'answer', status: 503 });
  const source = `${THOUSAND} setInterval(() => stats().lastError && process.exit(3), 5);`;
  expect(await runProgram(way.home, source, way.environment())).toMatchObject({ code: 3 });
  const seen = way.proxy.requests.length;
  expect(seen).toBeLessThanOrEqual(4);
  expect(way.segments()).toHaveLength(1);
});

test('a service that falls silent holds process.exit for two seconds at most, and nothing is lost', async () => {
  const source = `
    step(1000);
    await flush();
    process.stdin.once('data', () => {
      ${THOUSAND}
      process.on('exit', () => process.stdout.write(Date.now() + '\\n'));
      process.exit(9);
    });
    console.log('flushed');`;
  const program = startProgram(way.home, source, way.environment(PATIENT));
  await program.line();
  way.proxy.plan = () => ({ kind: 'hang' });
  program.child.stdin?.write('go');
  const calledAt = Number(await program.line());
  expect(await program.ended).toMatchObject({ code: 9, signal: null });
  // The system needs time of its own to end a process; an answer is waited for a minute.
  expect(Date.now() - calledAt).toBeLessThan(30_000);
  way.proxy.plan = () => undefined;
  await expectSteps(way, 1001);
});

/** The word of the service, which alone drops a record. */
const REFUSAL = '{"reason":"no","error_code":"validation_error","request_id":"r"}';

test('what is refused waits on disk for a program that has the time to find the bad record', async () => {
  way.proxy.plan = ({ body }) => (body.includes('poison') ? { kind: 'answer', status: 422, body: REFUSAL } : undefined);
  const spoil = `traced(function spoil(text) { return text; }, { op: false })('poison');`;
  expect(await runProgram(way.home, `${spoil} ${THOUSAND} process.exit(0);`, way.environment())).toMatchObject({
    code: 0,
  });
  expect(way.segments()).toHaveLength(1);
  expect((await expectNextDelivers(way, upTo(1001))).stderr).toMatch(/refused/);
});

test('clients, all but one of which are shutting down, share the time that an exit may take', async () => {
  way.proxy.plan = () => ({ kind: 'hang' });
  const source = `
    let calledAt;
    process.on('exit', () => { calledAt = performance.now(); });
    for (let n = 0; n < 4; n++) {
      step(n);
      void shutdown();
      init();
    }
    step(4);
    process.on('exit', () => process.stdout.write(String(performance.now() - calledAt) + '\\n'));
    process.exit(0);`;
  const program = startProgram(way.home, source, way.environment({ SPOOR_TIMEOUT_MS: '60000' }));
  // Two seconds, where each has its own ten.
  expect(Number(await program.line())).toBeLessThan(8000);
  expect(await program.ended).toMatchObject({ code: 0 });
  expect(recordsOnDisk()).toBe(10);
});

test('where no thread may be started records wait on disk, which is nothing to complain about', async () => {
  const flag = Number.parseInt(process.versions.node, 10) < 23 ? '--experimental-permission' : '--permission';
  const flags = [flag, '--allow-fs-read=*', '--allow-fs-write=*', '--no-warnings'];
  const program = startProgram(way.home, `${THOUSAND} process.exit(3);`, way.environment(), { flags });
  expect(await program.ended).toEqual({ code: 3, signal: null, stderr: '' });
  expect(recordsOnDisk()).toBe(2000);
});

// Without that, Node ends such a program with code 13: nothing is left which could settle the promise.
test.each([
  ['an object', "await spoor.publish({ a: 1 }, 'settings').stored();"],
  ['a call', "const call = spoor.startCall('ask', {}); call.end(1); await call.stored();"],
  ['feedback', "const call = spoor.startCall('ask', {}); call.end(1); await call.feedback('thumbs', {});"],
])('a program that awaits at its end that %s is stored waits for a slow service', async (_name, source) => {
  // Longer than a natural end takes.
  way.proxy.plan = () => ({ kind: 'delay', ms: 2500 });
  const env = way.environment({ SPOOR_TIMEOUT_MS: '10000' });
  expect(await runProgram(way.home, source, env)).toEqual({ code: 0, signal: null, stderr: '' });
});

test.each([
  ['an object', "void spoor.publish({ a: 1 }, 'settings').stored();"],
  ['a call', "const call = spoor.startCall('ask', {}); call.end(1); void call.stored();"],
  ['feedback', "const call = spoor.startCall('ask', {}); call.end(1); void call.feedback('thumbs', {});"],
])('a program that does not await that %s is stored ends while the service is silent', async (_name, source) => {
  way.proxy.plan = () => ({ kind: 'hang' });
  const told = `process.on('exit', () => process.stdout.write(performance.now() - begun + '\\n'));`;
  const program = startProgram(
    way.home,
    `const begun = performance.now(); ${told} ${source}`,
    way.environment({ SPOOR_TIMEOUT_MS: '60000' }),
  );
  // A natural end takes up to two seconds beside that; what is awaited holds a program for ten before it.
  expect(Number(await program.line())).toBeLessThan(10_000);
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
});
