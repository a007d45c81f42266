import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { expectDelivering, expectNextDelivers, PATIENT, useFaultyWay } from './faulty-way.ts';
import { readerOf, runProgram, startProgram, upTo } from './program.ts';

const way = useFaultyWay();

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';
const REFUSED = { kind: 'answer', status: 503 } as const;

/** Names of the calls that have no end, each of which the service says is running. */
async function unended(): Promise<string[]> {
  const open: Call[] = [];
  for await (const call of readerOf(way.service, way.project).calls.query({})) {
    if (call.ended_at === null) open.push(call);
  }
  for (const { summary } of open) expect(summary).toMatchObject({ svc: { status: 'running' } });
  return open.map(({ op_name }) => op_name);
}

describe('a natural end with a call that is still open delivers all, the start included, and waits for nothing', () => {
  test.each([
    ['started by hand', "spoor.startCall('open', {});"],
    [
      'on a promise that never settles',
      'void traced(function open() { return new Promise(() => {}); }, { op: false })();',
    ],
    [
      'that awaits a child that is open too',
      `
      const inner = traced(function inner() { return new Promise(() => {}); }, { op: false });
      void traced(async function open() { await inner(); }, { op: false })();`,
    ],
  ])('%s', async (_name, source) => {
    const run = () => runProgram(way.home, HUNDRED + source, way.environment(PATIENT));
    expect(await expectDelivering(way, 100, run)).toEqual({ code: 0, signal: null, stderr: '' });
    expect((await unended()).filter((name) => name !== 'inner')).toEqual(['open']);
  });
});

test('a pending top-level await ends the program as without us, and all is delivered', async () => {
  const source = `${HUNDRED} await new Promise(() => {});`;
  const ended = await expectDelivering(way, 100, () => runProgram(way.home, source, way.environment(PATIENT)));
  expect(ended).toEqual(await runProgram(way.home, source, { SPOOR_DISABLED: '1' }));
  expect(ended.code).toBe(13);
});

describe.each([
  ['process.exit', 'process.exit(9);', { code: 9, signal: null }],
  ['an uncaught error', "throw new Error('boom');", { code: 1, signal: null }],
  ['an unhandled rejection', "Promise.reject(new Error('boom'));", { code: 1, signal: null }],
  ['SIGTERM', "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);", { code: null, signal: 'SIGTERM' }],
  ['SIGINT', "process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000);", { code: null, signal: 'SIGINT' }],
])('%s', (_name, end, how) => {
  test.each<[string, () => void]>([
    ['refuses', () => (way.proxy.plan = () => REFUSED)],
    ['is silent', () => (way.proxy.plan = () => ({ kind: 'hang' }))],
  ])('beside a service that %s leaves all for the next program', async (_state, fail) => {
    fail();
    expect(await runProgram(way.home, HUNDRED + end, way.environment())).toMatchObject(how);
    expect(await way.steps()).toEqual([]);
    way.proxy.plan = () => undefined;
    await expectNextDelivers(way, upTo(101));
  });
});

test('a handler of the application for errors decides, and all is delivered', async () => {
  const source = `
    process.on('uncaughtException', () => { step(100); process.exit(42); });
    ${HUNDRED}
    throw new Error('boom');`;
  const run = () => runProgram(way.home, source, way.environment(PATIENT));
  expect(await expectDelivering(way, 101, run)).toEqual({ code: 42, signal: null, stderr: '' });
});

describe.each([
  ['SIGKILL', { code: null, signal: 'SIGKILL' }],
  ['SIGABRT', { code: null, signal: 'SIGABRT' }],
])('%s', (name, how) => {
  // Without a core dump, which takes long.
  const through = ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh'];
  const end = name === 'SIGKILL' ? "process.kill(process.pid, 'SIGKILL');" : 'process.abort();';

  test('costs nothing of what a flush said is sent', async () => {
    const source = `${HUNDRED} console.log(JSON.stringify(await flush())); ${end}`;
    const program = startProgram(way.home, source, way.environment(), { through });
    expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
    expect(await program.ended).toMatchObject(how);
    expect(await way.steps()).toEqual(upTo(100));
  });

  test('costs nothing of what a flush said is on disk: the program, started again, delivers it', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const source = `${HUNDRED} console.log(JSON.stringify(await flush())); ${end}`;
    const program = startProgram(way.home, source, way.environment(), { through });
    expect(JSON.parse(await program.line())).toEqual({ sent: 0, spooled: 200, dropped: 0 });
    expect(await program.ended).toMatchObject(how);
    way.proxy.plan = () => undefined;
    await expectNextDelivers(way, upTo(101));
  });

  test('in the middle of a request costs nothing twice: what arrived and is sent again is there once', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    await runProgram(way.home, HUNDRED, way.environment());
    expect(way.segments()).toHaveLength(1);
    // The service takes it, and the program ends before it knows.
    const source = 'step(100); setInterval(() => {}, 1000); void flush();';
    way.proxy.plan = () => ({ kind: 'lostAnswer' });
    const program = startProgram(way.home, source, way.environment(), { through });
    await expect.poll(() => way.steps()).toContain(100);
    program.child.kill(name as NodeJS.Signals);
    expect(await program.ended).toMatchObject(how);
    way.proxy.plan = () => undefined;
    await expectNextDelivers(way, upTo(102));
  });
});
