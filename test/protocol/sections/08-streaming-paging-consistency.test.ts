import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { CallReader } from '../../../src/storage/contract/calls.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { startServer } from '../../server/running-server.ts';
import { onEveryEngine, refusal, STARTED } from './service.ts';

onEveryEngine((service) => {
  const itemOf = (id: string, fields: object = {}) => ({
    mode: 'start',
    req: { start: { project_id: service.project, id, op_name: 'f', trace_id: 't', started_at: STARTED, ...fields } },
  });
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${String(index).padStart(4, '0')}`);
  const stream = async (path: string, more: object = {}, headers: Record<string, string> = {}) =>
    await service.post(path, { project_id: service.project, ...more }, headers);

  describe.each(['/calls/stream_query', '/threads/stream_query'])('%s', (path) => {
    test('sends one record a line, each with an end, and nothing between', async () => {
      await service.write(
        ids(100).map((id) => itemOf(id, { thread_id: `th ${id}`, turn_id: id, inputs: { text: 'ä\n\u2028😀' } })),
      );
      const { status, text } = await stream(path);
      expect(status).toBe(200);
      expect(text).toMatch(/^(\{[^\n]+\}\n){100}$/);
      const records = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as object);
      expect(records).toHaveLength(100);
    });

    test('sends nothing when there is nothing', async () => {
      const { status, text, headers } = await stream(path);
      expect([status, text, headers.get('content-type')]).toEqual([200, '', 'application/jsonl']);
    });

    test.each([
      ['application/jsonl', 'application/jsonl'],
      ['application/x-ndjson', 'application/x-ndjson'],
      ['text/html, application/x-ndjson;q=0.1', 'application/x-ndjson'],
      ['application/json', 'application/jsonl'],
      ['*/*', 'application/jsonl'],
    ])('is JSON Lines for those who accept %s', async (accept, type) => {
      await service.write([itemOf('c1', { thread_id: 'th', turn_id: 'c1' })]);
      const { headers, text } = await stream(path, {}, { accept });
      expect([headers.get('content-type'), text.endsWith('}\n')]).toEqual([type, true]);
    });

    test.each<readonly [more: object, answer: string]>([
      [{ limit: null, offset: null }, '200'],
      [{ limit: 0 }, '200'],
      [{ limit: -1 }, '400 invalid_request'],
      [{ offset: -1 }, '400 invalid_request'],
      [{ sort_by: [{ field: 'nope', direction: 'asc' }] }, '422 invalid_field'],
      [{ nope: 1 }, '422 validation_error'],
    ])('knows what is wrong before it begins: %j', async (more, answer) => {
      const refused = await stream(path, more);
      expect([
        refusal(refused),
        refused.text === '' || refused.headers.get('content-type') === 'application/json',
      ]).toEqual([answer, true]);
    });

    test('has no limit of its own, and 0 is none at all', async () => {
      await service.write(ids(2500).map((id) => itemOf(id, { thread_id: `th ${id}`, turn_id: id })));
      const lines = async (more: object) => (await stream(path, more)).text.split('\n').length - 1;
      expect(await lines({})).toBe(2500);
      expect(await lines({ limit: 0 })).toBe(0);
      expect(await lines({ limit: 10, offset: 2495 })).toBe(5);
      expect(await lines({ offset: 2500 })).toBe(0);
    });
  });

  test('pages of one order are the whole, and a walk by $gt is stable while calls come', async () => {
    const all = ids(25);
    await service.write(all.map((id) => itemOf(id)));
    const sort_by = [{ field: 'id', direction: 'asc' }];
    const pages = await Promise.all([0, 10, 20].map((offset) => service.ids({ sort_by, limit: 10, offset })));
    expect(pages.flat()).toEqual(all);
    const walked: string[] = [];
    for (let last = ''; ;) {
      const query = { $expr: { $gt: [{ $getField: 'id' }, { $literal: last }] } };
      const page = await service.ids({ sort_by, query, limit: 10 });
      if (page.length === 0) break;
      walked.push(...page);
      last = page.at(-1) ?? '';
      await service.write([itemOf(`a${walked.length}`)]);
    }
    expect(walked).toEqual(all);
  });

  test('what was answered is seen by every later request', async () => {
    for (const id of ids(50)) {
      await service.start({ id });
      expect(await service.read(id)).toMatchObject({ id });
      expect(await service.ids({ filter: { call_ids: [id] } })).toEqual([id]);
      await service.end({ id, output: id });
      expect(await service.read(id)).toMatchObject({ output: id });
    }
  });

  test('a batch is stored as a whole or not at all', async () => {
    const good = ids(10).map((id) => itemOf(id));
    const broken: readonly (readonly [object, string])[] = [
      [itemOf('a/b'), '422 invalid_id'],
      [itemOf('x', { op_name: '' }), '422 invalid_request'],
      [itemOf('x', { project_id: 'nope' }), '422 invalid_project_id'],
      [itemOf('x', { started_at: 'now' }), '422 validation_error'],
      [{ mode: 'middle' }, '422 validation_error'],
    ];
    for (const [item, answer] of broken) {
      expect(refusal(await service.post('/call/upsert_batch', { batch: [...good, item] }))).toBe(answer);
    }
    expect(await service.ids()).toEqual([]);
  });

  test('a stream shows one moment, whatever is written meanwhile', async ({ skip }) => {
    skip(!(await service.capabilities()).snapshots, 'its engine reads without `snapshots`');
    const text = 'x'.repeat(2000);
    for (let batch = 0; batch < 5; batch++) {
      await service.write(ids(1000).map((id) => itemOf(`b${batch}${id}`, { inputs: { text } })));
    }
    const response = await fetch(`${service.server.url}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: JSON.stringify({ project_id: service.project, sort_by: [{ field: 'id', direction: 'asc' }] }),
    });
    await service.write(ids(1000).map((id) => itemOf(`later${id}`)));
    await service.post('/calls/delete', { project_id: service.project, call_ids: ['b4c0999'] });
    const lines = (await response.text()).split('\n').slice(0, -1);
    expect(lines).toHaveLength(5000);
    expect(lines.at(-1)).toContain('"id":"b4c0999"');
    expect(await service.ids({ limit: 1, filter: { call_ids: ['b4c0999'] } })).toEqual([]);
  });
});

test('a failure on the way is a last line that says so, and a connection that breaks before its end', async () => {
  const server = await startServer({ storage: failingAfter(3) });
  const batch = ['a', 'b', 'c'].map((id) => ({
    mode: 'start',
    req: { start: { project_id: 'acme/demo', id, op_name: 'f', trace_id: 't', started_at: STARTED } },
  }));
  await server.post('/call/upsert_batch', { batch });
  const socket = connect(server.port, '127.0.0.1');
  const body = '{"project_id":"acme/demo"}';
  socket.write(
    `POST /calls/stream_query HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.apiKey}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString();
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toContain(
    '{"_svc_error":{"reason":"The service failed to answer the request","error_code":"internal_error","status":500}}\n',
  );
  expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  await server.close();
});

/** A storage that fails when so many calls have been read. */
function failingAfter(count: number): Storage {
  const storage = openMemoryStorage();
  const query = storage.calls.query.bind(storage.calls);
  const failing: CallReader['query'] = async function* (plan, options) {
    let read = 0;
    for await (const chunk of query(plan, options)) {
      yield chunk;
      read += chunk.length;
      if (read >= count) throw new RangeError('the disk is gone');
    }
  };
  return { ...storage, calls: Object.assign(storage.calls, { query: failing }) };
}
