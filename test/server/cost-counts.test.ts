import { expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const IN_2026 = '2026-01-01T00:00:00Z';
const asked = { requests: 1, input_tokens: 1000, output_tokens: 100 };

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Samples of our cost metrics by name and labels. */
async function scrape(server: RunningServer): Promise<Record<string, number>> {
  const { status, text } = await server.get('/metrics');
  expect(status).toBe(200);
  const lines = text.split('\n').filter((line) => /^spoor_(?:cost|unpriced)/.test(line));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

const cost = (provider: string, model: string, currency = 'USD') =>
  `spoor_cost_total{provider="${provider}",model="${model}",currency="${currency}"}`;

const started = (id: string, parent_id: string | null, fields: object = {}) => ({
  mode: 'start',
  req: { start: { project_id: PROJECT, id, op_name: 'f', trace_id: 't', parent_id, started_at: IN_2026, ...fields } },
});
const ended = (id: string, usage: object) => ({
  mode: 'end',
  req: { end: { project_id: PROJECT, id, ended_at: IN_2026, summary: { usage } } },
});

test.each(ENGINES)('what traces cost is counted once, by provider, model and currency, on %s', async (storage) => {
  const server = await start({ storage });
  const own = { mine: { prompt_token_cost: 0.5, completion_token_cost: 1, completion_token_cost_unit: 'EUR' } };
  await server.post('/cost/create', { project_id: PROJECT, costs: own });
  const batch = [
    started('r1', null),
    started('r2', 'r1', { attributes: { provider: 'openai' } }),
    ended('r2', { 'gpt-4o-2024-08-06': asked }),
    ended('r1', { 'gpt-4o-2024-08-06': asked, mine: { input_tokens: 3, output_tokens: 2 }, 'nobody"s\n': asked }),
    started('r3', null),
    ended('r3', {}),
  ];
  await server.post('/call/upsert_batch', { batch });
  const expected = {
    [cost('openai', 'gpt-4o')]: 0.0035,
    [cost('project', 'project')]: 1.5,
    [cost('project', 'project', 'EUR')]: 2,
    spoor_unpriced_tokens_total: 1100,
    spoor_cost_uncounted_calls_total: 0,
  };
  expect(await scrape(server)).toEqual(expected);
  // What is sent again, or scraped again, costs nothing more.
  await server.post('/call/upsert_batch', { batch });
  await Promise.all([scrape(server), scrape(server)]);
  expect(await scrape(server)).toEqual(expected);
});

test('an end that comes before its start is counted when the start is there', async () => {
  const server = await start();
  await server.post('/call/upsert_batch', { batch: [ended('r1', { 'gpt-4o': asked })] });
  expect(await scrape(server)).toEqual({ spoor_unpriced_tokens_total: 0, spoor_cost_uncounted_calls_total: 0 });
  await server.post('/call/upsert_batch', { batch: [started('r1', null)] });
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.0035 });
  await server.post('/call/upsert_batch', { batch: [ended('r9', { 'gpt-4o': asked })] });
  await scrape(server);
  expect(await scrape(server)).toMatchObject({ spoor_cost_uncounted_calls_total: 1 });
});

test('spans, whose producers add nothing up, are counted with the trace, and sums of their own not twice', async () => {
  const server = await start();
  const span = (spanId: string, parentSpanId: string, tokens?: number) => ({
    traceId: '1'.repeat(32),
    spanId: spanId.repeat(16),
    parentSpanId: parentSpanId.repeat(16),
    name: 'span',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225600000000000',
    attributes: [
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
      ...(tokens === undefined ? [] : [{ key: 'gen_ai.usage.input_tokens', value: { intValue: tokens } }]),
    ],
  });
  const send = async (...spans: object[]) =>
    await server.post('/otel/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] }, { project_id: PROJECT });
  await send(span('3', '2', 1000), span('2', '1', 1000));
  expect(await scrape(server)).not.toHaveProperty(cost('openai', 'gpt-4o'));
  await send(span('4', '1', 1000), span('1', ''));
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.005 });
});

test('what nobody asks for is bounded', async () => {
  const server = await start();
  for (let batch = 0; batch < 6; batch += 1) {
    const ids = Array.from({ length: 1000 }, (_value, index) => `${batch}-${index}`);
    const items = ids.flatMap((id) => [started(id, null), ended(id, { 'gpt-4o': { input_tokens: 1000 } })]);
    await server.post('/call/upsert_batch', { batch: items });
    await server.post('/call/upsert_batch', { batch: ids.map((id) => ended(`x${id}`, { m: {} })) });
  }
  const counted = await scrape(server);
  expect(counted['spoor_cost_uncounted_calls_total']).toBe(2000);
  expect(counted[cost('openai', 'gpt-4o')]).toBeCloseTo(0.0025 * 5000, 6);
});

test.each(ENGINES)('what a large batch ended is counted too, which another thread reads, on %s', async (storage) => {
  const server = await start({ storage });
  const wide = { inputs: { text: 'x'.repeat(5 * 2 ** 20) } };
  const batch = [started('r1', null, wide), ended('r1', { 'gpt-4o-2024-08-06': asked })];
  expect((await server.post('/call/upsert_batch', { batch })).status).toBe(200);
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.0035 });
});
