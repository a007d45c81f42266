import type { openStorage } from '../../src/storage/open.ts';
import type { AggregatePlan, Facet } from '../../src/storage/contract/overviews.ts';
import type { CallPlan } from '../../src/storage/contract/plan.ts';
import { percentile } from '../results.ts';

/**
 * Milliseconds of what pages ask of a database, without a service. It should have a million calls or so.
 *
 *   npm run build && npx tsx bench/service/overviews.ts <database> <project>
 */
const [path = '', projectId = ''] = process.argv.slice(2);
const REPEATS = 20;
const DAY = 86_400_000_000;

const FACETS: readonly Facet[] = [
  { field: { kind: 'text', column: 'op_name' }, limit: 10 },
  { field: { kind: 'text', column: 'status' }, limit: 10 },
  { field: { kind: 'text', column: 'thread_id' }, limit: 10 },
  { field: { kind: 'text', column: 'svc_user_id' }, limit: 10 },
  { field: { kind: 'json', column: 'attributes', path: ['kind'] }, limit: 10 },
  { field: { kind: 'exceptionType' }, limit: 10 },
  { field: { kind: 'model' }, limit: 10 },
];

const NEWEST: CallPlan['sort'] = [
  { field: { kind: 'time', column: 'started_at' }, isDescending: true },
  { field: { kind: 'text', column: 'id' }, isDescending: true },
];

// The threads of SQLite start from the built package.
const built = new URL('../../dist/storage/open.js', import.meta.url).href;
const { openStorage: open } = (await import(built)) as { openStorage: typeof openStorage };
const storage = await open({ engine: 'sqlite', path });
const { overviews } = storage;
if (overviews === undefined) throw new Error('The storage has no overviews');

const all: AggregatePlan = { projectId, filter: {} };
const shown = { histogram: { buckets: 60 }, facets: FACETS };
const { firstStartedAt, lastStartedAt } = await overviews.aggregate(all);
const middle = ((firstStartedAt ?? 0) + (lastStartedAt ?? 0)) / 2;
const day = { startedAfter: Math.floor(middle), startedBefore: Math.floor(middle) + DAY };

await measure('everything: counts', () => overviews.aggregate(all));
await measure('everything: counts, histogram, facets', () => overviews.aggregate({ ...all, ...shown }));
await measure('a day: counts, histogram, facets', () => overviews.aggregate({ ...all, ...day, ...shown }));
await measure('200 roots with previews', () => outlines(200, true));
await measure('10,000 outlines', () => outlines(10_000, false));
await storage.close();

async function outlines(limit: number, hasPreviews: boolean): Promise<void> {
  const filter = hasPreviews ? ({ rootsOnly: true } as const) : {};
  const plan = { projectId, filter, sort: NEWEST, limit, offset: 0, hasPreviews };
  let count = 0;
  for await (const chunk of overviews?.outlines(plan) ?? []) count += chunk.length;
  if (count !== limit) throw new Error(`Expected ${limit} calls, not ${count}`);
}

async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
  await run();
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  console.log(`${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`);
}
