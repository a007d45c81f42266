import { calcPrice, findProvider, waitForUpdate } from '@pydantic/genai-prices';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openBundledPrices } from '../../src/server/prices/bundled-prices.ts';
import { costEntry } from '../../src/server/query/read/cost-entry.ts';
import { countTokens } from '../../src/protocol/token-counts.ts';

const PRICES = openBundledPrices({ calcPrice, findProvider }, '1.2.3');
const NEW_YEAR = '2026-01-01T00:00:00Z';

interface Asked {
  readonly model: string;
  readonly provider?: string;
  readonly host?: string;
  readonly at?: string;
}

type Usage = Readonly<Record<string, number>>;

/** What a call shows of one model; undefined where it has no price. */
function entryOf({ model, provider, host, at = NEW_YEAR }: Asked, usage: Usage): Record<string, unknown> | undefined {
  const tokens = countTokens(usage);
  const { prompt: promptTokens, completion: completionTokens, requests } = tokens;
  const startedAt = Date.parse(at) * 1000;
  const price = PRICES.priceOf({ model, provider, host, startedAt, promptTokens, completionTokens, requests });
  return price && costEntry(tokens, price);
}

function totalOf(asked: Asked, usage: Usage): number | undefined {
  const entry = entryOf(asked, usage);
  return entry && Number(entry['prompt_tokens_total_cost']) + Number(entry['completion_tokens_total_cost']);
}

const providerOf = (asked: Asked) => entryOf(asked, { input_tokens: 1 })?.['provider_id'];

/** Dollars of a million tokens, from the price pages of the providers: read, cached, written, output. */
const KNOWN: readonly (readonly [string, string, string, number, number | null, number | null, number])[] = [
  ['openai', 'gpt-4o', NEW_YEAR, 2.5, 1.25, null, 10],
  ['openai', 'gpt-4o-2024-08-06', NEW_YEAR, 2.5, 1.25, null, 10],
  ['openai', 'gpt-4o-mini', NEW_YEAR, 0.15, 0.075, null, 0.6],
  ['openai', 'gpt-4.1', NEW_YEAR, 2, 0.5, null, 8],
  ['openai', 'gpt-3.5-turbo', NEW_YEAR, 0.5, null, null, 1.5],
  ['openai', 'gpt-5', NEW_YEAR, 1.25, 0.125, null, 10],
  ['openai', 'gpt-5-mini', NEW_YEAR, 0.25, 0.025, null, 2],
  ['openai', 'o4-mini', NEW_YEAR, 1.1, 0.275, null, 4.4],
  ['openai', 'o3', '2025-06-01T00:00:00Z', 10, 0.5, null, 40],
  ['openai', 'o3', '2025-06-11T00:00:00Z', 2, 0.5, null, 8],
  ['azure', 'gpt-4o', NEW_YEAR, 2.5, 1.25, null, 10],
  ['anthropic', 'claude-sonnet-4-20250514', NEW_YEAR, 3, 0.3, 3.75, 15],
  ['anthropic', 'claude-opus-4-1', NEW_YEAR, 15, 1.5, 18.75, 75],
  ['anthropic', 'claude-3-5-haiku-latest', NEW_YEAR, 0.8, 0.08, 1, 4],
  ['anthropic', 'claude-3-haiku-20240307', NEW_YEAR, 0.25, 0.03, 0.3, 1.25],
  ['aws', 'anthropic.claude-3-5-sonnet-20241022-v2:0', NEW_YEAR, 3, 0.3, 3.75, 15],
  ['google', 'gemini-2.5-pro', NEW_YEAR, 1.25, 0.125, null, 10],
  ['google', 'gemini-2.5-flash', NEW_YEAR, 0.3, 0.03, null, 2.5],
  ['google', 'gemini-2.0-flash', NEW_YEAR, 0.1, 0.025, null, 0.4],
  ['mistral', 'mistral-large-latest', NEW_YEAR, 2, null, null, 6],
  ['deepseek', 'deepseek-chat', '2025-08-01T01:00:00Z', 0.27, 0.07, null, 1.1],
  ['deepseek', 'deepseek-chat', '2025-08-01T17:00:00Z', 0.135, 0.035, null, 0.55],
  ['x-ai', 'grok-4', NEW_YEAR, 3, 0.75, null, 15],
  ['cohere', 'command-r-plus-08-2024', NEW_YEAR, 2.5, null, null, 10],
  ['groq', 'llama-3.3-70b-versatile', NEW_YEAR, 0.59, null, null, 0.79],
];

