import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { BodyService } from '../load/body-service.ts';
import { AT, PROJECT } from '../load/right-bodies.ts';

beforeAll(buildOnce, 120_000);

/** An object of many keys where an endpoint takes any, and the status that it has. */
const BODIES: readonly (readonly [path: string, status: number, bodyOf: (keys: object) => object])[] = [
  [
    '/call/start',
    200,
    (inputs) => ({ start: { project_id: PROJECT, id: 'c1', op_name: 'f', started_at: AT, inputs } }),
  ],
  ['/call/end', 200, (output) => ({ end: { project_id: PROJECT, id: 'c1', ended_at: AT, output } })],
  ['/obj/create', 200, (val) => ({ obj: { project_id: PROJECT, object_id: 'o', val } })],
  ['/table/create', 200, (row) => ({ table: { project_id: PROJECT, rows: [row] } })],
  // More than a payload may have.
  [
    '/feedback/create',
    400,
    (payload) => ({ project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/c1`, feedback_type: 'own', payload }),
  ],
  // No such keys are allowed there.
  ['/call/read', 422, (keys) => ({ project_id: PROJECT, id: 'c1', ...keys })],
];

const KEYS = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`k${index}`, 1]));

/** Milliseconds of CPU that the main thread may take without looking at anybody else, whatever others do on the machine. */
const MAX_STRETCH_MS = 100;

/** What others leave of the caches of a machine costs CPU, too, now and then; the work costs it each time. */
const ROUNDS = 3;

async function longestStretch(service: BodyService, path: string, body: Buffer, status: number): Promise<number> {
  await service.rest();
  const over = new AbortController();
  const health: number[] = [];
  const { stretchMs, result } = await service.measure(async () => {
    const sent = service.send(path, body).finally(() => over.abort());
    while (!over.signal.aborted) {
      health.push((await service.send('/health')).status);
      await sleep(10);
    }
    return await sent;
  });
  expect(result).toMatchObject({ status });
  expect(new Set(health)).toEqual(new Set([200]));
  // Also while the body was read, not before and after it only.
  expect(health.length).toBeGreaterThan(2);
  return stretchMs;
}

test.skipIf(process.platform !== 'linux')(
  'bodies of 400,000 keys keep nobody waiting: `/health` is answered while they are read',
  { timeout: 300_000 },
  async () => {
    const service = await BodyService.start();
    onTestFinished(() => service.close());
    const long: unknown[] = [];
    for (const [path, status, bodyOf] of BODIES) {
      const body = Buffer.from(JSON.stringify(bodyOf(KEYS)));
      let shortest = Infinity;
      for (let round = 0; round < ROUNDS && shortest >= MAX_STRETCH_MS; round++)
        shortest = Math.min(shortest, await longestStretch(service, path, body, status));
      if (shortest >= MAX_STRETCH_MS) long.push([path, shortest]);
    }
    expect(long).toEqual([]);
  },
);
