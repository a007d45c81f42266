import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const PRICE = { prompt_token_cost: 0.00001, completion_token_cost: 0.00003 };

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { costs_per_create: 3, in_items: 4 } });
  });
  afterEach(() => server.close());

  const create = async (costs: object, fields: object = {}) =>
    await server.post('/cost/create', { project_id: PROJECT, costs, ...fields });
  const query = async (fields: object = {}) => await server.post('/cost/query', { project_id: PROJECT, ...fields });
  const modelsOf = async (fields: object = {}) =>
    ((await query(fields)).body as { results: { llm_id: string }[] }).results.map(({ llm_id }) => llm_id);
  const idsOf = async (costs: object) => ((await create(costs)).body as { ids: [string, string][] }).ids;
  const purge = async (expression: unknown) =>
    await server.post('/cost/purge', { project_id: PROJECT, query: { $expr: expression } });
  const where = (operator: string, field: string, literal: unknown) => ({
    query: { $expr: { [operator]: [{ $getField: field }, { $literal: literal }] } },
  });

  test('a price is answered with its id and read back with every public field', async () => {
    const [[id, model] = ['', '']] = await idsOf({
      'gpt-x': { ...PRICE, effective_date: '2024-01-01T01:00:00+01:00', provider_id: 'openai', unknown: 1 },
    });
    expect(model).toBe('gpt-x');
    expect((await query()).body).toEqual({
      results: [
        {
          id,
          llm_id: 'gpt-x',
          ...PRICE,
          prompt_token_cost_unit: 'USD',
          completion_token_cost_unit: 'USD',
          effective_date: '2024-01-01T00:00:00Z',
          provider_id: 'openai',
        },
      ],
    });
  });

  const OWN = { cache_read_input_token_cost: 1e-6, cache_creation_input_token_cost: 0, reasoning_token_cost: 0.5 };

  test('prices of cached and reasoning tokens are read back, where there are any or they are asked for', async () => {
    const { reasoning_token_cost: _none, ...cached } = OWN;
    await create({ all: { ...PRICE, ...OWN }, cached: { ...PRICE, ...cached, reasoning_token_cost: null } });
    await create({ none: PRICE });
    const sort_by = [{ field: 'llm_id', direction: 'asc' }];
    const { results } = (await query({ sort_by })).body as { results: object[] };
    expect(results).toEqual([
      expect.objectContaining({ llm_id: 'all', ...OWN }),
      expect.objectContaining({ llm_id: 'cached', ...cached }),
      expect.objectContaining({ llm_id: 'none' }),
    ]);
    expect(results.map((record) => Object.keys(record).length)).toEqual([11, 10, 8]);
    const fields = ['llm_id', ...Object.keys(OWN)];
    const named = ((await query({ sort_by, fields })).body as { results: object[] }).results;
    expect(named[0]).toMatchObject({ prompt_token_cost: null, ...OWN });
    expect(named[2]).toMatchObject({ llm_id: 'none', cache_read_input_token_cost: null, reasoning_token_cost: null });
    const dear = where('$gt', 'cache_read_input_token_cost', 1e-7);
    expect(await modelsOf({ ...dear, sort_by })).toEqual(['all', 'cached']);
    expect(await modelsOf({ sort_by: [{ field: 'reasoning_token_cost', direction: 'desc' }] })).toHaveLength(3);
  });

  test("the vendor's clients send prices of cached tokens, which are stored and shown to them", async () => {
    const { reasoning_token_cost: _ours, ...theirs } = OWN;
    const body = { project_id: PROJECT, costs: { m: { ...PRICE, ...theirs } } };
    expect((await server.post('/dialect/w/cost/create', body)).status).toBe(200);
    const read = await server.post('/dialect/w/cost/query', { project_id: PROJECT });
    expect(read.body).toMatchObject({ results: [{ llm_id: 'm', ...theirs }] });
  });

  test('what a price leaves out has its default', async () => {
    const before = Date.now();
    await create({ m: { ...PRICE, provider_id: null, prompt_token_cost_unit: 'EUR' } });
    const { results } = (await query()).body as { results: Record<string, string>[] };
    expect(results[0]).toMatchObject({ provider_id: 'default', prompt_token_cost_unit: 'EUR' });
    expect(results[0]).toMatchObject({ completion_token_cost_unit: 'USD' });
    expect(Date.parse(results[0]?.['effective_date'] ?? '')).toBeGreaterThanOrEqual(before);
  });

  test('tokens of numbers are read as numbers', async () => {
    await create({});
    const body = `{"project_id":"${PROJECT}","costs":{"m":{"prompt_token_cost":1e-7,"completion_token_cost":2.0}}}`;
    expect((await server.post('/cost/create', body)).status).toBe(200);
    expect((await query({ fields: ['prompt_token_cost', 'completion_token_cost'] })).body).toMatchObject({
      results: [{ prompt_token_cost: 1e-7, completion_token_cost: 2 }],
    });
  });

  test.each([
    ['no price', { m: { prompt_token_cost: 1 } }, 422, 'validation_error'],
    ['text for a price', { m: { ...PRICE, prompt_token_cost: '1' } }, 422, 'validation_error'],
    ['no record', { m: 1 }, 422, 'validation_error'],
    ['no date', { m: { ...PRICE, effective_date: 'soon' } }, 422, 'validation_error'],
    ['a negative price', { m: { ...PRICE, completion_token_cost: -1 } }, 400, 'invalid_request'],
    ...Object.keys(OWN).flatMap((key): [string, object, number, string][] => [
      [`a negative ${key}`, { m: { ...PRICE, [key]: -1e-9 } }, 400, 'invalid_request'],
      [`text for ${key}`, { m: { ...PRICE, [key]: '1' } }, 422, 'validation_error'],
    ]),
    ['no name', { '': PRICE }, 400, 'invalid_request'],
    ['too many', { a: PRICE, b: PRICE, c: PRICE, d: PRICE }, 400, 'too_many_items'],
  ])('a request with %s stores nothing', async (_name, costs, status, code) => {
    const answer = await create({ good: PRICE, ...costs });
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ error_code: code })]);
    expect(await modelsOf()).toEqual([]);
  });

  test('a validation error names the model and the field', async () => {
    expect((await create({ m: { prompt_token_cost: 1 } })).body).toMatchObject({
      detail: [{ loc: ['body', 'costs', 'm', 'completion_token_cost'], type: 'missing' }],
    });
  });

  test('the price of another user is refused', async () => {
    expect((await create({ m: PRICE }, { svc_user_id: 'somebody' })).body).toMatchObject({
      error_code: 'user_id_not_allowed',
    });
  });

  test('prices that are sent again under their retry id are stored once', async () => {
    const send = async (costs: object, retryId: string) =>
      (await server.post('/cost/create', { project_id: PROJECT, costs }, { 'svc-retry-id': retryId })).body;
    const first = await send({ a: PRICE, b: PRICE }, 'r1');
    expect(await send({ b: PRICE, a: PRICE }, 'r2')).not.toEqual(first);
    const [again, atOnce] = await Promise.all([send({ a: PRICE, b: PRICE }, 'r1'), send({ a: PRICE, b: PRICE }, 'r1')]);
    expect([again, atOnce]).toEqual([first, first]);
    expect(await modelsOf()).toHaveLength(4);
    expect(await send({ c: PRICE }, 'r1')).not.toEqual(first);
    expect(await modelsOf({ limit: 9, sort_by: [{ field: 'llm_id', direction: 'asc' }] })).toEqual([...'aabbc']);
    const inDialect = async () => {
      const body = { project_id: PROJECT, costs: { w: PRICE } };
      return (await server.post('/dialect/w/cost/create', body, { 'x-weave-retry-id': 'r9' })).body;
    };
    const there = await inDialect();
    expect(there).toHaveProperty('ids');
    expect(await inDialect()).toEqual(there);
    const [[id]] = ((await send({ d: PRICE }, '0190a000-0000-7000-8000-000000000001')) as { ids: [[string]] }).ids;
    expect(id).toMatch(/^0190a000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('names are limited in characters, not in halves of them', async () => {
    const price = async (characters: number) => await create({ ['😀'.repeat(characters)]: PRICE });
    expect(await price(1024)).toMatchObject({ status: 200 });
    expect(await price(1025)).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } });
  });

  test('a price may be nothing', async () => {
    expect((await create({ m: { prompt_token_cost: 0, completion_token_cost: 0 } })).status).toBe(200);
  });

  test('queries compare texts, prices and dates', async () => {
    await create({ a: { ...PRICE, effective_date: '2024-01-01T00:00:00Z' } });
    await create({ b: { prompt_token_cost: 1, completion_token_cost: 2, effective_date: '2025-01-01T00:00:00Z' } });
    expect(await modelsOf(where('$eq', 'llm_id', 'a'))).toEqual(['a']);
    expect(await modelsOf(where('$gt', 'prompt_token_cost', 0.5))).toEqual(['b']);
    expect(await modelsOf(where('$lt', 'effective_date', '2024-06-01'))).toEqual(['a']);
    expect(await modelsOf(where('$eq', 'pricing_level', 'project'))).toHaveLength(2);
    expect(await modelsOf(where('$eq', 'pricing_level_id', PROJECT))).toHaveLength(2);
    expect(await modelsOf(where('$eq', 'created_by', 'nobody'))).toEqual([]);
    expect(await modelsOf(where('$gt', 'created_at', '2020-01-01'))).toEqual(['a', 'b']);
    expect(await modelsOf(where('$eq', 'provider_id', 'default'))).toEqual(['a', 'b']);
  });

  test('an order, a limit and an offset make pages', async () => {
    for (const model of ['b', 'c', 'a']) await create({ [model]: PRICE });
    const sort_by = [{ field: 'llm_id', direction: 'desc' }];
    expect(await modelsOf({ sort_by })).toEqual(['c', 'b', 'a']);
    expect(await modelsOf({ sort_by, limit: 1, offset: 1 })).toEqual(['b']);
    expect(await modelsOf({ sort_by, limit: 0 })).toEqual([]);
    expect((await query({ limit: -1 })).body).toMatchObject({ error_code: 'invalid_request' });
    expect((await query({ offset: -1 })).body).toMatchObject({ error_code: 'invalid_request' });
  });

  test('fields that were not asked for are null, unknown ones are refused', async () => {
    await create({ m: PRICE });
    const [record] = ((await query({ fields: ['llm_id'] })).body as { results: object[] }).results;
    expect(record).toMatchObject({ llm_id: 'm', id: null, prompt_token_cost: null, effective_date: null });
    for (const field of ['created_at', 'nothing', 'constructor']) {
      expect((await query({ fields: [field] })).body).toMatchObject({ error_code: 'invalid_field' });
    }
    expect((await query(where('$eq', 'constructor', 1))).body).toMatchObject({ error_code: 'invalid_field' });
    expect((await query({ sort_by: [{ field: 'x', direction: 'asc' }] })).body).toMatchObject({
      error_code: 'invalid_field',
    });
  });

  test('a purge takes ids in each of three shapes', async () => {
    const ids = (await idsOf({ a: PRICE, b: PRICE, c: PRICE })).map(([id]) => ({ $literal: id }));
    const id = { $getField: 'id' };
    expect((await purge({ $eq: [id, ids[0]] })).body).toEqual({});
    expect(await modelsOf({ sort_by: [{ field: 'llm_id', direction: 'asc' }] })).toEqual(['b', 'c']);
    expect((await purge({ $or: [{ $eq: [id, ids[1]] }, { $eq: [id, { $literal: 'nobody' }] }] })).body).toEqual({});
    expect(await modelsOf()).toEqual(['c']);
    expect((await purge({ $in: [id, ids] })).body).toEqual({});
    expect(await modelsOf()).toEqual([]);
  });

  test.each([
    { $eq: [{ $getField: 'llm_id' }, { $literal: 'm' }] },
    { $eq: [{ $getField: 'id' }, { $literal: 1 }] },
    { $eq: [{ $getField: 'id' }] },
    { $gt: [{ $getField: 'id' }, { $literal: '' }] },
    { $not: [{ $eq: [{ $getField: 'id' }, { $literal: 'x' }] }] },
    { $or: [] },
    { $or: [{ $in: [{ $getField: 'id' }, []] }] },
    { $and: [{ $eq: [{ $getField: 'id' }, { $literal: 'x' }] }] },
    { $in: [{ $getField: 'id' }, 'x'] },
    { $eq: [{ $getField: 'id' }, { $literal: 'x' }, { $literal: 'y' }] },
    { $eq: [{ $getField: 'id' }, { $literal: 'x' }], $in: [{ $getField: 'id' }, []] },
    { $in: [{ $getField: 'id' }, [], []] },
    { $literal: true },
    null,
  ])('a purge by %j is refused and removes nothing', async (expression) => {
    await create({ m: PRICE });
    expect((await purge(expression)).body).toMatchObject({ error_code: 'invalid_request' });
    expect(await modelsOf()).toEqual(['m']);
  });

  test('a purge of too many ids is refused', async () => {
    const ids = Array.from({ length: 5 }, (_, index) => ({ $literal: String(index) }));
    expect((await purge({ $in: [{ $getField: 'id' }, ids] })).body).toMatchObject({ error_code: 'too_many_items' });
    expect((await purge({ $in: [{ $getField: 'id' }, ids.slice(1)] })).body).toEqual({});
  });

  test('prices belong to their project', async () => {
    const [[id] = ['']] = await idsOf({ m: PRICE });
    const elsewhere = { project_id: 'acme/other' };
    expect(await modelsOf(elsewhere)).toEqual([]);
    await server.post('/cost/purge', { ...elsewhere, ...where('$eq', 'id', id) });
    expect(await modelsOf()).toEqual(['m']);
  });
});