test.each(KNOWN)(
  '%s %s of %s costs what its provider says',
  (provider, model, at, input, cacheRead, cacheWrite, output) => {
    const usage = {
      input_tokens: 30_000,
      cache_read_tokens: 20_000,
      cache_write_tokens: 10_000,
      output_tokens: 4000,
      reasoning_tokens: 6000,
    };
    const entry = entryOf({ provider, model, at }, usage);
    const prompt = (30_000 * input + 20_000 * (cacheRead ?? input) + 10_000 * (cacheWrite ?? input)) / 1e6;
    expect(entry?.['prompt_tokens_total_cost']).toBeCloseTo(prompt, 12);
    expect(entry?.['completion_tokens_total_cost']).toBeCloseTo((10_000 * output) / 1e6, 12);
    expect(entry).toMatchObject({
      prompt_tokens: 60_000,
      completion_tokens: 10_000,
      total_tokens: 70_000,
      cache_read_tokens: 20_000,
      cache_read_tokens_cost: Number(`${cacheRead ?? input}e-6`),
      cache_write_tokens: 10_000,
      reasoning_tokens: 6000,
      reasoning_tokens_cost: Number(`${output}e-6`),
      pricing_level: 'default',
      pricing_level_id: 'default',
      provider_id: provider,
      created_by: 'genai-prices@1.2.3',
    });
    expect(entry?.['is_estimate']).toBe(cacheRead === null || cacheWrite === null ? true : undefined);
  },
);

test('a long request is charged its own price for all of its tokens, an embedding nothing for output', () => {
  const sonnet = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
  const tokens = (cached: number) => ({ input_tokens: 100_000, cache_read_tokens: cached, output_tokens: 1000 });
  expect(totalOf(sonnet, tokens(100_000))).toBeCloseTo(0.3 + 0.03 + 0.015, 12);
  expect(totalOf(sonnet, tokens(100_001))).toBeCloseTo(0.6 + 0.060_000_6 + 0.0225, 12);
  const embedding = { provider: 'openai', model: 'text-embedding-3-small' };
  expect(totalOf(embedding, { input_tokens: 1e6 })).toBe(0.02);
  expect(totalOf(embedding, { input_tokens: 1e6, output_tokens: 1 })).toBeUndefined();
});

test('sums of several requests are charged by how long one was on average, which is an estimate', () => {
  const asked = { provider: 'google', model: 'gemini-2.5-pro' };
  const sum = { input_tokens: 400_000, output_tokens: 0, requests: 4 };
  expect(entryOf(asked, sum)).toMatchObject({ prompt_tokens_total_cost: 0.5, is_estimate: true });
  expect(entryOf(asked, { ...sum, requests: 1 })).toMatchObject({ prompt_tokens_total_cost: 1 });
  expect(entryOf(asked, { ...sum, requests: 1 })).not.toHaveProperty('is_estimate');
  const plain = entryOf({ provider: 'openai', model: 'gpt-4o' }, sum);
  expect(plain).not.toHaveProperty('is_estimate');
});

test('what is charged by the request besides is an estimate, and what is not charged by tokens has no price', () => {
  expect(entryOf({ provider: 'perplexity', model: 'sonar' }, { input_tokens: 5 })).toMatchObject({ is_estimate: true });
  expect(entryOf({ provider: 'openai', model: 'whisper-1' }, { input_tokens: 5 })).toBeUndefined();
  expect(entryOf({ provider: 'openrouter', model: 'deepseek/deepseek-r1:free' }, { input_tokens: 5 })).toMatchObject({
    prompt_tokens_total_cost: 0,
  });
});

describe('the provider is', () => {
  test.each([
    ['what the host is', { model: 'llama-3.3-70b-versatile', provider: 'openai', host: 'api.groq.com' }, 'groq'],
    ['what the host is', { model: 'gpt-4o', provider: 'openai', host: 'mine.openai.azure.com' }, 'openai'],
    ['not another one for a model that the host has not', { model: 'gpt-4o', host: 'api.groq.com' }, undefined],
    ['what was recorded', { model: 'text-embedding-3-small', provider: 'openai' }, 'openai'],
    ['what the AI SDK calls it', { model: 'grok-4', provider: 'xai.chat' }, 'x-ai'],
    ['what OpenTelemetry calls it', { model: 'gpt-4o', provider: 'azure.ai.inference' }, 'openai'],
    ['what OpenTelemetry calls it', { model: 'gemini-2.5-pro', provider: 'gcp.vertex_ai' }, 'google'],
    ['what OpenTelemetry calls it', { model: 'grok-4', provider: 'x_ai' }, 'x-ai'],
    ['told by the model where nobody said it', { model: 'claude-sonnet-4-0' }, 'anthropic'],
    ['told by the model behind a gateway', { model: 'openai/gpt-4o', provider: 'gateway' }, 'openai'],
    [
      'told by the model behind a proxy',
      { model: 'claude-sonnet-4-0', provider: 'openai', host: 'a.com' },
      'anthropic',
    ],
    ['told by the model where the name is unknown', { model: 'gpt-4o', provider: 'my-gateway' }, 'openai'],
    ['that of a model with a path', { model: 'models/gemini-2.5-pro', provider: 'google' }, 'google'],
    ['no other one for a model that it has not', { model: 'claude-sonnet-4-0', provider: 'openai' }, undefined],
    ['nobody for one that runs here', { model: 'deepseek-r1:8b', provider: 'ollama' }, undefined],
    ['nobody for one that runs here', { model: 'deepseek-r1', provider: 'openai', host: 'localhost:11434' }, undefined],
    ['nobody for one that runs here', { model: 'deepseek-r1', host: '192.168.1.7:8080' }, undefined],
    ['nobody for one that runs here', { model: 'command-r', host: 'models:8080' }, undefined],
    ['that of a proxy on this machine', { model: 'gpt-4o', provider: 'openai', host: '127.0.0.1:4000' }, 'openai'],
    ['nobody for a name that nobody has', { model: 'my-model', provider: 'openai' }, undefined],
    ['nobody for a name of any length', { model: `gpt-4o-${'x'.repeat(1e6)}` }, undefined],
    ['nobody for no name', { model: '' }, undefined],
  ] as const)('%s: %j', (_name, asked, expected) => {
    const provider = providerOf(asked);
    expect(provider === 'azure' ? 'openai' : provider).toBe(expected);
  });
});

