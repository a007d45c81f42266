import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, runNode } from '../flow/service-process.ts';
import { acknowledge } from './acknowledge.ts';

/*
 * Bytes that the library allocates for a small async call, in counts that hardly differ between runs: times depend on the
 * machine, what is allocated does not. The young generation is so large that nothing is collected meanwhile, so what the
 * heap grows by is what was allocated.
 */

/**
 * About five percent above what was measured, until the call has ended and until it is acknowledged. What a bare call takes is in
 * it: Node 24 has promises without hooks, which are smaller, and another context, which is larger.
 */
const MAX_BYTES =
  Number.parseInt(process.versions.node, 10) < 24
    ? { recorded: 3400, delivered: 5300 }
    : { recorded: 3700, delivered: 5600 };

const ROUNDS = 5;
/** Numbers in the array that a call of the control allocates more: 8 bytes each, and two words. */
const EXTRA_NUMBERS = 32;

const PROGRAM = `
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { flush, init, traced } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const [url, home] = process.argv.slice(2);
init({ url, apiKey: 'key', project: 'acme/counts', home });
const CALLS = 2000;
let kept;
const own = traced(async function step(question) { return 'answer to ' + question; });
const more = async (question) => { kept = new Array(${EXTRA_NUMBERS}).fill(1); return own(question); };

let collections = 0;
new PerformanceObserver((list) => { collections += list.getEntries().length; }).observe({ entryTypes: ['gc'] });

async function bytesOf(call) {
  globalThis.gc();
  await sleep(20);
  collections = 0;
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < CALLS; n++) await call('question ' + n);
  const recorded = process.memoryUsage().heapUsed - before;
  await flush();
  const delivered = process.memoryUsage().heapUsed - before;
  await sleep(20);
  return { recorded: recorded / CALLS, delivered: delivered / CALLS, collections };
}

for (let round = 0; round < 20; round++) {
  for (let n = 0; n < CALLS; n++) {
    for (const call of [own, more]) await call('question ' + n);
    if (n % 100 === 0) await turn();
  }
  await flush();
}
const rounds = [];
for (let round = 0; round < ${ROUNDS}; round++) {
  rounds.push({ own: await bytesOf(own), more: await bytesOf(more) });
}
console.log(JSON.stringify(rounds));
process.exit(0);
`;

interface Bytes {
  readonly recorded: number;
  readonly delivered: number;
  readonly collections: number;
}

type Round = Readonly<Record<'own' | 'more', Bytes>>;

beforeAll(buildOnce, 120_000);

async function measureRounds(): Promise<Round[]> {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const service = createServer((request, response) => {
    void acknowledge(request, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void service.close());
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const program = join(home, 'program.mjs');
  writeFileSync(program, PROGRAM);
  const flags = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128'];
  const { code, stdout, stderr } = await runNode([...flags, program, `http://127.0.0.1:${port}`, home], { home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Round[];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

test('a small async call allocates no more than this, and one more array is seen', { timeout: 60_000 }, async () => {
  const rounds = await measureRounds();
  expect(rounds.flatMap(({ own, more }) => [own.collections, more.collections])).toEqual(Array(2 * ROUNDS).fill(0));
  const recorded = median(rounds.map(({ own }) => own.recorded));
  const delivered = median(rounds.map(({ own }) => own.delivered));
  expect(recorded).toBeLessThan(MAX_BYTES.recorded);
  expect(delivered).toBeLessThan(MAX_BYTES.delivered);
  const more = median(rounds.map((round) => round.more.recorded));
  expect(more - recorded).toBeGreaterThan(8 * EXTRA_NUMBERS);
});
