import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRow, CallRowsResponse } from '../../../src/protocol/page/call-row.ts';
import { ENGINES, type RunningServer, startServer } from '../running-server.ts';
import { PROJECT, seed } from './seed.ts';

const PRICES = [
  { llm_id: 'gpt-large', prompt_token_cost: 0.01, completion_token_cost: 0.1 },
  { llm_id: 'gpt-small', prompt_token_cost: 0.0001, completion_token_cost: 0.001 },
];

/** Each of another kind: 3 dollars, 3 cents, no price, no model, failed, never ended. */
const CALLS = [
  { id: 'a1', at: 1, ms: 5000, model: 'gpt-large', kind: 'agent', inputs: { q: 'Refund' }, thread: 'chat-7' },
  { id: 'a2', at: 2, ms: 1000, model: 'gpt-small', kind: 'llm', op: 'chat', parent: 'a1', inputs: { q: 'Refund' } },
  { id: 'b1', at: 3, ms: 100, model: 'local-7b', kind: 'agent', output: 'refund sent' },
  { id: 'b2', at: 4, ms: 10, kind: 'tool', op: 'send', parent: 'b1', exception: 'SMTPError: 550 mailbox' },
  { id: 'c1', at: 5, ms: null, op: 'watch' },
  { id: 'd1', at: 6, ms: 700, model: 'gpt-small', op: 'chat', exception: 'RateLimit: 429' },
  { id: 'e1', at: 7, ms: 20, op: 'svc:///acme/demo/op/answer:v3' },
];

const ALL = CALLS.map(({ id }) => id);

/** Filters that no query can ask, alone and among others, beside the calls that they mean. */
const MEANT: readonly (readonly [string, readonly string[]])[] = [
  ['cost>1', ['a1']],
  ['-cost>1', ALL.filter((id) => id !== 'a1')],
  ['cost>0.01 cost<1', ['a2', 'd1']],
  ['cost:0.03', ['a2', 'd1']],
  ['cost:0.03..5', ['a1', 'a2', 'd1']],
  ['has:cost', ['a1', 'a2', 'd1']],
  ['-has:cost', ['b1', 'b2', 'c1', 'e1']],
  ['tokens>100', ['a1', 'a2', 'b1', 'd1']],
  ['tokens.in:100 -model:local-7b', ['a1', 'a2', 'd1']],
  ['tokens.out<5', []],
  ['model:gpt*', ['a1', 'a2', 'd1']],
  ['model:*LARGE*', ['a1']],
  ['-model:gpt*', ['b1', 'b2', 'c1', 'e1']],
  ['status:never', ['c1']],
  ['status:running', []],
  ['status:error,never', ['b2', 'c1', 'd1']],
  ['-status:never', ALL.filter((id) => id !== 'c1')],
  ['refund or cost>1', ['a1', 'a2', 'b1']],
  ['(op:send or model:gpt*) -status:error', ['a1', 'a2']],
  ['op:chat model:gpt*', ['a2', 'd1']],
  ['roots:yes model:*7b*', ['b1']],
  ['started>=2026-01-01T00:00:05Z (status:never or cost<1)', ['c1', 'd1']],
  // A query alone, as a command sends it too.
  ['op:answer', ['a1', 'b1', 'e1']],
  ['thread:chat-7 latency>2s', ['a1']],
  ['', ALL],
];

describe.each(ENGINES)('with %s', (storage) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ storage, prices: PRICES });
    await seed(server, CALLS);
  });
  afterAll(async () => {
    const folder = server.dataDir;
    await server.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (path: string, request: object) => await server.post(path, { project_id: PROJECT, ...request });

  async function sums(request: object) {
    const facets = ['op', 'state', 'model', 'error', 'attributes.kind'].map((field) => ({ field }));
    const answer = await ask('/x/calls/stats', { ...request, facets, histogram: { buckets: 4 } });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  }

  /** All rows, two at a time. */
  async function idsOf(request: object): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const answer = await ask('/x/calls/rows', { ...request, limit: 2, ...(cursor !== undefined && { cursor }) });
      expect(answer).toMatchObject({ status: 200 });
      const { rows, next_cursor: next } = answer.body as CallRowsResponse;
      ids.push(...rows.map(({ id }) => id));
      cursor = next;
    }
    return ids;
  }

  test.each(MEANT)('rows of "%s" are those that it means, page by page, in either order', async (where, ids) => {
    expect(await idsOf({ where })).toEqual([...ids].reverse());
    const byOp = await idsOf({ where, sort_by: [{ field: 'op_name', direction: 'asc' }] });
    expect(byOp.toSorted()).toEqual(ids);
  });

  test.each(MEANT)('sums of "%s" are those of the same calls by their ids', async (where, ids) => {
    const found = await sums({ where });
    expect(found).toMatchObject({ count: ids.length });
    // A list of no ids would ask for everything.
    expect(found).toEqual(await sums({ filter: { call_ids: ids.length === 0 ? ['nobody'] : ids } }));
  });

  test.each(['jsonl', 'csv'])(
    'an export as %s of a filter that makes no sense is refused before it begins',
    async (format) => {
      for (const wrong of [{ where: 'tokens>many' }, { time_zone: 'No/Where', where: 'started:today' }]) {
        expect(await ask('/x/calls/export', { ...wrong, format })).toMatchObject({ status: 400 });
      }
    },
  );

  test.each(MEANT)('an export of "%s" has them all', async (where, ids) => {
    const { text } = await ask('/x/calls/export', { where, format: 'jsonl', columns: ['id'] });
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => (JSON.parse(line) as CallRow).id)).toEqual([...ids].reverse());
  });

  test('what else is asked must hold too, of two times the narrower', async () => {
    const times = { started_after: '2026-01-01T00:00:02Z', started_before: '2026-01-01T00:00:05Z' };
    expect(await idsOf({ where: 'model:gpt* or status:error', ...times })).toEqual(['b2', 'a2']);
    expect(await idsOf({ where: 'started>=2026-01-01T00:00:04Z', ...times })).toEqual(['b2']);
    expect(await idsOf({ where: 'model:gpt*', filter: { call_ids: ['a1', 'b1'] } })).toEqual(['a1']);
    expect(await idsOf({ where: 'model:gpt*', roots_only: true })).toEqual(['d1', 'a1']);
    const query = { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'chat' }] } };
    expect(await idsOf({ where: 'latency>800ms', query })).toEqual(['a2']);
  });

  test('times are those of the zone that is named', async () => {
    const where = 'started:2026-01-01T01:00:03..2026-01-01T01:00:05';
    expect(await idsOf({ where, time_zone: 'Europe/Berlin' })).toEqual(['b2', 'b1']);
    expect(await idsOf({ where })).toEqual([]);
  });

  test.each([
    [{ where: 'cost>' }, 'Cannot read the filter at character'],
    [{ where: 'op:a', filter: { op_names: ['b'] } }, 'both have op_names'],
    [{ where: 'op:a', time_zone: 'Nowhere/At all' }, 'Cannot use the time zone "Nowhere/At all"'],
  ])('%j is refused', async (request, reason) => {
    const answer = await ask('/x/calls/rows', request);
    const body = { error_code: 'invalid_request', reason: expect.stringContaining(reason) as string };
    expect(answer).toMatchObject({ status: 400, body });
  });
});
