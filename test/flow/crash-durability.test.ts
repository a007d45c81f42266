import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { FaultProxy } from './fault-proxy.ts';
import { runProgram, startProgram, stepsOf, upTo } from './program.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from './service-process.ts';

// Ends that no program sees coming. The service has a state folder of its own, so what it has came from a program.

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
  const crash = { SPOOR_DURABILITY: 'crash' };
  return { SPOOR_URL: proxy.url, SPOOR_API_KEY: service.apiKey, SPOOR_PROJECT: project, ...crash, ...more };
}

/** The next program of the same target delivers what others left. */
async function stepsAfterNextProgram(): Promise<number[]> {
  const next = 'trace("next", () => 1); await flush();';
  expect(await runProgram(home, next, environment())).toMatchObject({ code: 0, stderr: '' });
  return stepsOf(service, project);
}

const THOUSAND = 'for (let n = 0; n < 1000; n++) step(n);';
const NEXT_TURN = 'await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));';
const KILL = `process.kill(process.pid, 'SIGKILL');`;

describe.each([
  ['kill -9', KILL, { code: null, signal: 'SIGKILL' }],
  ['process.abort', 'process.abort();', { code: null, signal: 'SIGABRT' }],
])('%s in the next turn', (_name, kill, end) => {
  test('loses nothing with durability "crash"', async () => {
    expect(await runProgram(home, `${THOUSAND} ${NEXT_TURN} ${kill}`, environment())).toMatchObject(end);
    expect(await stepsAfterNextProgram()).toEqual(upTo(1000));
  });

  test('loses what was not sent without it', async () => {
    const env = environment({ SPOOR_DURABILITY: 'exit' });
    expect(await runProgram(home, `${THOUSAND} ${NEXT_TURN} ${kill}`, env)).toMatchObject(end);
    expect((await stepsAfterNextProgram()).length).toBeLessThan(1000);
  });
});

test('in a long turn records do not wait for its end', async () => {
  const source = `for (let n = 0; n < 3000; n++) step(n), trace('long', () => 'x'.repeat(1000)); ${KILL}`;
  await runProgram(home, source, environment());
  // At most 256 KiB and some milliseconds of 3 MB were in memory.
  expect((await stepsAfterNextProgram()).length).toBeGreaterThan(2000);
});

test('kill -9 while a service is silent loses nothing', async () => {
  proxy.plan = () => ({ kind: 'hang' });
  const program = startProgram(home, `${THOUSAND} console.log('on'); setInterval(() => {}, 1000);`, environment());
  await program.line();
  await expect.poll(() => proxy.requests.length).toBeGreaterThan(0);
  program.child.kill('SIGKILL');
  await program.ended;
  proxy.plan = () => undefined;
  expect(await stepsAfterNextProgram()).toEqual(upTo(1000));
});

test('all arrives once, soon, and nothing stays on disk', async () => {
  const source = `${THOUSAND} console.log(JSON.stringify(await flush())); console.log(JSON.stringify(stats()));`;
  const program = startProgram(home, source, environment());
  expect(JSON.parse(await program.line())).toEqual({ sent: 2000, spooled: 0, dropped: 0 });
  expect(JSON.parse(await program.line())).toMatchObject({ recorded: 2000, queued: 0, sent: 2000, spooled: 0 });
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(readdirSync(join(home, 'spool'))).toEqual([]);
  expect(await stepsOf(service, project)).toEqual(upTo(1000));
  const items = proxy.requests.flatMap(({ body }) => (JSON.parse(body) as { batch: unknown[] }).batch);
  expect(items).toHaveLength(2000);
});

test('a running program delivers without being asked', async () => {
  const program = startProgram(home, `${THOUSAND} setInterval(() => {}, 1000);`, environment());
  await expect.poll(() => stepsOf(service, project), { timeout: 15_000 }).toEqual(upTo(1000));
  program.child.kill('SIGKILL');
  await program.ended;
});

test('a program that ends while records are on their way from the disk waits for them', async () => {
  proxy.plan = () => ({ kind: 'delay', ms: 300 });
  const program = startProgram(
    home,
    `step(0); process.stdin.once('data', () => process.stdin.unref());`,
    environment(),
  );
  await expect.poll(() => proxy.requests.length).toBeGreaterThan(0);
  program.child.stdin?.write('end');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await stepsOf(service, project)).toEqual([0]);
  expect(readdirSync(join(home, 'spool'))).toEqual([]);
});

test('where the disk takes nothing records are sent from memory', async () => {
  const locked = join(home, 'locked');
  writeFileSync(locked, 'no folder');
  const source = `${THOUSAND} ${NEXT_TURN} console.log(JSON.stringify(await flush()));`;
  const program = startProgram(home, source, environment({ SPOOR_HOME: locked }));
  expect(JSON.parse(await program.line())).toEqual({ sent: 2000, spooled: 0, dropped: 0 });
  const { code, stderr } = await program.ended;
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('Cannot keep records on disk')]);
  expect(await stepsOf(service, project)).toEqual(upTo(1000));
});

test('worker threads write ahead unless told otherwise', async () => {
  const source = `
    import { isMainThread, Worker } from 'node:worker_threads';
    if (isMainThread) {
      console.log(init().config.durability);
      new Worker(new URL(import.meta.url));
    } else console.log(init().config.durability);`;
  const program = startProgram(home, source, environment({ SPOOR_DURABILITY: '' }));
  expect([await program.line(), await program.line()]).toEqual(['exit', 'crash']);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
});
