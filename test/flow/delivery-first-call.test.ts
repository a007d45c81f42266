import { describe, expect, test } from 'vitest';
import type { Fault } from './fault-proxy.ts';
import { useFaultyWay } from './faulty-way.ts';
import { startProgram } from './program.ts';

const way = useFaultyWay();

/** First calls of fresh ops, each with a version of its own: how many milliseconds each took, and when all were over. */
const FIRST_CALLS = `
  import { once } from 'node:events';
  const ops = Array.from({ length: 200 }, (_, n) => traced(new Function('x', 'return x + ' + n), { name: 'op' + n }));
  step(0);
  // By now a request is under way, and unanswered.
  await once(process.stdin, 'data');
  const took = ops.map((op) => {
    const at = performance.now();
    op(1);
    return performance.now() - at;
  });
  console.log(JSON.stringify({ took, overAt: Date.now() }));
  await flush({ timeoutMs: 3000 });
  process.exit(0);`;

interface FirstCalls {
  readonly took: readonly number[];
  readonly overAt: number;
}

async function firstCalls(): Promise<FirstCalls> {
  const program = startProgram(way.home, FIRST_CALLS, way.environment({ SPOOR_TIMEOUT_MS: '10000' }));
  await expect.poll(() => way.proxy.requests.length).toBe(1);
  program.child.stdin?.write('go');
  const result = JSON.parse(await program.line()) as FirstCalls;
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
  return result;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe('first calls of ops are not delayed by a service that', () => {
  test.each<[string, Fault]>([
    ['answers after a second', { kind: 'delay', ms: 1000 }],
    ['never answers', { kind: 'hang' }],
  ])('%s', async (_name, fault) => {
    way.proxy.plan = () => fault;
    const { took, overAt } = await firstCalls();
    // Who waited would wait for a second or longer.
    expect(median(took)).toBeLessThan(100);
    const ofOps = way.proxy.requests.filter(({ body }) => body.includes('/op/op199:'));
    expect(ofOps).not.toEqual([]);
    for (const { at } of ofOps) expect(at).toBeGreaterThanOrEqual(overAt);
  });
});

test('a service is first asked after the first call of an op is over', async () => {
  const source = `
    const op = traced(function first(x) { return x; });
    op(1);
    console.log(Date.now());
    await flush();`;
  const program = startProgram(way.home, source, way.environment());
  const overAt = Number(await program.line());
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(way.proxy.requests[0]?.at).toBeGreaterThanOrEqual(overAt);
});
