import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../measure.ts';
import { percentile } from '../results.ts';
import type { Sample } from '../rounds.ts';
import { batchOf, CALLS_PER_REQUEST, post } from './load.ts';
import { askMs, LIST } from './queries.ts';

const CALLS_PER_SEC = 5000;
const REQUEST_EVERY_MS = (CALLS_PER_REQUEST * 1000) / CALLS_PER_SEC;
const CONNECTIONS = 4;
/** Between two pages: somebody looks at them. */
const PAUSE_MS = 20;

/** Pages are read, one after the other, while calls are written at a steady rate. */
export async function measureMixed(
  target: Target,
  { stored, forMs }: { readonly stored: number; readonly forMs: number },
): Promise<Sample> {
  // Made before, so that the reader does not wait for the writer.
  const bodies = Array.from({ length: Math.round(forMs / REQUEST_EVERY_MS) }, (_, index) =>
    batchOf({ from: stored + index * CALLS_PER_REQUEST, calls: CALLS_PER_REQUEST }),
  );
  let isOver = false;
  const writing = write(target, bodies).finally(() => {
    isOver = true;
  });
  const [written, times] = await Promise.all([writing, readUntil(target, () => isOver)]);
  return { ...written, listP50Ms: percentile(times, 0.5), listP95Ms: percentile(times, 0.95) };
}

async function readUntil(target: Target, isOver: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  while (!isOver()) {
    times.push(await askMs(target, agent, LIST, times.length));
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return times;
}

async function write(target: Target, bodies: readonly string[]): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedAt = performance.now();
  const late: number[] = [];
  const times: number[] = [];
  const send = async (body: string) => {
    const sentAt = performance.now();
    await post(target, agent, '/call/upsert_batch', body);
    times.push(performance.now() - sentAt);
  };
  const requests: Promise<void>[] = [];
  for (const [index, body] of bodies.entries()) {
    const dueAt = startedAt + index * REQUEST_EVERY_MS;
    await sleep(Math.max(0, dueAt - performance.now()));
    late.push(performance.now() - dueAt);
    requests.push(send(body));
  }
  // The rate is that of the last one being due, too.
  await sleep(Math.max(0, startedAt + bodies.length * REQUEST_EVERY_MS - performance.now()));
  await Promise.all(requests);
  return {
    callsPerSec: (bodies.length * CALLS_PER_REQUEST * 1000) / (performance.now() - startedAt),
    writeP95Ms: percentile(times, 0.95),
    behindMs: Math.max(...late),
  };
}
