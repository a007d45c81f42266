import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { type Engine, ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

type Prices = NonNullable<ServerOptions['prices']>;

const OTHER = 'acme/other';

/** A price that is told from others by its number. */
const price = (cost: number, effective_date?: string, llm_id = 'm') => ({
  llm_id,
  prompt_token_cost: cost,
  completion_token_cost: 0,
  ...(effective_date === undefined ? {} : { effective_date }),
});

async function start(prices: Prices, engine: Engine = 'memory'): Promise<RunningServer> {
  const server = await startServer({ prices, storage: engine });
  onTestFinished(() => server.close());
  return server;
}

async function addProjectPrice(server: RunningServer, cost: number, effective_date: string): Promise<void> {
  const { llm_id, ...entry } = price(cost, effective_date);
  const answer = await server.post('/cost/create', { project_id: PROJECT, costs: { [llm_id]: entry } });
  expect(answer.status).toBe(200);
}

/** What the service says a call of 2026-01-01 cost. */
async function costsOf(server: RunningServer, project_id = PROJECT, model = 'm'): Promise<unknown> {
  const call = { project_id, id: 'c1', op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
  await server.post('/call/start', { start: { ...call, attributes: {}, inputs: {} } });
  const summary = { usage: { [model]: { prompt_tokens: 2 } } };
  await server.post('/call/end', { end: { project_id, id: 'c1', ended_at: '2026-01-01T00:00:01Z', summary } });
  const query = { project_id, include_costs: true };
  const { body } = await server.post('/calls/stream_query', query);
  const read = await server.post('/call/read', { ...query, id: 'c1' });
  expect(read.body).toEqual({ call: body });
  return (body as { summary: { svc: { costs?: unknown } } }).summary.svc.costs;
}

async function chosen(server: RunningServer, project?: string): Promise<unknown[]> {
  const costs = (await costsOf(server, project)) as Record<string, Record<string, unknown>>;
  return [costs['m']?.['pricing_level'], costs['m']?.['prompt_token_cost']];
}

describe.each(ENGINES)('on %s', (engine) => {
  test('a model without a price of the project is counted with the list of the operator', async () => {
    const full = {
      llm_id: 'm',
      prompt_token_cost: 0.5,
      completion_token_cost: 0.25,
      prompt_token_cost_unit: 'EUR',
      completion_token_cost_unit: 'CHF',
      effective_date: '2025-01-01T00:00:00Z',
      provider_id: 'me',
    };
    const { llm_id, ...shown } = full;
    expect(await costsOf(await start([full], engine))).toEqual({
      [llm_id]: {
        prompt_tokens: 2,
        completion_tokens: 0,
        requests: 0,
        total_tokens: 2,
        ...shown,
        prompt_tokens_total_cost: 1,
        completion_tokens_total_cost: 0,
        pricing_level: 'default',
        pricing_level_id: 'default',
        created_by: 'default',
        created_at: '2025-01-01T00:00:00Z',
      },
    });
  });

  test('of prices in force that of the project counts, also when it is older', async () => {
    const server = await start([price(1, '2025-06-01T00:00:00Z')], engine);
    await addProjectPrice(server, 2, '2024-01-01T00:00:00Z');
    expect(await chosen(server)).toEqual(['project', 2]);
    expect(await chosen(server, OTHER)).toEqual(['default', 1]);
  });
});

test('a price in force goes before one of the project that begins later', async () => {
  const server = await start([price(1, '2025-06-01T00:00:00Z')]);
  await addProjectPrice(server, 2, '2026-06-01T00:00:00Z');
  expect(await chosen(server)).toEqual(['default', 1]);
});

test('where all begin later, that of the project counts', async () => {
  const server = await start([price(1, '2026-02-01T00:00:00Z')]);
  await addProjectPrice(server, 2, '2026-03-01T00:00:00Z');
  expect(await chosen(server)).toEqual(['project', 2]);
  expect(await chosen(server, OTHER)).toEqual(['default', 1]);
});

test('of one level the latest that is in force counts', async () => {
  const dates = ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
  expect(await chosen(await start(dates.map((date, index) => price(index, date))))).toEqual(['default', 1]);
});

test('a price that begins with the call is in force', async () => {
  const server = await start([price(1, '2026-01-01T00:00:00Z'), price(2, '2026-01-01T00:00:00.000001Z')]);
  expect(await chosen(server)).toEqual(['default', 1]);
});

test('a price without a date has always been so', async () => {
  const server = await start([price(1)]);
  expect(await costsOf(server)).toMatchObject({
    m: { pricing_level: 'default', effective_date: '1970-01-01T00:00:00Z', provider_id: 'default' },
  });
});

test('a model that nobody has priced costs nothing that is known', async () => {
  expect(await costsOf(await start([price(1)]), PROJECT, 'other')).toBeUndefined();
});

test('prices of the operator are neither listed nor purged', async () => {
  const server = await start([price(1)]);
  for (const query of [{}, { query: { $expr: { $eq: [{ $getField: 'pricing_level' }, { $literal: 'default' }] } } }]) {
    expect((await server.post('/cost/query', { project_id: PROJECT, ...query })).body).toEqual({ results: [] });
  }
  const named = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'default-0' }] } };
  expect((await server.post('/cost/purge', { project_id: PROJECT, query: named })).status).toBe(200);
  expect(await chosen(server)).toEqual(['default', 1]);
});

test.each([
  ['{}', 'Input should be a valid list'],
  ['[5]', 'entry 0: Input should be'],
  ['[{"llm_id":"m","prompt_token_cost":1}]', 'entry 0, completion_token_cost: Field required'],
  [JSON.stringify([price(1), { ...price(1), x: 1 }]), 'entry 1, x: Extra inputs are not permitted'],
  [
    JSON.stringify([{ ...price(1), prompt_token_cost: '1' }]),
    'entry 0, prompt_token_cost: Input should be a valid number',
  ],
  [JSON.stringify([price(1, 'yesterday')]), 'entry 0, effective_date: Input should be a valid datetime'],
  [JSON.stringify([price(-1)]), 'entry 0: a price is below 0'],
  [JSON.stringify([price(1, undefined, '')]), 'entry 0, llm_id: it is empty'],
  [JSON.stringify([price(1), price(2)]), 'entry 1: "m" has a price of the same effective_date already'],
])('%s is refused at the start', async (list, reason) => {
  await expect(startServer({ prices: JSON.parse(list) as Prices })).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(`Cannot use the price list: ${reason}`) as string,
  });
});
