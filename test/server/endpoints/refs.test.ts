import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await fill(server);
});
afterAll(() => server.close());

const REF = `svc:///${PROJECT}`;
const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';
const VALUE = { b: 2, a: [1, 2.5, null, true], é: 'ü\n' };
const ROW = 'DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU';
const TABLE = `${REF}/table/23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3`;
const SETTINGS = `${REF}/object/settings:${DIGEST}`;

async function fill(target: RunningServer): Promise<void> {
  const rows = [
    { q: 'a', n: 1 },
    { n: 2, q: 'b' },
  ];
  const start = { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't1', started_at: '2026-01-01T00:00:00Z' };
  await target.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'settings', val: VALUE } });
  await target.post('/table/create', { table: { project_id: PROJECT, rows } });
  await target.post('/call/start', { start });
}

/** A digest of nothing that is stored. */
const UNKNOWN = 'a4ayc80XOGda4BOX1ubX9dWo9XX2vJzAWRs4lQ';

const CALL = {
  id: 'c1',
  project_id: PROJECT,
  op_name: 'f',
  display_name: null,
  trace_id: 't1',
  parent_id: null,
  thread_id: null,
  turn_id: null,
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: {},
  ended_at: null,
  exception: null,
  output: null,
  summary: { svc: { status: 'running', trace_name: 'f' } },
  svc_user_id: 'local',
  svc_run_id: null,
  svc_run_step: null,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
};

const read = (...refs: string[]) => ({ refs });

describe('/refs/read_batch', () => {
  test('answers what references name, in order', async () => {
    const answer = await server.post(
      '/refs/read_batch',
      read(
        `${SETTINGS}/key/a/index/1`,
        SETTINGS,
        `${SETTINGS}/key/nothing`,
        `${TABLE}/id/${ROW}`,
        `${REF}/call/c1`,
        `${REF}/call/unknown`,
      ),
    );
    expect(whole(answer)).toEqual([200, { vals: [2.5, VALUE, null, { q: 'a', n: 1 }, CALL, null] }]);
    expect(whole(await server.post('/refs/read_batch', read()))).toEqual([200, { vals: [] }]);
  });

  test('answers null for a deleted object', async () => {
    const created = await server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'brief', val: 1 } });
    const { digest } = created.body as { digest: string };
    await server.post('/obj/delete', { project_id: PROJECT, object_id: 'brief' });
    const answer = await server.post('/refs/read_batch', read(`${REF}/object/brief:${digest}`));
    expect(whole(answer)).toEqual([200, { vals: [null] }]);
  });

  refuses('refsReadBatch', [
    { code: 'validation_error', what: 'a reference that is a number', body: { refs: [1] } },
    { code: 'invalid_ref', what: 'half a reference', body: read('svc:///acme') },
    { code: 'invalid_ref', what: 'text', body: read('settings') },
    { code: 'invalid_ref', what: 'the latest version', body: read(`${REF}/object/settings:latest`) },
    { code: 'invalid_ref', what: 'a version by number', body: read(`${REF}/object/settings:v0`) },
    { code: 'invalid_ref', what: 'any version', body: read(`${REF}/object/settings:*`) },
    { code: 'invalid_ref', what: 'a whole table', body: read(TABLE) },
    { code: 'invalid_ref', what: 'an unknown edge', body: read(`${SETTINGS}/member/a`) },
    { code: 'invalid_ref', what: 'an odd path', body: read(`${SETTINGS}/key`) },
    { code: 'invalid_ref', what: 'an index that is none', body: read(`${SETTINGS}/index/a`) },
    { code: 'too_many_items', what: 'many references', body: read(SETTINGS), limits: { refs_per_batch: 0 } },
    {
      code: 'payload_too_large',
      what: 'large values',
      body: read(SETTINGS),
      limits: { ref_value_bytes: 1 },
      prepare: fill,
    },
    {
      code: 'not_found',
      what: 'a version that never was',
      body: read(`${REF}/object/settings:${UNKNOWN}`),
      more: { missing_object_digests: [UNKNOWN] },
    },
    {
      code: 'not_found',
      what: 'a row that its table does not have',
      body: read(`${TABLE}/id/nothing`),
      prepare: fill,
    },
  ]);
  leavesNothingOut('refsReadBatch');
});
