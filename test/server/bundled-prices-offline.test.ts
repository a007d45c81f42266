import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { loadBundledPrices } from '../../src/server/prices/bundled-prices.ts';
import { buildOnce } from '../build.ts';
import { ROOT } from '../flow/service-process.ts';

const run = promisify(execFile);
/** Every connection that this process begins, whoever does it. */
const CONNECTIONS = 'net.client.socket';
const ASKED = { startedAt: Date.UTC(2026, 0) * 1000, promptTokens: 10, completionTokens: 1, requests: 1 };

beforeAll(buildOnce, 120_000);

test('the prices are there without a connection to anybody', async () => {
  let connections = 0;
  const count = () => (connections += 1);
  subscribe(CONNECTIONS, count);
  try {
    const prices = await loadBundledPrices();
    for (const model of ['gpt-4o', 'claude-sonnet-4-0', 'o3', 'no-such-model']) prices.priceOf({ ...ASKED, model });
    expect(prices.priceOf({ ...ASKED, model: 'gpt-4o' })?.created_by).toMatch(/^genai-prices@\d+\.\d+\.\d+$/);
    expect(connections).toBe(0);
    const socket = connect({ port: 1, host: '127.0.0.1' });
    await once(socket, 'error');
    expect(connections).toBe(1);
  } finally {
    unsubscribe(CONNECTIONS, count);
  }
});

/** What Node says where the package was left out of an install. */
const WITHOUT_PACKAGE = `
  export async function resolve(name, context, next) {
    if (!name.startsWith('@pydantic/')) return next(name, context);
    throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
const PROGRAM = `
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(WITHOUT_PACKAGE)}));
  const { createServer } = await import('spoor/server');
  const { createReader } = await import('spoor/reader');
  const server = await createServer({ storage: 'memory', port: 0, apiKey: 'k' });
  const reader = createReader({ url: server.url, apiKey: 'k', project: 'acme/demo' });
  await reader.costs.create({ mine: { prompt_token_cost: 1, completion_token_cost: 1, effective_date: '2020-01-01T00:00:00Z' } });
  const at = '2026-01-01T00:00:00Z';
  const usage = { mine: { input_tokens: 2 }, 'gpt-4o': { input_tokens: 2 } };
  await reader.calls.write([
    { mode: 'start', req: { start: { id: 'c1', op_name: 'f', trace_id: 't', started_at: at } } },
    { mode: 'end', req: { end: { id: 'c1', ended_at: at, summary: { usage } } } },
  ]);
  const { costs, unpriced_models } = (await reader.calls.get('c1', { include_costs: true })).summary.svc;
  console.log(JSON.stringify([costs.mine.prompt_tokens_total_cost, Object.keys(costs), unpriced_models]));
  await server.close();`;

test('without the package only the prices that somebody gave count, and the log says so', async () => {
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: ROOT });
  expect(JSON.parse(stdout)).toEqual([2, ['mine'], ['gpt-4o']]);
  expect(stderr).toContain('no default prices: @pydantic/genai-prices cannot be loaded');
}, 60_000);
