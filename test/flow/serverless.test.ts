import type { Call } from 'spoor/reader';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FaultProxy } from './fault-proxy.ts';
import { readerOf, upTo } from './program.ts';
import { runOnWaitingPlatform, startLambda } from './serverless-platforms.ts';
import { machinePerTest } from './machine.ts';

const machine = machinePerTest();

async function calls(): Promise<Call[]> {
  const found: Call[] = [];
  for await (const call of readerOf(machine.service).calls.query({})) found.push(call);
  return found;
}

/** Name and output of every ended call that the service has, sorted. */
async function stored(): Promise<string[]> {
  return (await calls())
    .filter(({ ended_at }) => ended_at !== null)
    .map(({ op_name, output, exception }) => `${op_name} ${exception?.split('\n')[0] ?? JSON.stringify(output)}`)
    .toSorted();
}

/** Both calls of each invocation. */
function answers(...events: number[]): string[] {
  return [...events.map((n) => `answer ${n}`), ...events.map((n) => `step ${n}`)];
}

const ANSWER = 'const handler = answer;';
const OFF = { SPOOR_SERVERLESS: '0' };

describe('a process that is frozen with its answer and killed', () => {
  test('has delivered all calls of every invocation that it answered', async () => {
    const lambda = startLambda(machine.home, ANSWER);
    for (const n of [0, 1, 2]) expect(await lambda.invoke(n)).toEqual({ value: n });
    await lambda.kill();
    expect(await stored()).toEqual(answers(0, 1, 2));
  });

  test('would have lost them without waiting', async () => {
    const lambda = startLambda(machine.home, ANSWER, OFF);
    expect(await lambda.invoke(0)).toEqual({ value: 0 });
    await lambda.kill();
    expect(await stored()).toEqual([]);
  });

  test('has delivered a failed call, and answered its error', async () => {
    const fail = `const handler = traced(async function fail(n) { throw new RangeError('no ' + n); }, { op: false });`;
    const lambda = startLambda(machine.home, fail);
    expect(await lambda.invoke(7)).toEqual({ error: 'RangeError: no 7' });
    await lambda.kill();
    expect(await stored()).toEqual(['fail RangeError: no 7']);
  });

  test('has delivered what earlier invocations left in memory with the next one that waits', async () => {
    // A handler that is not traced is answered at once: only promises of traced functions can wait.
    const lambda = startLambda(machine.home, 'const handler = async (n) => (n < 3 ? step(n) : answer(n));');
    for (const n of [0, 1, 2, 3]) expect(await lambda.invoke(n)).toEqual({ value: n });
    await lambda.kill();
    expect(await stored()).toEqual(['answer 3', 'step 0', 'step 1', 'step 2', 'step 3']);
  });

  test('is one on every platform that is said to be like that', async () => {
    const lambda = startLambda(machine.home, ANSWER, { AWS_LAMBDA_FUNCTION_NAME: '', SPOOR_SERVERLESS: '1' });
    await lambda.invoke(0);
    await lambda.kill();
    expect(await stored()).toEqual(answers(0));
  });

  test('without a service has written all calls to disk, and the next service takes them in', async () => {
    await machine.service.stop();
    const lambda = startLambda(machine.home, ANSWER);
    for (const n of [0, 1]) expect(await lambda.invoke(n)).toEqual({ value: n });
    await lambda.kill();
    await machine.startService();
    await vi.waitFor(async () => expect(await stored()).toEqual(answers(0, 1)), { timeout: 15_000 });
  });
});

