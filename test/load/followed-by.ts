import type { PostName } from '../../src/server/routes/route.ts';
import type { Send } from './body-service.ts';
import { PROJECT } from './right-bodies.ts';

/** Reads what a worst case may have written, as a page or a client does right after it. */
export async function readAfter(endpoint: PostName, send: Send, answered: string): Promise<void> {
  await send('/metrics');
  const reads = Object.entries(READS).filter(([of]) => of.split(' ').includes(endpoint));
  for (const [, list] of reads) {
    for (const [path, body, headers] of list(answeredValue(answered))) {
      await send(path, { project_id: PROJECT, ...body }, headers);
    }
  }
}

type Reads = (
  answer: Record<string, unknown>,
) => readonly (readonly [path: string, body: object, headers?: Record<string, string>])[];

const LARGEST = { limit: 100, sort_by: [{ field: 'id', direction: 'asc' }] };

/** By the endpoints that write, what may be read afterwards. */
const READS: Readonly<Record<string, Reads>> = {
  'callStart callEnd callUpsertBatch callsComplete projectCallStart projectCallEnd otelExportTraces callUpdate': () => [
    ['/call/read', { id: 'c1', include_costs: true }],
    ['/calls/query_stats', {}],
    ['/calls/stream_query', { ...LARGEST, include_feedback: true }],
    ['/calls/stream_query', { ...LARGEST, columns: ['id', 'inputs.a'], expand_columns: ['inputs.a'] }],
    ['/threads/stream_query', {}],
  ],
  objCreate: ({ digest }) => [
    ['/obj/read', { object_id: 'o', digest }],
    ['/objs/query', {}],
    ['/refs/read_batch', { refs: [`svc:///${PROJECT}/object/o:${String(digest)}/atr/a`] }],
  ],
  'fileCreate fileContent': ({ digest }) => [
    ['/file/content', { digest }],
    ['/file/content', { digest }, { accept: 'application/json' }],
    ['/files/query_stats', {}],
  ],
  'feedbackCreate feedbackReplace feedbackBatchCreate': () => [
    ['/feedback/query', { limit: 100 }],
    ['/calls/query_stats', { query: { $expr: { $gt: [{ $getField: 'feedback.[own].payload.a' }, { $literal: 1 }] } } }],
  ],
  costCreate: () => [['/cost/query', { limit: 100 }]],
  'tableCreate tableUpdate': ({ digest }) => [
    ['/table/query', { digest, limit: 100 }],
    ['/table/query_stats_batch', { digests: [digest] }],
    ['/table/query', { digest, limit: 100, offset: 900_000, sort_by: [{ field: 'val.index', direction: 'desc' }] }],
  ],
};

/** A digest stands at the beginning of an answer, of which the end may be missing. */
function answeredValue(text: string): Record<string, unknown> {
  return { digest: /"digest":"(\w+)"/.exec(text)?.[1] ?? 'none' };
}
