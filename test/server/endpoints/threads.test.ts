import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { asList, leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/call/upsert_batch', {
    batch: [...turn('a1', 'chat-1', 0, 1000), ...turn('a2', 'chat-1', 10, 2000), ...turn('b1', 'chat-2', 20)],
  });
});
afterAll(() => server.close());

const at = (second: number, ms = 0) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, ms)).toISOString();

/** A turn that begins at a second; without a duration it runs. */
function turn(id: string, thread: string, second: number, ms?: number): object[] {
  const start = { project_id: PROJECT, id, op_name: 'turn', thread_id: thread, turn_id: id, started_at: at(second) };
  const ended = { project_id: PROJECT, id, ended_at: at(second, ms) };
  return [{ mode: 'start', req: { start } }, ...(ms === undefined ? [] : [{ mode: 'end', req: { end: ended } }])];
}

const CHAT_1 = {
  thread_id: 'chat-1',
  turn_count: 2,
  start_time: '2026-01-01T00:00:00Z',
  last_updated: '2026-01-01T00:00:12Z',
  first_turn_id: 'a1',
  last_turn_id: 'a2',
  p50_turn_duration_ms: 1500,
  p99_turn_duration_ms: 1990,
};
const CHAT_2 = {
  thread_id: 'chat-2',
  turn_count: 1,
  start_time: '2026-01-01T00:00:20Z',
  last_updated: '2026-01-01T00:00:20Z',
  first_turn_id: 'b1',
  last_turn_id: 'b1',
  p50_turn_duration_ms: null,
  p99_turn_duration_ms: null,
};

const query = (fields: object) => ({ project_id: PROJECT, ...fields });

describe('/threads/stream_query', () => {
  test('streams whole threads, the last updated first', async () => {
    const answer = await server.post('/threads/stream_query', query({}), { accept: 'application/x-ndjson' });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(whole(asList(answer))).toEqual([200, [CHAT_2, CHAT_1]]);
  });

  test('takes every field', async () => {
    const request = {
      filter: {
        after_datetime: '2025-12-31T23:59:59Z',
        before_datetime: '2026-01-01T00:00:21Z',
        thread_ids: ['chat-1', 'chat-2'],
      },
      limit: 1,
      offset: 1,
      sort_by: [{ field: 'turn_count', direction: 'asc' }],
    };
    const answer = await server.post('/threads/stream_query', query(request));
    expect(whole(asList(answer))).toEqual([200, [CHAT_1]]);
  });

  test('a thread that began at the moment of after_datetime is not after it', async () => {
    const filter = { after_datetime: CHAT_1.start_time, before_datetime: null };
    const answer = await server.post('/threads/stream_query', query({ filter }));
    expect(whole(asList(answer))).toEqual([200, [CHAT_2]]);
  });

  refuses('threadsStreamQuery', [
    { code: 'validation_error', what: 'a day as date', body: query({ filter: { after_datetime: '2026-01-01' } }) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'invalid_request', what: 'a negative offset', body: query({ offset: -1 }) },
    {
      code: 'invalid_field',
      what: 'another order',
      body: query({ sort_by: [{ field: 'op_name', direction: 'asc' }] }),
    },
    {
      code: 'too_many_items',
      what: 'a long filter',
      body: query({ filter: { thread_ids: ['a'] } }),
      limits: { filter_items: 0 },
    },
    { code: 'query_timeout', what: 'a slow read', body: query({}), slow: 'threads' },
    { code: 'rate_limited', what: 'one stream too many', body: query({}), limits: { streams_per_key: 0 } },
  ]);
  leavesNothingOut('threadsStreamQuery');
});