describe('after a thaw', () => {
  /** The service behind a proxy, as programs elsewhere reach it. */
  async function startBehindProxy(handler = ANSWER) {
    const proxy = await FaultProxy.start(machine.service.url);
    onTestFinished(() => proxy.close());
    return {
      proxy,
      lambda: startLambda(machine.home, handler, { SPOOR_URL: proxy.url, SPOOR_API_KEY: machine.service.apiKey }),
    };
  }

  test('calls arrive over new connections where the old ones broke meanwhile', async () => {
    const { proxy, lambda } = await startBehindProxy();
    for (const n of [0, 1, 2]) {
      expect(await lambda.invoke(n)).toEqual({ value: n });
      proxy.disconnect();
    }
    await lambda.kill();
    expect(await stored()).toEqual(answers(0, 1, 2));
  });

  test('calls whose answer was lost are sent again, and are there once', async () => {
    const { proxy, lambda } = await startBehindProxy();
    const isLost = new Set(['/call/upsert_batch']);
    proxy.plan = ({ path }) => (isLost.delete(path) ? { kind: 'lostAnswer' } : undefined);
    for (const n of [0, 1]) expect(await lambda.invoke(n)).toEqual({ value: n });
    await lambda.kill();
    const sent = proxy.requests.filter(({ path }) => path === '/call/upsert_batch').map(({ body }) => body);
    expect(sent.filter((body) => body === sent[0])).toHaveLength(2);
    expect(await stored()).toEqual(answers(0, 1));
  });

  test('a service that does not answer delays one invocation, and the next ones once it answers again', async () => {
    const { proxy, lambda } = await startBehindProxy(`
      const handler = async (n) => {
        let isLater = false;
        setImmediate(() => { isLater = true; });
        await answer(n);
        return isLater;
      };`);
    proxy.plan = () => ({ kind: 'hang' });
    for (const n of [0, 1, 2]) expect(await lambda.invoke(n)).toEqual({ value: n === 0 });
    proxy.plan = () => undefined;
    proxy.disconnect();
    let last = 2;
    await vi.waitFor(async () => expect(await lambda.invoke(++last)).toEqual({ value: true }), { timeout: 15_000 });
    await lambda.kill();
    expect(await stored()).toEqual(answers(...upTo(last + 1)).toSorted());
  });

  test('times are those of the thaw, where all but the wall clock stood still', async () => {
    // The last event came from before the freeze, as far as other clocks know. The platform is there before the program.
    const platform = 'const { now } = Date; globalThis.hours = 0; Date.now = () => now() + hours * 3_600_000;';
    const handler = 'const handler = (n) => { globalThis.hours = n; return answer(n); };';
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(platform)}`];
    const lambda = startLambda(machine.home, handler, {}, { flags });
    const startedAt = Date.now();
    for (const n of [0, 1, 2]) await lambda.invoke(n);
    await lambda.kill();
    const took = Date.now() - startedAt;
    const times = (await calls()).map(({ output, started_at, ended_at }) => {
      const hoursLater = startedAt + Number(output) * 3_600_000;
      return [Date.parse(started_at) - hoursLater, Date.parse(ended_at ?? '') - hoursLater];
    });
    expect(times).toHaveLength(6);
    // A clock that is within its tolerance is not set.
    for (const each of times.flat()) expect(Math.abs(each)).toBeLessThan(took + 100);
  });
});

describe('a platform that waits for what it is handed, and then ends at once,', () => {
  const SERVE = `${ANSWER} await serve(0); await serve(1); await serve(2, 3);`;

  test.each([
    ['by itself', {}],
    ['on Lambda', { AWS_LAMBDA_FUNCTION_NAME: 'answer' }],
  ])('%s has all calls, and its answers came before', async (_, env) => {
    const events = await runOnWaitingPlatform(machine.home, SERVE, env);
    expect(events.slice(0, 3)).toEqual(['handed over', 'answered 0', 'settled']);
    expect(events.slice(3, 6)).toEqual(['handed over', 'answered 1', 'settled']);
    // What ends in the same turn is delivered together.
    expect(events.slice(6)).toEqual(['handed over', 'answered 2', 'answered 3', 'settled']);
    expect(await stored()).toEqual(answers(0, 1, 2, 3));
  });

  test('loses them when it is handed nothing', async () => {
    const events = await runOnWaitingPlatform(machine.home, SERVE, OFF);
    expect(events).toEqual(['answered 0', 'answered 1', 'answered 2', 'answered 3']);
    expect(await stored()).toEqual([]);
  });

  test('has calls that go on after the answer, too', async () => {
    const source = `
      const index = traced(async function index(n) { await turn(); return n; }, { op: false });
      const handler = traced(async function upload(n) { waitUntil(index(n)); return n; }, { op: false });
      await serve(0);`;
    const events = await runOnWaitingPlatform(machine.home, source);
    expect(events.filter((event) => event === 'handed over')).toHaveLength(3);
    expect(await stored()).toEqual(['index 0', 'upload 0']);
  });

  test('has calls of functions that wait for nothing', async () => {
    const events = await runOnWaitingPlatform(machine.home, 'const handler = async (n) => step(n); await serve(5);');
    expect(events).toEqual(['handed over', 'answered 5', 'settled']);
    expect(await stored()).toEqual(['step 5']);
  });
});
