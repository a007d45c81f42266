import { Agent } from 'node:http';
import type { Target } from '../measure.ts';
import { percentile } from '../results.ts';
import type { Sample } from '../rounds.ts';
import { post } from '../service/load.ts';
import { DAY_MS, LIST_PROJECT, TRACE_PROJECT } from './seed.ts';

const FACETS = ['op', 'kind', 'state', 'model', 'thread', 'user', 'error'].map((field) => ({ field, limit: 10 }));

/** What the page asks for before it shows anything, over two connections, as a browser does. */
export async function measureReads(
  target: Target,
  { traces, repeats }: { readonly traces: readonly [small: string, large: string]; readonly repeats: number },
): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const ask = (path: string, body: object) => post(target, agent, path, JSON.stringify(body));
  const list = { project_id: LIST_PROJECT };
  const overview = { histogram: { buckets: 96 }, facets: FACETS };
  const now = Date.now();
  const day = {
    started_after: new Date(now - 3 * DAY_MS).toISOString(),
    started_before: new Date(now - 2 * DAY_MS).toISOString(),
  };
  const roots = { ...list, roots_only: true };
  const skeletonOf = (trace: string) => ask('/x/trace/skeleton', { project_id: TRACE_PROJECT, trace_id: trace });
  const questions: Record<string, () => Promise<unknown>> = {
    firstListMs: () =>
      Promise.all([
        ask('/x/calls/rows', { ...roots, limit: 200 }),
        ask('/x/calls/stats', { ...roots, histogram: { buckets: 96 } }),
      ]),
    dayMs: () => ask('/x/calls/stats', { ...list, ...day, ...overview }),
    everythingMs: () => ask('/x/calls/stats', { ...list, ...overview }),
    skeleton10kMs: () => skeletonOf(traces[0]),
    skeleton100kMs: () => skeletonOf(traces[1]),
  };
  const sample: Record<string, number> = {};
  for (const [figure, question] of Object.entries(questions)) sample[figure] = await p95Of(question, repeats);
  agent.destroy();
  return sample;
}

/** Of all but the first time, which warms up. */
async function p95Of(question: () => Promise<unknown>, repeats: number): Promise<number> {
  await question();
  const times: number[] = [];
  for (let n = 0; n < repeats; n++) {
    const startedAt = performance.now();
    await question();
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.95);
}
