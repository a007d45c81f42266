import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, post, startServiceProcess } from './service-process.ts';

let home: string;
let removeHome: () => void;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  ({ home, remove: removeHome } = makeHome());
});
afterEach(() => removeHome());

function batchOf(round: number): unknown {
  const items = Array.from({ length: 200 }, (_, index) => {
    const call = { project_id: 'acme/crash', id: `r${round}-${index}` };
    const start = {
      ...call,
      op_name: 'f',
      trace_id: `t${round}`,
      started_at: '2026-01-01T00:00:00Z',
      inputs: { index },
    };
    const end = { ...call, ended_at: '2026-01-01T00:00:01Z', output: index };
    return [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ];
  });
  return { batch: items.flat() };
}

test('a batch that was answered with 200 survives kill -9 of the service', async () => {
  for (let round = 0; round < 4; round++) {
    const service = await startServiceProcess(home);
    const answer = await post(service, '/call/upsert_batch', batchOf(round));
    await service.stop('SIGKILL');
    expect(answer.status).toBe(200);
  }
  const service = await startServiceProcess(home);
  try {
    const stats = await post(service, '/calls/query_stats', { project_id: 'acme/crash' });
    expect(await stats.json()).toEqual({ count: 800, total_storage_size_bytes: null });
    const ended = { $expr: { $not: [{ $eq: [{ $getField: 'ended_at' }, { $literal: null }] }] } };
    const complete = await post(service, '/calls/query_stats', { project_id: 'acme/crash', query: ended });
    expect(await complete.json()).toEqual({ count: 800, total_storage_size_bytes: null });
  } finally {
    await service.stop();
  }
});
