import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const NEVER = '2020-01-01T00:00:00Z';

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine });
  });
  afterEach(() => server.close());

  const price = async (model: string, prompt: number, effective_date: string, project_id = PROJECT) => {
    const entry = { prompt_token_cost: prompt, completion_token_cost: 0.00003, effective_date };
    await server.post('/cost/create', { project_id, costs: { [model]: entry } });
  };
  /** Records a call that started at the beginning of 2026. */
  const record = async (id: string, usage: unknown, svc: object = {}) => {
    const start = { project_id: PROJECT, id, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
    await server.post('/call/start', { start });
    const end = { project_id: PROJECT, id, ended_at: '2026-01-01T00:00:01Z', summary: { usage, svc } };
    await server.post('/call/end', { end });
  };
  const read = async (id: string, fields: object = { include_costs: true }) => {
    const { body } = await server.post('/call/read', { project_id: PROJECT, id, ...fields });
    return (body as { call: { summary: { svc: Record<string, unknown> } } }).call.summary.svc;
  };
  const promptCost = async (id: string) => {
    const costs = (await read(id))['costs'] as Record<string, { prompt_token_cost: number }> | undefined;
    return costs?.['m']?.prompt_token_cost;
  };

  test('a call shows what each of its models cost, with the price', async () => {
    const entry = {
      prompt_token_cost: 0.00001,
      completion_token_cost: 0.00003,
      effective_date: '2024-01-01T00:00:00Z',
      provider_id: 'openai',
    };
    await server.post('/cost/create', { project_id: PROJECT, costs: { 'gpt-x': entry } });
    await record('c1', {
      'gpt-x': { requests: 1, prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, input_tokens: null },
      unpriced: { prompt_tokens: 1 },
    });
    expect((await read('c1'))['costs']).toEqual({
      'gpt-x': {
        prompt_tokens: 10,
        completion_tokens: 4,
        requests: 1,
        total_tokens: 14,
        ...entry,
        prompt_tokens_total_cost: 0.0001,
        completion_tokens_total_cost: 0.00012,
        prompt_token_cost_unit: 'USD',
        completion_token_cost_unit: 'USD',
        pricing_level: 'project',
        pricing_level_id: PROJECT,
        created_by: expect.any(String) as string,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    });
  });

  test.each([
    [3, 0.1, 0.3],
    [1_000_003, 1.1e-7, 0.11000033],
    [7, 0, 0],
    [123_456_789, 0.000_015, 1851.851835],
  ])('%d tokens at %d cost exactly %d', async (tokens, cost, total) => {
    await price('m', cost, NEVER);
    await record('c1', { m: { prompt_tokens: tokens } });
    expect((await read('c1'))['costs']).toMatchObject({ m: { prompt_tokens_total_cost: total } });
  });

  test('numbers beyond all tokens break neither the call nor the stream', async () => {
    await price('m', 1e308, NEVER);
    const digits = `1${'0'.repeat(400)}`;
    const usage = `{"m":{"prompt_tokens":${digits},"completion_tokens":1.7e308,"output_tokens":1.7e308}}`;
    await record('c1', { m: { input_tokens: 100 } });
    await server.post('/call/start', {
      start: { project_id: PROJECT, id: 'c2', op_name: 'f', started_at: '2026-01-01T00:00:01Z' },
    });
    const end = `{"end":{"project_id":"${PROJECT}","id":"c2","ended_at":"2026-01-01T00:00:01Z","summary":{"usage":${usage}}}}`;
    expect((await server.post('/call/end', end)).status).toBe(200);
    expect((await read('c2'))['costs']).toMatchObject({
      m: { prompt_tokens: 0, prompt_tokens_total_cost: 0, completion_tokens: Number.MAX_VALUE },
    });
    expect((await read('c1'))['costs']).toMatchObject({ m: { prompt_tokens_total_cost: Number.MAX_VALUE } });
    const { status, text } = await server.post('/calls/stream_query', { project_id: PROJECT, include_costs: true });
    expect([status, text.split('\n').length]).toEqual([200, 3]);
  });

  const createOwn = async (prices: object) => {
    const entry = { prompt_token_cost: 3, completion_token_cost: 5, effective_date: NEVER, ...prices };
    await server.post('/cost/create', { project_id: PROJECT, costs: { m: entry } });
  };
  const ALL_TOKENS = {
    input_tokens: 1,
    output_tokens: 10,
    cache_read_tokens: 100,
    cache_write_tokens: 1000,
    reasoning_tokens: 10_000,
  };

  test('cached and reasoning tokens cost what they are priced at', async () => {
    const own = { cache_read_input_token_cost: 0.1, cache_creation_input_token_cost: 0, reasoning_token_cost: 0.7 };
    await createOwn(own);
    await record('c1', { m: ALL_TOKENS });
    const { m } = (await read('c1'))['costs'] as { m: object };
    expect(m).toMatchObject({
      prompt_tokens: 1101,
      completion_tokens: 10_010,
      total_tokens: 11_111,
      prompt_token_cost: 3,
      prompt_tokens_total_cost: 13,
      completion_token_cost: 5,
      completion_tokens_total_cost: 7050,
      cache_read_tokens: 100,
      cache_read_tokens_cost: 0.1,
      cache_read_tokens_total_cost: 10,
      cache_write_tokens: 1000,
      cache_write_tokens_cost: 0,
      cache_write_tokens_total_cost: 0,
      reasoning_tokens: 10_000,
      reasoning_tokens_cost: 0.7,
      reasoning_tokens_total_cost: 7000,
    });
    expect(m).not.toHaveProperty('is_estimate');
  });

  test.each([
    ['cache_read_input_token_cost', { prompt_tokens_total_cost: 303, completion_tokens_total_cost: 50 }, 'cache_read'],
    [
      'cache_creation_input_token_cost',
      { prompt_tokens_total_cost: 3003, completion_tokens_total_cost: 50 },
      'cache_write',
    ],
    ['reasoning_token_cost', { prompt_tokens_total_cost: 3, completion_tokens_total_cost: 50_050 }, 'reasoning'],
  ])('without %s such tokens cost as plain ones do, which is an estimate', async (missing, totals, kind) => {
    await createOwn({
      cache_read_input_token_cost: 1,
      cache_creation_input_token_cost: 1,
      reasoning_token_cost: 1,
      [missing]: null,
    });
    const { input_tokens, output_tokens } = ALL_TOKENS;
    const name = `${kind}_tokens` as keyof typeof ALL_TOKENS;
    await record('c1', { m: { input_tokens, output_tokens, [name]: ALL_TOKENS[name] } });
    expect((await read('c1'))['costs']).toMatchObject({ m: { ...totals, is_estimate: true } });
    await record('c2', { m: { input_tokens, output_tokens } });
    expect((await read('c2'))['costs']).not.toHaveProperty('m.is_estimate');
  });

  test('tokens of a cache are counted under the names of either producer', async () => {
    await createOwn({ cache_read_input_token_cost: 1, cache_creation_input_token_cost: 1 });
    await record('c1', { m: { cache_read_input_tokens: 4, cache_creation_input_tokens: 2, cache_read_tokens: 'x' } });
    expect((await read('c1'))['costs']).toMatchObject({
      m: {
        prompt_tokens: 6,
        prompt_tokens_total_cost: 6,
        cache_read_tokens: 4,
        cache_write_tokens: 2,
        total_tokens: 6,
      },
    });
  });

  test('tokens are counted under either name, and what is no number counts nothing', async () => {
    await price('m', 1, NEVER);
    await record('c1', { m: { input_tokens: 5, output_tokens: 2, prompt_tokens: 'many', requests: null } });
    expect((await read('c1'))['costs']).toMatchObject({
      m: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, requests: 0, prompt_tokens_total_cost: 5 },
    });
  });

  test('a total of the client is kept, and numbers written with a fraction count', async () => {
    await price('m', 1, NEVER);
    await server.post('/call/start', {
      start: { project_id: PROJECT, id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' },
    });
    const usage = '{"m":{"prompt_tokens":5.0,"completion_tokens":2,"total_tokens":100}}';
    const end = `{"project_id":"${PROJECT}","id":"c1","ended_at":"2026-01-01T00:00:01Z","summary":{"usage":${usage}}}`;
    await server.post('/call/end', `{"end":${end}}`);
    expect((await read('c1'))['costs']).toMatchObject({
      m: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 100, prompt_tokens_total_cost: 5 },
    });
  });

  test('the price in force is the latest one before the start of the call', async () => {
    await record('c1', { m: { prompt_tokens: 1 } });
    expect(await promptCost('c1')).toBeUndefined();
    await price('m', 9, '2027-06-01T00:00:00Z');
    await price('m', 8, '2027-01-01T00:00:00Z');
    expect(await promptCost('c1')).toBe(9);
    await price('m', 1, '2025-01-01T00:00:00Z');
    await price('m', 2, '2026-01-01T00:00:00Z');
    await price('m', 3, '2024-01-01T00:00:00Z');
    expect(await promptCost('c1')).toBe(2);
  });

  test('of two prices of one date the newer record counts', async () => {
    await record('c1', { m: { prompt_tokens: 1 } });
    await price('m', 1, NEVER);
    const made = Date.now();
    while (Date.now() === made) await new Promise((resolve) => setImmediate(resolve));
    await price('m', 2, NEVER);
    expect(await promptCost('c1')).toBe(2);
  });

  test('a price of another project or another model is none', async () => {
    await record('c1', { m: { prompt_tokens: 1 } });
    await price('m', 1, NEVER, 'acme/other');
    await price('M', 1, NEVER);
    expect(await read('c1')).not.toHaveProperty('costs');
  });

  test.each([null, 7, [1], { m: null }, { m: [] }])('a usage of %j costs nothing', async (usage) => {
    await price('m', 1, NEVER);
    await record('c1', usage);
    expect(await read('c1')).not.toHaveProperty('costs');
  });

  test('costs come only when they are asked for, and never from the client', async () => {
    await price('m', 1, NEVER);
    await record('c1', { m: { prompt_tokens: 1 } }, { costs: 'invented', mine: 1 });
    expect(await read('c1', {})).not.toHaveProperty('costs');
    expect(await read('c1', { include_costs: false })).toMatchObject({ mine: 1 });
    expect(await read('c1')).toMatchObject({ mine: 1, costs: { m: { prompt_tokens_total_cost: 1 } } });
  });

  test('a stream of calls shows costs whatever columns are named', async () => {
    await price('m', 2, NEVER);
    for (let index = 0; index < 3; index++) await record(`c${index}`, { m: { prompt_tokens: index } });
    const request = { project_id: PROJECT, include_costs: true, columns: ['id'] };
    const { text } = await server.post('/calls/stream_query', request);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { summary: unknown });
    expect(lines.map(({ summary }) => summary)).toMatchObject(
      [0, 2, 4].map((total) => ({ svc: { costs: { m: { prompt_tokens_total_cost: total } } } })),
    );
  });

  test('of a call with very many models the first are priced, and some of the others are named', async () => {
    await price('m', 1, NEVER);
    for (const count of [99, 100, 250, 60_000]) {
      const others = Array.from({ length: count }, (_value, index) => [`m${index}`, { prompt_tokens: 1 }] as const);
      await record(`c${count}`, Object.fromEntries([['m', { prompt_tokens: 1 }], ...others]));
      const { costs, unpriced_models: unpriced } = await read(`c${count}`);
      expect(costs).toMatchObject({ m: { prompt_tokens_total_cost: 1 } });
      expect(unpriced).toEqual(others.slice(0, 199).map(([model]) => model));
      await record(`p${count}`, Object.fromEntries([...others, ['m', { prompt_tokens: 1 }]]));
      expect(Object.keys((await read(`p${count}`))['costs'] ?? {})).toEqual(count < 100 ? ['m'] : []);
    }
  });
});
