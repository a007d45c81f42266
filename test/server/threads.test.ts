import { afterEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

let running: RunningServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const item = (mode: 'start' | 'end', value: object) => ({ mode, req: { [mode]: { project_id: PROJECT, ...value } } });

/** A turn that begins so many seconds after the new year and takes so many milliseconds. */
function turn(id: string, thread: string, second: number, ms: number): object[] {
  const at = (millis: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, millis)).toISOString();
  const ids = { id, thread_id: thread, turn_id: id };
  return [item('start', { ...ids, op_name: 'f', started_at: at(0) }), item('end', { id, ended_at: at(ms) })];
}

describe.each(ENGINES)('threads on %s', (storage) => {
  async function start(): Promise<RunningServer> {
    running = await startServer({ storage });
    const batch = [
      ...turn('c1', 'chat-7', 0, 1000),
      ...turn('c9', 'chat-7', 58, 2000),
      ...turn('c3', 'chat-8', 30, 250),
    ];
    expect((await running.post('/call/upsert_batch', { batch })).status).toBe(200);
    return running;
  }

  test('a thread is a line with every key', async () => {
    const { status, headers, text } = await (await start()).post('/threads/stream_query', { project_id: PROJECT });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/jsonl');
    expect(text).toBe(
      '{"thread_id":"chat-7","turn_count":2,"start_time":"2026-01-01T00:00:00Z","last_updated":"2026-01-01T00:01:00Z",' +
        '"first_turn_id":"c1","last_turn_id":"c9","p50_turn_duration_ms":1500,"p99_turn_duration_ms":1990}\n' +
        '{"thread_id":"chat-8","turn_count":1,"start_time":"2026-01-01T00:00:30Z",' +
        '"last_updated":"2026-01-01T00:00:30.250000Z",' +
        '"first_turn_id":"c3","last_turn_id":"c3","p50_turn_duration_ms":250,"p99_turn_duration_ms":250}\n',
    );
  });

  test('null means that a key is absent', async () => {
    const target = await start();
    const filter = { after_datetime: null, before_datetime: null, thread_ids: null };
    const request = { project_id: PROJECT, filter, limit: null, offset: null, sort_by: null };
    expect((await target.post('/threads/stream_query', request)).text.match(/chat-\d/g)).toEqual(['chat-7', 'chat-8']);
    expect((await target.post('/threads/stream_query', { ...request, filter: null })).text).toContain('chat-8');
  });

  test('filter, order and page are applied', async () => {
    const target = await start();
    const ask = async (request: object) => {
      const { text } = await target.post('/threads/stream_query', { project_id: PROJECT, ...request });
      return text.match(/chat-\d/g) ?? [];
    };
    expect(await ask({ filter: { thread_ids: ['chat-8', 'chat-9'] } })).toEqual(['chat-8']);
    expect(await ask({ filter: { after_datetime: '2026-01-01T00:00:00Z' } })).toEqual(['chat-8']);
    expect(await ask({ filter: { before_datetime: '2026-01-01T00:01:00Z' } })).toEqual(['chat-8']);
    const ever = { after_datetime: '0001-01-01T00:00:00Z', before_datetime: '9999-12-31T23:59:59.999999Z' };
    expect(await ask({ filter: ever })).toEqual(await ask({}));
    expect(await ask({ filter: { after_datetime: ever.before_datetime } })).toEqual([]);
    expect(await ask({ sort_by: [{ field: 'turn_count', direction: 'asc' }] })).toEqual(['chat-8', 'chat-7']);
    expect(await ask({ limit: 1, offset: 1 })).toEqual(['chat-8']);
    expect(await ask({ limit: 0 })).toEqual([]);
  });
});

test.each([
  [{ limit: -1 }, 400, 'invalid_request'],
  [{ offset: -1 }, 400, 'invalid_request'],
  [{ project_id: 'demo' }, 400, 'invalid_project_id'],
  [{ filter: { thread_ids: Array.from({ length: 1001 }, String) } }, 400, 'too_many_items'],
  [{ filter: { after_datetime: '2026-01-01' } }, 422, 'validation_error'],
  [{ filter: { before_datetime: 5 } }, 422, 'validation_error'],
  [{ filter: { turn_ids: [] } }, 422, 'validation_error'],
  [{ columns: ['thread_id'] }, 422, 'validation_error'],
  [{ sort_by: [{ field: 'id', direction: 'asc' }] }, 422, 'invalid_field'],
  [{ sort_by: [{ field: 'thread_id', direction: 'up' }] }, 422, 'validation_error'],
])('a request with %j is refused', async (request, status, code) => {
  running = await startServer();
  const answer = await running.post('/threads/stream_query', { project_id: PROJECT, ...request });
  expect(answer).toMatchObject({ status, body: { error_code: code } });
});