describe('over all models of the list', async () => {
  const providers = (await waitForUpdate()) ?? [];
  const models = providers.flatMap((provider) => provider.models.map((model) => ({ provider, model })));
  const count = fc.oneof(fc.constant(0), fc.nat(1000), fc.nat(2_000_000));
  const instant = fc.integer({ min: Date.parse('2023-01-01'), max: Date.parse('2028-01-01') });

  test('there are many', () => {
    expect(models.length).toBeGreaterThan(1000);
  });

  interface Drawn {
    readonly input: number;
    readonly read: number;
    readonly written: number;
    readonly output: number;
    readonly reasoning: number;
    readonly time: number;
  }

  /** What the package makes of the tokens, without what it charges for the request; undefined where that is not by tokens. */
  function theirTotal({ provider, model }: (typeof models)[number], drawn: Drawn): number | undefined {
    const { input, read, written, output, reasoning, time } = drawn;
    const tokens = {
      input_tokens: input + read + written,
      cache_read_tokens: read,
      cache_write_tokens: written,
      output_tokens: output + reasoning,
      output_reasoning_tokens: reasoning,
    };
    const theirs = calcPrice(tokens, model.id, { providerId: provider.id, timestamp: new Date(time) });
    const { input_mtok, output_mtok, requests_kcount } = theirs?.model_price ?? {};
    const isFree = theirs?.model.id.endsWith(':free') === true && Object.keys(theirs.model_price).length === 0;
    if (!isFree && input_mtok === undefined) return undefined;
    if (!isFree && output_mtok === undefined && output + reasoning > 0) return undefined;
    return (theirs?.total_price ?? Number.NaN) - (typeof requests_kcount === 'number' ? requests_kcount / 1000 : 0);
  }

  function ourTotal({ provider, model }: (typeof models)[number], drawn: Drawn): number | undefined {
    const { input, read, written, output, reasoning, time } = drawn;
    const usage = {
      input_tokens: input,
      cache_read_tokens: read,
      cache_write_tokens: written,
      output_tokens: output,
      reasoning_tokens: reasoning,
    };
    return totalOf({ provider: provider.id, model: model.id, at: new Date(time).toISOString() }, usage);
  }

  test('the total is what the package makes of the same tokens, where it charges by tokens alone', () => {
    const drawn = fc.record({
      input: count,
      read: count,
      written: count,
      output: count,
      reasoning: count,
      time: instant,
    });
    let priced = 0;
    fc.assert(
      fc.property(drawn, (tokens) => {
        const wrong = models.flatMap((each) => {
          const [ours, theirs] = [ourTotal(each, tokens), theirTotal(each, tokens)];
          if (ours !== undefined) priced += 1;
          const difference = Math.abs((ours ?? -1) - (theirs ?? -1));
          return difference / Math.max(1, theirs ?? 0) < 1e-9
            ? []
            : [{ provider: each.provider.id, model: each.model.id, ours, theirs }];
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 12 },
    );
    expect(priced).toBeGreaterThan(10_000);
  });
});

test('of very many names the oldest is forgotten, and the others are not looked for again', () => {
  let looked = 0;
  const counted: typeof calcPrice = (...asked) => {
    looked += 1;
    return calcPrice(...asked);
  };
  const prices = openBundledPrices({ calcPrice: counted, findProvider }, '1.2.3');
  const ask = (model: string) =>
    prices.priceOf({ model, startedAt: 0, promptTokens: 1, completionTokens: 0, requests: 1 });
  const lookedFor = (model: string) => {
    const before = looked;
    ask(model);
    return looked - before;
  };
  for (let index = 0; index < 1001; index += 1) expect(lookedFor(`none-${index}`)).toBeGreaterThan(0);
  for (let index = 1; index < 1001; index += 1) expect(lookedFor(`none-${index}`)).toBe(0);
  expect(lookedFor('none-0')).toBeGreaterThan(0);
});
