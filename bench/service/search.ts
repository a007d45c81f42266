import { Agent } from 'node:http';
import type { Target } from '../measure.ts';
import { percentile } from '../results.ts';
import type { Sample } from '../rounds.ts';
import { markOf, topicOf } from './load.ts';
import { askMs, type Query } from './queries.ts';

/** Milliseconds of questions for which all calls have to be looked at. */
export async function measureSearch(
  target: Target,
  { calls, searches }: { readonly calls: number; readonly searches: number },
): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const figures: Record<string, number> = {};
  for (const query of searchesIn(calls)) {
    const times: number[] = [];
    for (let n = 0; n < searches; n++) times.push(await askMs(target, agent, query, n));
    figures[`${query.figure}Ms`] = percentile(times, 0.5);
  }
  agent.destroy();
  return figures;
}

export function searchesIn(calls: number): Query[] {
  const counts = (wanted: number) => (answer: string) => (JSON.parse(answer) as { count: number }).count === wanted;
  const where = (expression: unknown) => ({ query: { $expr: expression } });
  return [
    {
      figure: 'path',
      path: '/calls/query_stats',
      body: (n) => where({ $eq: [{ $getField: 'inputs.topic' }, { $literal: topicOf(n) }] }),
      isRight: counts(calls / 10),
    },
    {
      figure: 'substring',
      path: '/calls/query_stats',
      body: (n) =>
        where({ $contains: { input: { $getField: 'inputs.text' }, substr: { $literal: markOf((n * 7919) % calls) } } }),
      isRight: counts(1),
    },
  ];
}
