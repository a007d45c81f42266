import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../src/server/keys/keys.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeEach(async () => {
  server = await startServer({ storage: 'sqlite' });
});
afterEach(() => server.close());

const START = { project_id: PROJECT, op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
const FEEDBACK = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/c1`, feedback_type: 'thumbs', payload: {} };

async function send(path: string, body: unknown, headers: Record<string, string>): Promise<unknown> {
  const { status, body: answer } = await server.post(path, body, headers);
  expect(status).toBe(200);
  return answer;
}

describe('calls that are started again under their retry id are stored once, though they have no id', () => {
  test.each([
    ['/call/start', { start: START }],
    ['/call/start', { start: { ...START, trace_id: 't1' } }],
    ['/v2/acme/demo/call/start', { start: START }],
    [
      '/call/upsert_batch',
      {
        batch: [
          { mode: 'start', req: { start: START } },
          { mode: 'start', req: { start: START } },
        ],
      },
    ],
  ])('%s %j', async (path, body) => {
    const first = await send(path, body, { 'svc-retry-id': 'r1' });
    expect(await send(path, body, { 'svc-retry-id': 'r1' })).toEqual(first);
    const count = async () => (await server.post('/calls/query_stats', { project_id: PROJECT })).body;
    const callCount = 'batch' in body ? 2 : 1;
    expect(await count()).toMatchObject({ count: callCount });
    expect(await send(path, body, { 'svc-retry-id': 'r2' })).not.toEqual(first);
    expect(await count()).toMatchObject({ count: 2 * callCount });
  });
});

test('the retry id of one key is not that of another', async () => {
  const other = createKey(server.dataDir ?? '', { name: 'other' }).key;
  const first = await send('/feedback/create', FEEDBACK, { 'svc-retry-id': 'r1' });
  const second = await send('/feedback/create', FEEDBACK, { 'svc-retry-id': 'r1', authorization: `Bearer ${other}` });
  expect(second).toMatchObject({ svc_user_id: 'other' });
  expect((second as { id: string }).id).not.toBe((first as { id: string }).id);
});

test('the retry id of one project is not that of another', async () => {
  const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1 } };
  const first = await send('/cost/create', { project_id: PROJECT, costs }, { 'svc-retry-id': 'r1' });
  expect(await send('/cost/create', { project_id: 'acme/other', costs }, { 'svc-retry-id': 'r1' })).not.toEqual(first);
});

test('a retry id that is empty is none', async () => {
  const first = await send('/feedback/create', FEEDBACK, { 'svc-retry-id': '' });
  expect(await send('/feedback/create', FEEDBACK, { 'svc-retry-id': '' })).not.toEqual(first);
});
