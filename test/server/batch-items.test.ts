import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ValidationDetail } from '../../src/protocol/error.ts';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const STARTED = { op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
const ENDED = { ended_at: '2026-01-01T00:00:01Z' };
const ABOUT = { svc_ref: `svc:///${PROJECT}/call/c`, feedback_type: 'custom', payload: {} };

/** What can be sent in batches: how an item is made, and where its fields stand in it. */
const BATCHES = [
  {
    path: '/call/upsert_batch',
    itemOf: (fields: object) => ({ mode: 'start', req: { start: { ...STARTED, ...fields } } }),
    place: ['req', 'start'],
  },
  {
    path: '/call/upsert_batch',
    itemOf: (fields: object) => ({ mode: 'end', req: { end: { ...ENDED, ...fields } } }),
    place: ['req', 'end'],
  },
  {
    path: `/v2/${PROJECT}/calls/complete`,
    itemOf: (fields: object) => ({ ...STARTED, ...ENDED, ...fields }),
    place: [],
  },
  { path: '/feedback/batch/create', itemOf: (fields: object) => ({ ...ABOUT, ...fields }), place: [] },
] as const;

const SIZES = [1, 2, 99, 100, 101, 1000];

describe.each(ENGINES)('what an item is refused for, in %s', (storage) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ storage });
  });
  afterAll(() => server.close());

  describe.each(BATCHES)('of $path $place', ({ path, itemOf, place }) => {
    const batchOf = (ids: readonly string[]) => ids.map((id) => itemOf({ project_id: PROJECT, id }));
    const send = async (batch: readonly object[]) => await server.post(path, { batch });
    const details = ({ body }: { readonly body: unknown }) => (body as { detail: ValidationDetail[] }).detail;

    test.each(SIZES)('is told of each, and without these a batch of %i is taken', async (size) => {
      for (const bad of new Set([[0], [size - 1], [0, size >> 1, size - 1], Array.from({ length: size }).keys()])) {
        const at = new Set(bad);
        const ids = Array.from({ length: size }, (_, index) => (at.has(index) ? `bad id ${index}` : `good-${index}`));
        const answer = await send(batchOf(ids));
        expect([answer.status, answer.body]).toMatchObject([422, { error_code: 'invalid_id' }]);
        const expected = [...at].slice(0, 100).map((index) => ['body', 'batch', index, ...place, 'id']);
        expect(details(answer).map(({ loc }) => loc)).toEqual(expected);
        expect(new Set(details(answer).map(({ type }) => type))).toEqual(new Set(['invalid_id']));
        expect((await send(batchOf(ids.filter((_id, index) => !at.has(index))))).status).toBe(200);
      }
    });

    test('is told of a batch of megabytes too, which another thread reads', async () => {
      const text = { text: 'x'.repeat(600) };
      const wide = path.startsWith('/feedback') ? { payload: text } : { attributes: text };
      const good = Array.from({ length: 9000 }, (_, index) =>
        itemOf({ project_id: PROJECT, id: `w${index}`, ...wide }),
      );
      const answer = await send([...good, itemOf({ project_id: PROJECT, id: '/' })]);
      expect([answer.status, answer.body]).toMatchObject([422, { error_code: 'invalid_id' }]);
      expect(details(answer).map(({ loc }) => loc)).toEqual([['body', 'batch', 9000, ...place, 'id']]);
    });

    test('is each told under its own code', async () => {
      const answer = await send([
        itemOf({ project_id: PROJECT, id: 'fine' }),
        itemOf({ project_id: PROJECT, id: '/' }),
        itemOf({ project_id: 'none', id: 'x' }),
      ]);
      expect(answer.status).toBe(422);
      const codes = path.startsWith('/v2') ? ['invalid_id', 'invalid_request'] : ['invalid_id', 'invalid_project_id'];
      expect(details(answer).map(({ type }) => type)).toEqual(codes);
    });

    test('is not what concerns the whole request', async () => {
      expect((await server.post(path, '{"batch":[')).status).toBe(400);
      expect((await server.post(path, { batch: [] }, { authorization: 'Bearer other' })).status).toBe(401);
    });
  });
});
