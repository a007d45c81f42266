import { describe, expect, test } from 'vitest';
import type { CallRow, CallRowsResponse } from '../../../src/protocol/page/call-row.ts';
import type { CallsStatsResponse } from '../../../src/protocol/page/calls-stats.ts';
import { decodeSkeleton } from '../../../src/protocol/page/decode-skeleton.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { PROJECT, seed } from './seed.ts';

const startService = serverPerTest();

const prices = [{ llm_id: 'm-1', prompt_token_cost: 0.01, completion_token_cost: 0.1 }];

const CALLS = [
  { id: 'root', at: 0, ms: 5000, thread: 'chat-7', inputs: { question: 'Why?' }, output: 'Because', model: 'm-1' },
  { id: 'child', parent: 'root', at: 1, ms: 1000, op: 'llm', kind: 'llm', model: 'm-1' },
  { id: 'bad', parent: 'root', at: 2, ms: 250.5, op: 'tool', kind: 'tool', exception: 'TypeError: no\n  at x' },
  { id: 'old', parent: 'root', at: 3, ms: null, op: 'tool' },
];

describe.each(ENGINES)('with %s', (storage) => {
  async function start(): Promise<RunningServer> {
    const server = await startService({ storage, prices });
    await seed(server, CALLS);
    return server;
  }

  async function rowsOf(service: RunningServer, request: object = {}): Promise<CallRowsResponse> {
    const answer = await service.post('/x/calls/rows', { project_id: PROJECT, ...request });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as CallRowsResponse;
  }

  test('rows say what happened in a line, the newest first', async () => {
    const { rows, next_cursor: next } = await rowsOf(await start());
    expect(next).toBeNull();
    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      ['old', 'never_ended'],
      ['bad', 'error'],
      ['child', 'success'],
      ['root', 'success'],
    ]);
    expect(rows[3]).toEqual({
      id: 'root',
      trace_id: 'trace-1',
      parent_id: null,
      thread_id: 'chat-7',
      op: 'answer',
      op_name: 'answer',
      name: 'answer',
      kind: 'other',
      state: 'success',
      error: null,
      error_type: null,
      started_at: '2026-01-01T00:00:00Z',
      ended_at: '2026-01-01T00:00:05Z',
      latency_ms: 5000,
      input: 'Why?',
      output: 'Because',
      tokens: 120,
      tokens_in: 100,
      tokens_out: 20,
      tokens_cached: 0,
      cost: 3,
      unpriced_models: [],
      model: 'm-1',
      models: ['m-1'],
      feedback: 0,
    });
    expect(rows[1]).toMatchObject({ error: 'TypeError: no', error_type: 'TypeError', kind: 'tool' });
  });

  test('a cursor goes on where the page ended, in any order', async () => {
    const service = await start();
    for (const sort of [[], [{ field: 'op_name', direction: 'asc' }]]) {
      const all = (await rowsOf(service, { sort_by: sort })).rows.map(({ id }) => id);
      const ids: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages < 4; pages++) {
        const page: CallRowsResponse = await rowsOf(service, { sort_by: sort, limit: 1, ...(cursor && { cursor }) });
        ids.push(...page.rows.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(ids).toEqual(all);
    }
    const strange = await service.post('/x/calls/rows', { project_id: PROJECT, cursor: 'x' });
    expect(strange).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } });
  });

  test('a selection has times and roots beside filter and query', async () => {
    const service = await start();
    const idsOf = async (request: object) => (await rowsOf(service, request)).rows.map(({ id }) => id);
    expect(await idsOf({ roots_only: true })).toEqual(['root']);
    expect(await idsOf({ started_after: '2026-01-01T00:00:01Z', started_before: '2026-01-01T00:00:03Z' })).toEqual([
      'bad',
      'child',
    ]);
    expect(await idsOf({ filter: { op_names: ['tool'] } })).toEqual(['old', 'bad']);
  });

  test('single rows are read by their ids', async () => {
    const service = await start();
    const { body } = await service.post('/x/calls/row', { project_id: PROJECT, ids: ['bad', 'nobody'] });
    expect((body as { rows: CallRow[] }).rows.map(({ id }) => id)).toEqual(['bad']);
  });

  test('the number of feedback stands in the row', async () => {
    const service = await start();
    const feedback = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/root`, feedback_type: 'x', payload: {} };
    expect(await service.post('/feedback/create', feedback)).toMatchObject({ status: 200 });
    const { body } = await service.post('/x/calls/row', { project_id: PROJECT, ids: ['root'] });
    expect((body as { rows: CallRow[] }).rows[0]?.feedback).toBe(1);
  });

  test('a model is counted by the calls that asked it, and not by those above', async () => {
    const service = await start();
    await seed(service, [{ id: 'second', parent: 'root', at: 4, ms: 1, op: 'llm', model: 'm-1' }]);
    const { body } = await service.post('/x/calls/stats', { project_id: PROJECT });
    expect((body as CallsStatsResponse).models).toEqual([{ model: 'm-1', calls: 2, tokens: 120, cost: 3 }]);
  });

  test('statistics count usage once, name what has no price, and know who never ended', async () => {
    const service = await start();
    await seed(service, [{ id: 'other', at: 4, ms: 1, model: 'unheard-of' }]);
    const { body } = await service.post('/x/calls/stats', {
      project_id: PROJECT,
      histogram: { buckets: 4 },
      facets: [{ field: 'op' }, { field: 'state' }, { field: 'error' }, { field: 'attributes.kind', limit: 1 }],
    });
    expect(body).toMatchObject({
      count: 5,
      errors: 1,
      running: 0,
      never_ended: 1,
      tokens: { input: 200, output: 40, total: 240 },
      cost: 3,
      unpriced_models: ['unheard-of'],
      first_started_at: '2026-01-01T00:00:00Z',
      last_started_at: '2026-01-01T00:00:04Z',
      facets: [
        {
          field: 'op',
          values: [
            { value: 'answer', count: 2 },
            { value: 'tool', count: 2 },
            { value: 'llm', count: 1 },
          ],
        },
        {
          field: 'state',
          values: [
            { value: 'success', count: 3 },
            { value: 'error', count: 1 },
            { value: 'never_ended', count: 1 },
          ],
        },
        { field: 'error', values: [{ value: 'TypeError', count: 1 }] },
        { field: 'attributes.kind', values: [{ value: 'llm', count: 1 }], other: 1, distinct: 2 },
      ],
    });
    const { histogram } = body as { histogram: { counts: number[]; errors: number[] } };
    expect(histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(histogram.errors.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test('statistics have latencies in milliseconds, tokens by what they are charged as, and calls by their start', async () => {
    const service = await startService({ storage, prices });
    const tokens = { input_tokens: 1000, cache_read_input_tokens: 200, cache_creation_input_tokens: 30 };
    const usage = { 'm-1': { requests: 1, ...tokens, output_tokens: 4, reasoning_tokens: 5 } };
    await seed(service, [
      { id: 'before', at: -1, ms: 90_000 },
      { id: 'a', at: 0, ms: 10, usage },
      { id: 'b', at: 2.999, ms: 20, exception: 'TypeError: no' },
      { id: 'c', at: 3, ms: 30, usage },
      { id: 'd', at: 9, ms: 40, exception: 'TypeError: no' },
      { id: 'open', at: 11.999, ms: null },
      { id: 'after', at: 12, ms: 90_000 },
    ]);
    const { body } = await service.post('/x/calls/stats', {
      project_id: PROJECT,
      started_after: '2026-01-01T00:00:00Z',
      started_before: '2026-01-01T00:00:12Z',
      histogram: { buckets: 4 },
    });
    expect(body).toMatchObject({
      count: 5,
      errors: 2,
      latency_ms: { p50: 25, p95: 38.5, p99: 39.7 },
      tokens: { input: 2000, output: 8, cache_read: 400, cache_write: 60, reasoning: 10, total: 2478 },
      histogram: {
        from: '2026-01-01T00:00:00Z',
        to: '2026-01-01T00:00:12Z',
        bucket_ms: 3000,
        counts: [2, 1, 0, 2],
        errors: [1, 0, 0, 1],
      },
    });
  });

  test('what cannot be counted by is refused', async () => {
    const service = await start();
    const ask = async (request: object) => await service.post('/x/calls/stats', { project_id: PROJECT, ...request });
    expect(await ask({ facets: [{ field: 'id' }] })).toMatchObject({ status: 422 });
    expect(await ask({ histogram: { buckets: 0 } })).toMatchObject({ status: 400 });
    expect(await ask({ facets: Array.from({ length: 21 }, () => ({ field: 'op' })) })).toMatchObject({ status: 400 });
  });

  test('a trace comes as its skeleton', async () => {
    const service = await start();
    const response = await fetch(`${service.url}/x/trace/skeleton`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}` },
      body: JSON.stringify({ project_id: PROJECT, trace_id: 'trace-1' }),
    });
    expect(response.headers.get('content-type')).toBe('application/x-spoor-skeleton');
    const skeleton = decodeSkeleton(new Uint8Array(await response.arrayBuffer()));
    expect(skeleton.ids).toEqual(['root', 'child', 'bad', 'old']);
    expect([...skeleton.parents]).toEqual([-1, 0, 0, 0]);
    expect([...skeleton.states]).toEqual([0, 0, 1, 3]);
    expect([...skeleton.costs]).toEqual([3, 3, Number.NaN, Number.NaN]);
    expect(skeleton.errors.get(2)).toBe('TypeError: no');
  });

  test('an export has every call, in lines or as a table that runs no formula', async () => {
    const service = await start();
    await seed(service, [{ id: 'evil', at: 9, inputs: { text: '=HYPERLINK("http://x","y")' } }]);
    const jsonl = await service.post('/x/calls/export', { project_id: PROJECT, format: 'jsonl', columns: ['id'] });
    expect(jsonl.text).toBe(['evil', 'old', 'bad', 'child', 'root'].map((id) => `{"id":"${id}"}\n`).join(''));
    const csv = await service.post('/x/calls/export', {
      project_id: PROJECT,
      format: 'csv',
      columns: ['id', 'latency_ms', 'input'],
    });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="calls.csv"');
    expect(csv.text.split('\r\n').slice(0, 4)).toEqual([
      'id,latency_ms,input',
      `evil,1000,"'=HYPERLINK(""http://x"",""y"")"`,
      'old,,',
      'bad,250,',
    ]);
    const unknown = { project_id: PROJECT, format: 'csv', columns: ['secret'] };
    expect(await service.post('/x/calls/export', unknown)).toMatchObject({ status: 422 });
  });

  test('an export of whole calls has what a query sends, and no columns', async () => {
    const service = await start();
    await seed(service, [{ id: 'long', at: 9, inputs: { text: 'x'.repeat(100_000) } }]);
    const whole = { project_id: PROJECT, format: 'jsonl', whole: true };
    const all = await service.post('/x/calls/export', whole);
    const sort_by = [
      { field: 'started_at', direction: 'desc' },
      { field: 'id', direction: 'desc' },
    ];
    const queried = await service.post('/calls/stream_query', { project_id: PROJECT, sort_by });
    expect(all.text.length).toBeGreaterThan(100_000);
    expect(all.text).toBe(queried.text);
    const failed = await service.post('/x/calls/export', { ...whole, where: 'status:error' });
    expect(failed.text.match(/(?<=^\{"id":")[^"]+/gm)).toEqual(['bad']);
    expect((await service.post('/x/calls/export', { ...whole, where: 'tokens>1000000' })).text).toBe('');
    for (const wrong of [{ format: 'csv' }, { columns: ['id'] }]) {
      expect(await service.post('/x/calls/export', { ...whole, ...wrong })).toMatchObject({ status: 400 });
    }
  });

  test('projects are those that have calls, with what went wrong', async () => {
    const service = await start();
    await seed(service, [{ id: 'later', at: 60, project: 'other/one' }]);
    expect((await service.post('/x/projects', {})).body).toEqual({
      projects: [
        { project_id: 'other/one', calls: 1, errors: 0, last_started_at: '2026-01-01T00:01:00Z' },
        { project_id: PROJECT, calls: 4, errors: 1, last_started_at: '2026-01-01T00:00:03Z' },
      ],
    });
  });
});

test('a key sees the projects of its entities only', async () => {
  const server = await startService({ storage: 'sqlite' });
  await seed(server, [{ id: 'a' }, { id: 'b', project: 'other/one' }]);
  const { key } = createKey(server.dataDir ?? '', { name: 'ada', entities: ['other'] });
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await server.post('/x/projects', {}, headers);
  expect((body as { projects: { project_id: string }[] }).projects.map(({ project_id: id }) => id)).toEqual([
    'other/one',
  ]);
  const requests: [string, object][] = [
    ['/x/calls/rows', {}],
    ['/x/calls/row', { ids: ['a'] }],
    ['/x/calls/stats', {}],
    ['/x/calls/differences', {}],
    ['/x/trace/skeleton', { trace_id: 'trace-1' }],
    ['/x/calls/export', { format: 'csv' }],
  ];
  for (const [path, request] of requests) {
    const answer = await server.post(path, { project_id: PROJECT, ...request }, headers);
    expect({ path, status: answer.status }).toEqual({ path, status: 403 });
  }
  expect(await server.get(`/x/calls/changes?project_id=${PROJECT}`, headers)).toMatchObject({ status: 403 });
});
