import { describe, expect, test } from 'vitest';
import type { FaultPlan } from './fault-proxy.ts';
import { expectSteps, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram } from './program.ts';

// recorded = queued + sent + spooled + dropped, at every moment.

const way = useFaultyWay();

/**
 * Makes 5000 calls in bursts and looks at the counts after each call, between any two turns of the event loop and
 * in the middle of them, as promises do. What did not add up is printed at the end, with the last counts.
 */
const SAMPLED = `
  import { setImmediate as turn } from 'node:timers/promises';
  const wrong = [];
  let samples = 0;
  const sample = (where) => {
    const counts = stats();
    for (const { recorded, queued, sent, spooled, dropped } of [counts, counts.objects]) {
      samples++;
      const isWhole = recorded === queued + sent + spooled + dropped && Math.min(queued, sent, spooled, dropped) >= 0;
      if (!isWhole && wrong.length < 5) wrong.push({ where, recorded, queued, sent, spooled, dropped });
    }
    return counts;
  };
  const payload = 'x'.repeat(500);
  const work = traced(function work(n, payload) { return n; }, { op: false });
  const watched = async (flushing) => {
    for (let n = 0; n < 300; n++) { await null; sample('a promise'); }
    await flushing;
  };
  work(0, payload);
  const timer = setInterval(() => sample('a timer'), 1);
  for (let burst = 0; burst < 10; burst++) {
    for (let n = 0; n < 500; n++) { work(n, payload); sample('a call'); }
    spoor.publish({ burst }, 'burst');
    sample('an object');
    await turn();
    if (burst % 3 === 2) await watched(flush({ timeoutMs: 300 }));
    sample('a flush');
  }
  await watched(flush({ timeoutMs: 1000 }));
  clearInterval(timer);
  process.on('exit', () => {
    const { recorded, queued, objects } = sample('the end');
    console.log(JSON.stringify({ wrong, samples, recorded, queued, objects: objects.recorded }));
  });`;

interface Sampled {
  readonly wrong: readonly unknown[];
  readonly samples: number;
  readonly recorded: number;
  readonly queued: number;
  readonly objects: number;
}

/** Refuses, loses and takes in turn. */
const comesAndGoes: FaultPlan = ({ index }) => {
  const state = Math.floor(index / 4) % 4;
  if (state === 1) return { kind: 'answer', status: 503, headers: { 'retry-after': '0' } };
  if (state === 2) return { kind: 'lostAnswer' };
  return state === 3 ? { kind: 'delay', ms: 20 } : undefined;
};

const REFUSAL = '{"reason":"a fault","error_code":"validation_error"}';
const refusesHalf: FaultPlan = ({ body }) =>
  /"n":4\d\d,/.test(body) ? { kind: 'answer', status: 422, body: REFUSAL } : undefined;

describe.each<[string, FaultPlan]>([
  ['answers', () => undefined],
  ['comes and goes', comesAndGoes],
  ['refuses some records', refusesHalf],
  ['never answers', () => ({ kind: 'hang' })],
  ['does not know the key', () => ({ kind: 'answer', status: 401 })],
])('the counts add up at every moment while the service %s', (_name, plan) => {
  test.each([
    ['with room', {}],
    ['with little of both', { SPOOR_QUEUE_BYTES: '20000', SPOOR_SPOOL_BYTES: '200000' }],
    ['with no disk', { SPOOR_QUEUE_BYTES: '2000000', SPOOR_HOME: '/dev/null/spoor' }],
  ])('%s', { timeout: 60_000 }, async (_room, room) => {
    way.proxy.plan = plan;
    const program = startProgram(way.home, SAMPLED, way.environment(room));
    const sampled = JSON.parse(await program.line()) as Sampled;
    expect(sampled).toMatchObject({ wrong: [], recorded: 10_002, queued: 0, objects: 10 });
    expect(sampled.samples).toBeGreaterThan(10_000);
    expect(await program.ended).toMatchObject({ code: 0, signal: null });
  });
});

test('process.exit at the moment at which a batch is built loses nothing', async () => {
  const source = `
    step(0);
    await flush();
    step(1);
    void flush();
    for (let n = 0; n < 1000; n++) {
      await null;
      const { recorded, queued, sent, spooled, dropped } = stats();
      if (recorded !== queued + sent + spooled + dropped) break;
    }
    process.exit(0);`;
  expect(await runProgram(way.home, source, way.environment())).toEqual({ code: 0, signal: null, stderr: '' });
  await expectSteps(way, 2);
});
