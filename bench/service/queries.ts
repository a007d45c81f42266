import { Agent } from 'node:http';
import type { Target } from '../measure.ts';
import { percentile } from '../results.ts';
import type { Sample } from '../rounds.ts';
import { idOf, LARGE_TRACE_CALLS, opOf, post, PROJECT, traceOf } from './load.ts';

export interface Query {
  readonly figure: string;
  readonly path: string;
  /** The body of the n-th request. */
  readonly body: (n: number) => unknown;
  /** What a right answer holds: a query that finds nothing is fast. */
  readonly isRight: (answer: string) => boolean;
}

const lines = (text: string) => text.trimEnd().split('\n').length;

/** The pages that somebody looks at first. */
export const LIST: Query = {
  figure: 'list',
  path: '/calls/stream_query',
  body: (n) => ({
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: 50,
    offset: (n % 10) * 50,
  }),
  isRight: (answer) => lines(answer) === 50,
};

/** Milliseconds of the questions that people ask all day, over one connection. */
export async function measureQueries(target: Target, { calls, queries }: { calls: number; queries: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const figures: Record<string, number> = {};
  for (const query of queriesOf(calls)) {
    const times: number[] = [];
    for (let n = 0; n < queries; n++) times.push(await askMs(target, agent, query, n));
    figures[`${query.figure}P50Ms`] = percentile(times, 0.5);
    figures[`${query.figure}P95Ms`] = percentile(times, 0.95);
  }
  agent.destroy();
  return figures satisfies Sample;
}

/** How long the n-th answer takes. Rejects when it is wrong. */
export async function askMs(target: Target, agent: Agent, query: Query, n: number): Promise<number> {
  const body = JSON.stringify({ project_id: PROJECT, ...(query.body(n) as object) });
  const startedAt = performance.now();
  const answer = await post(target, agent, query.path, body);
  const ms = performance.now() - startedAt;
  if (!query.isRight(answer)) throw new Error(`A wrong answer to ${query.path}: ${answer.slice(0, 300)}`);
  return ms;
}

export function queriesOf(calls: number): Query[] {
  return [
    LIST,
    {
      figure: 'trace',
      path: '/calls/stream_query',
      body: () => ({ filter: { trace_ids: [traceOf(0)] } }),
      isRight: (answer) => lines(answer) === LARGE_TRACE_CALLS,
    },
    {
      figure: 'read',
      path: '/call/read',
      body: (n) => ({ id: idOf((n * 7919) % calls) }),
      isRight: (answer) => answer.includes('"inputs":'),
    },
    {
      figure: 'count',
      path: '/calls/query_stats',
      body: (n) => ({ filter: { op_names: [opOf(n)] } }),
      isRight: (answer) => /"count":[1-9]/.test(answer),
    },
  ];
}
