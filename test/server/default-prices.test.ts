import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const IN_2026 = '2026-01-01T00:00:00Z';
const OWN = { prompt_token_cost: 1, completion_token_cost: 2 };

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

interface Shown {
  readonly costs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly unpriced_models?: readonly string[];
}

interface Told {
  readonly summary: object;
  readonly attributes?: object;
  readonly started_at?: string;
}

/** Records a call; answers what it shows of its costs, which is the same in every way of reading. */
async function shownOf(
  server: RunningServer,
  { summary, attributes = {}, started_at = IN_2026 }: Told,
): Promise<Shown> {
  const begun = { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't', started_at, attributes };
  await server.post('/call/start', { start: begun });
  await server.post('/call/end', { end: { project_id: PROJECT, id: 'c1', ended_at: started_at, summary } });
  const query = { project_id: PROJECT, include_costs: true };
  const { body } = await server.post('/call/read', { ...query, id: 'c1' });
  for (const columns of [undefined, ['id'], ['summary', 'attributes']]) {
    const streamed = await server.post('/calls/stream_query', { ...query, columns });
    expect(summaryOf(streamed.body)).toEqual(summaryOf((body as { call: unknown }).call));
  }
  return (summaryOf((body as { call: unknown }).call) as { svc: Shown }).svc;
}

const summaryOf = (call: unknown) => (call as { summary: unknown }).summary;
const usage = (model: string, tokens: object = { input_tokens: 10 }) => ({ summary: { usage: { [model]: tokens } } });

describe.each(ENGINES)('on %s', (engine) => {
  test('a known model has a price without any configuration, and one that is not known is named', async () => {
    const server = await start({ storage: engine });
    const tokens = { input_tokens: 10, output_tokens: 3, cache_read_tokens: 4, reasoning_tokens: 2, requests: 1 };
    const told = { usage: { 'gpt-4o-2024-08-06': tokens, 'my-model': tokens, '': {} } };
    expect(await shownOf(server, { summary: told, attributes: { provider: 'openai' } })).toMatchObject({
      costs: {
        'gpt-4o-2024-08-06': {
          prompt_tokens: 14,
          completion_tokens: 5,
          prompt_tokens_total_cost: 0.00003,
          completion_tokens_total_cost: 0.00005,
          prompt_token_cost: 0.0000025,
          cache_read_tokens_cost: 0.00000125,
          cache_read_tokens_total_cost: 0.000005,
          reasoning_tokens_total_cost: 0.00002,
          provider_id: 'openai',
          pricing_level: 'default',
          created_by: expect.stringMatching(/^genai-prices@\d+\.\d+\.\d+$/) as string,
          effective_date: '1970-01-01T00:00:00Z',
        },
      },
      unpriced_models: ['my-model', ''],
    });
  });

  test('prices of the project go before those of the operator, and those before what comes with the service', async () => {
    const prices = [{ llm_id: 'gpt-4o', prompt_token_cost: 0.5, completion_token_cost: 0 }];
    const server = await start({ storage: engine, prices });
    const chosen = async (told: Told = usage('gpt-4o')) => {
      const { costs } = await shownOf(server, told);
      return Object.values(costs ?? {}).map((entry) => [entry['pricing_level'], entry['prompt_token_cost']]);
    };
    expect(await chosen()).toEqual([['default', 0.5]]);
    expect(await chosen(usage('gpt-4.1'))).toEqual([['default', 0.000002]]);
    const create = async (effective_date: string) =>
      await server.post('/cost/create', { project_id: PROJECT, costs: { 'gpt-4o': { ...OWN, effective_date } } });
    await create('2027-01-01T00:00:00Z');
    // A price that was not in force yet counts only where there is no other.
    expect(await chosen()).toEqual([['default', 0.5]]);
    await create('2020-01-01T00:00:00Z');
    expect(await chosen()).toEqual([['project', 1]]);
  });
});

test('there are none where the operator wants none', async () => {
  const server = await start({ prices: 'none' });
  expect(await shownOf(server, usage('gpt-4o'))).toEqual(
    expect.objectContaining({ unpriced_models: ['gpt-4o'], status: 'success' }),
  );
  expect(await shownOf(server, usage('gpt-4o'))).not.toHaveProperty('costs');
});

test('dates and hours of a price are those of the call', async () => {
  const server = await start();
  const o3 = async (started_at: string) => (await shownOf(server, { ...usage('o3'), started_at })).costs?.['o3'];
  expect(await o3('2025-06-09T23:59:59Z')).toMatchObject({ prompt_token_cost: 0.00001 });
  const other = await start();
  const told = { ...usage('o3'), started_at: '2025-06-10T00:00:00Z' };
  expect((await shownOf(other, told)).costs?.['o3']).toMatchObject({
    prompt_token_cost: 0.000002,
    effective_date: '2025-06-10T00:00:00Z',
  });
});

test.each([
  ['the attributes of the call', { ...usage('grok-4'), attributes: { provider: 'openrouter' } }, []],
  [
    'its host',
    { ...usage('llama-3.3-70b-versatile'), attributes: { provider: 'openai', host: 'api.groq.com' } },
    ['groq'],
  ],
  ['attributes of OpenTelemetry', { ...usage('text-embedding-3-small'), attributes: { system: 'openai' } }, ['openai']],
  [
    'attributes that came later',
    { summary: { ...usage('llama-3.3-70b-versatile').summary, attributes: { provider: 'groq' } } },
    ['groq'],
  ],
  [
    'what its client says of the calls below it',
    {
      summary: {
        ...usage('llama-3.3-70b-versatile').summary,
        providers: { 'llama-3.3-70b-versatile': { provider: 'openai', host: 'api.groq.com' } },
      },
      attributes: { provider: 'openai' },
    },
    ['groq'],
  ],
  [
    'the model where the calls below it asked several',
    { summary: { ...usage('gpt-4o').summary, providers: { 'gpt-4o': null } }, attributes: { provider: 'groq' } },
    ['openai'],
  ],
  ['the model where nobody says more', usage('claude-sonnet-4-0'), ['anthropic']],
  [
    'nothing of another shape',
    { summary: { ...usage('gpt-4o').summary, providers: 7 }, attributes: { provider: {} } },
    ['openai'],
  ],
])('the provider is told by %s', async (_name, told: Told, providers) => {
  const { costs } = await shownOf(await start(), told);
  expect(Object.values(costs ?? {}).map((entry) => entry['provider_id'])).toEqual(providers);
});

test('a client cannot say which models have no price', async () => {
  const summary = { svc: { unpriced_models: ['gpt-4o'], costs: 1, mine: 2 } };
  const shown = await shownOf(await start(), { summary });
  expect(shown).not.toHaveProperty('unpriced_models');
  expect(shown).not.toHaveProperty('costs');
  expect(shown).toMatchObject({ mine: 2 });
});
