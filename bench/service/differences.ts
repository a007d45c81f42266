import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { createServer } from '../../src/server/create-server.ts';
import { percentile } from '../results.ts';

/**
 * Milliseconds that a service on SQLite takes to say what is different, over a day of so many calls, and how long its event
 * loop was held meanwhile.
 *
 *   npm run build && npx tsx bench/service/differences.ts [calls]
 */
const CALLS = Number(process.argv[2] ?? 100_000);
const REPEATS = 20;
const BATCH = 1000;
const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const PROJECT = 'acme/day';

const REQUESTS: readonly (readonly [name: string, request: object])[] = [
  ['what failed beside all others', { where: 'status:error' }],
  ['what is slow beside all others', { where: 'latency>1500ms' }],
  ['half of the calls beside the others', { where: 'op:answer,search,rerank' }],
  ['a value of an input beside all others', { where: 'input.options.lang:de' }],
  ['two filters', { where: 'op:answer status:error', against: { where: 'op:answer' } }],
  ['an hour beside the day', hourOf(12)],
];

// The threads of SQLite start from the built package.
const built = new URL('../../dist/server/create-server.js', import.meta.url).href;
const { createServer: create } = (await import(built)) as { createServer: typeof createServer };
const dataDir = await mkdtemp(join(tmpdir(), 'spoor-differences-'));
const server = await create({ storage: 'sqlite', dataDir, port: 0, apiKey: 'key', logLevel: 'silent' });
try {
  const written = performance.now();
  for (let from = 0; from < CALLS; from += BATCH) await write(from, Math.min(CALLS, from + BATCH));
  console.log(`${CALLS} calls written in ${((performance.now() - written) / 1000).toFixed(1)} s`);
  for (const [name, request] of REQUESTS) await measure(name, request);
} finally {
  await server.close();
  await rm(dataDir, { recursive: true });
}

async function measure(name: string, request: object): Promise<void> {
  const day = { started_after: instant(0), started_before: instant(DAY_MS) };
  const ask = async () => await post('/x/calls/differences', { project_id: PROJECT, ...day, ...request });
  const found = (await ask()) as { differences: unknown[]; compared: number };
  const times: number[] = [];
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  for (let n = 0; n < REPEATS; n++) {
    const startedAt = performance.now();
    await ask();
    times.push(performance.now() - startedAt);
  }
  held.disable();
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(0));
  const counts = `${found.differences.length} of ${found.compared} traits`;
  console.log(`${name}: p50 ${p50} ms, p95 ${p95} ms, event loop held ${(held.max / 1e6).toFixed(0)} ms (${counts})`);
}

function hourOf(hour: number): object {
  const day = { started_after: instant(0), started_before: instant(DAY_MS) };
  const [from, to] = [hour, hour + 1].map((each) => instant((each * DAY_MS) / 24));
  return { started_after: from, started_before: to, against: day };
}

async function write(from: number, to: number): Promise<void> {
  const batch = Array.from({ length: to - from }, (_, place) => itemsOf(from + place)).flat();
  await post('/call/upsert_batch', { batch });
}

/** A call of about a kilobyte; five of a trace. Numbers go round at lengths that share no factor. */
function itemsOf(index: number): object[] {
  const trace = Math.floor(index / 5);
  const started = (index * DAY_MS) / CALLS;
  const spread = (index * 7919) % 1009;
  const region = `eu-${trace % 7}`;
  const start = {
    project_id: PROJECT,
    id: `call-${String(index).padStart(8, '0')}`,
    trace_id: `trace-${trace}`,
    parent_id: index % 5 === 0 ? null : `call-${String(trace * 5).padStart(8, '0')}`,
    op_name: ['answer', 'search', 'rerank', 'chat', 'send', 'embed'][spread % 6],
    started_at: instant(started),
    attributes: {
      kind: spread % 6 === 3 ? 'llm' : 'tool',
      user: `user-${trace % 400}`,
      region,
      build: 40 + (trace % 3),
      request: `r-${index}`,
    },
    inputs: {
      question: `What of ${index}? ${'word '.repeat(spread % 80)}`,
      topK: spread % 50,
      options: { lang: ['de', 'en', 'fr', 'ja'][spread % 4], temperature: (spread % 3) / 2 },
      messages: Array.from({ length: 1 + (spread % 5) }, () => ({ role: 'user', content: 'x'.repeat(60) })),
    },
  };
  const hasFailed = region === 'eu-3' ? spread % 3 === 0 : spread % 97 === 0;
  const end = {
    project_id: PROJECT,
    id: start.id,
    ended_at: instant(started + 20 + 2 * spread),
    exception: hasFailed ? 'TimeoutError: too late' : null,
    output: { text: 'y'.repeat(300) },
    summary: spread % 6 === 3 ? { usage: { [`model-${trace % 3}`]: { input_tokens: spread, output_tokens: 50 } } } : {},
  };
  return [
    { mode: 'start', req: { start } },
    { mode: 'end', req: { end } },
  ];
}

function instant(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}
