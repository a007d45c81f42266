import { type EndpointText, QUERY_ERRORS } from '../endpoint-text.ts';

export const THREADS = {
  threadsStreamQuery: {
    area: 'Threads',
    summary: 'Reads the threads of a query, one per line',
    description:
      'A thread is the calls with its `thread_id` whose `turn_id` is their own `id`. Without `sort_by` the thread that was updated last comes first. Streams break as those of calls do.',
    errors: [
      ...QUERY_ERRORS,
      ['too_many_items', 'more than `filter_items` thread ids, or `sort_items` sort items'],
      ['rate_limited', 'the key has `streams_per_key` streams open'],
    ],
    request: { project_id: 'acme/demo', filter: { thread_ids: ['chat-7'] } },
    answer: {
      thread_id: 'chat-7',
      turn_count: 1,
      start_time: '2026-01-01T00:00:00Z',
      last_updated: '2026-01-01T00:00:01.500000Z',
      first_turn_id: '0123456789abcdef',
      last_turn_id: '0123456789abcdef',
      p50_turn_duration_ms: 1500,
      p99_turn_duration_ms: 1500,
    },
  },
} as const satisfies Record<string, EndpointText>;
