import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, type RunningServer, startServer } from './running-server.ts';

const DAY = '2026-01-01T00:00:00Z';

describe.each(ENGINES)('odd records on %s', (storage) => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ storage });
  });
  afterAll(() => server.close());

  const startOf = (project_id: string, fields: { id: string; [field: string]: unknown }) => {
    return { mode: 'start', req: { start: { project_id, op_name: 'f', started_at: DAY, inputs: {}, ...fields } } };
  };
  const endOf = (project_id: string, id: string, ended_at: string) => {
    return { mode: 'end', req: { end: { project_id, id, ended_at } } };
  };
  const write = async (...batch: unknown[]) =>
    expect(await server.post('/call/upsert_batch', { batch })).toMatchObject({ status: 200 });
  const countOf = async (project_id: string, query: object = {}) =>
    ((await server.post('/calls/query_stats', { project_id, ...query })).body as { count: number }).count;

  test('a chain of ten thousand parents is read and deleted as a whole', async () => {
    const project_id = 'acme/chain';
    const ids = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
    // The children come first.
    await write(
      ...ids
        .map((id, index) => startOf(project_id, { id, trace_id: 't', parent_id: ids[index - 1] ?? null }))
        .toReversed(),
    );
    await write(startOf(project_id, { id: 'other', trace_id: 't' }));
    const stream = await server.post('/calls/stream_query', { project_id, columns: ['parent_id'] });
    expect(stream.text.split('\n')).toHaveLength(10_002);
    expect((await server.post('/calls/delete', { project_id, call_ids: ['c1'] })).body).toEqual({ num_deleted: 9999 });
    expect(await countOf(project_id)).toBe(2);
    expect((await server.post('/call/read', { project_id, id: 'c9999' })).body).toEqual({ call: null });
  });

  test('calls that are their own ancestors are read, and deleted once', async () => {
    const project_id = 'acme/cycle';
    await write(
      startOf(project_id, { id: 'self', parent_id: 'self' }),
      startOf(project_id, { id: 'a', parent_id: 'c', trace_id: 't' }),
      startOf(project_id, { id: 'b', parent_id: 'a', trace_id: 't' }),
      startOf(project_id, { id: 'c', parent_id: 'b', trace_id: 't' }),
      startOf(project_id, { id: 'below', parent_id: 'c', trace_id: 't' }),
    );
    expect(await countOf(project_id)).toBe(5);
    const sizes = { project_id, include_total_storage_size: true };
    expect((await server.post('/calls/query_stats', sizes)).status).toBe(200);
    expect((await server.post('/calls/delete', { project_id, call_ids: ['b', 'a'] })).body).toEqual({ num_deleted: 4 });
    expect((await server.post('/calls/delete', { project_id, call_ids: ['self'] })).body).toEqual({ num_deleted: 1 });
    expect(await countOf(project_id)).toBe(0);
  });

  test('a clock that is wrong by a year moves a call in time, and nothing else', async () => {
    const project_id = 'acme/clock';
    const trace = { trace_id: 't', thread_id: 'chat' };
    await write(
      startOf(project_id, { id: 'right', ...trace, turn_id: 'right' }),
      startOf(project_id, { id: 'ahead', ...trace, parent_id: 'right', started_at: '2027-01-01T00:00:00Z' }),
      startOf(project_id, { id: 'behind', ...trace, parent_id: 'right', started_at: '2025-01-01T00:00:00Z' }),
      endOf(project_id, 'ahead', '2027-01-01T00:00:00.250Z'),
      endOf(project_id, 'behind', '2025-01-01T00:00:00.250Z'),
      // Its start was written by another clock.
      endOf(project_id, 'right', '2025-01-01T00:00:00Z'),
    );
    const stream = await server.post('/calls/stream_query', { project_id, columns: ['summary', 'ended_at'] });
    const calls = stream.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; summary: { svc: { status: string; latency_ms: number } } });
    expect(calls.map(({ id }) => id)).toEqual(['behind', 'right', 'ahead']);
    expect(calls.map(({ summary }) => summary.svc.status)).toEqual(['success', 'success', 'success']);
    expect(calls.map(({ summary }) => summary.svc.latency_ms)).toEqual([250, 0, 250]);
    const since = { $expr: { $gt: [{ $getField: 'started_at' }, { $literal: '2026-06-01' }] } };
    expect(await countOf(project_id, { query: since })).toBe(1);
    const threads = await server.post('/threads/stream_query', { project_id });
    expect(JSON.parse(threads.text)).toMatchObject({ thread_id: 'chat', turn_count: 1 });
    expect((await server.post('/calls/delete', { project_id, call_ids: ['right'] })).body).toEqual({ num_deleted: 3 });
  });

  test.each([
    ["a'; DROP TABLE calls;--/b"],
    ['x" OR 1=1 --/y'],
    ['../..'],
    ['./.git'],
    ['<b>/<script>alert(1)<'],
    ['ü ö/😀'],
    ['__proto__/constructor'],
    ['$(reboot)/`id`'],
  ])('a project named %j is one of its own', async (project_id) => {
    const digestOf = ({ body, status }: { body: unknown; status: number }) => {
      expect(status).toBe(200);
      return (body as { digest: string }).digest;
    };
    await write(startOf(project_id, { id: 'c1' }), endOf(project_id, 'c1', DAY));
    const file = digestOf(await server.post('/file/create', { project_id, name: 'f', content: 'YQ==' }));
    const object = { project_id, object_id: 'settings', val: { a: 1 } };
    const version = digestOf(await server.post('/obj/create', { obj: object }));
    const table = digestOf(await server.post('/table/create', { table: { project_id, rows: [{ a: 1 }] } }));
    const [entity = '', name = ''] = project_id.split('/').map(encodeURIComponent);
    const svc_ref = `svc:///${entity}/${name}/call/c1`;
    const feedback = { project_id, svc_ref, feedback_type: 'note', payload: { a: 1 } };
    expect((await server.post('/feedback/create', feedback)).status).toBe(200);

    const read = await server.post('/calls/stream_query', { project_id, include_feedback: true });
    expect(JSON.parse(read.text)).toMatchObject({
      id: 'c1',
      project_id,
      summary: { svc: { feedback: [{ feedback_type: 'note' }] } },
    });
    const content = await server.post('/file/content', { project_id, digest: file }, { accept: 'application/json' });
    expect(content.body).toEqual({ content: 'YQ==' });
    const latest = await server.post('/obj/read', { project_id, object_id: 'settings', digest: 'latest' });
    expect(latest.body).toMatchObject({ obj: { project_id, val: { a: 1 } } });
    expect((await server.post('/table/query_stats', { project_id, digest: table })).body).toMatchObject({ count: 1 });
    const refs = [`svc:///${entity}/${name}/object/settings:${version}`];
    expect((await server.post('/refs/read_batch', { refs })).body).toEqual({ vals: [{ a: 1 }] });
    expect((await server.post('/calls/delete', { project_id, call_ids: ['c1'] })).body).toEqual({ num_deleted: 1 });
  });

  test('what happens in one project leaves the others as they were', async () => {
    expect(await countOf('acme/chain')).toBe(2);
    expect(await countOf('acme/never')).toBe(0);
  });
});
