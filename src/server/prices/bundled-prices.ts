// docs/decisions/0037-default-prices.md says why.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { type BundledModel, findBundledModel, type PricePackage } from './bundled-model.ts';
import { sumOfProducts } from '../query/read/exact-sum.ts';
import type { BundledPrices, Price, PriceQuestion } from '../query/read/price.ts';

const PACKAGE = '@pydantic/genai-prices';
/** Names of models come from clients: no more of them are remembered. */
const REMEMBERED_MODELS = 1000;
/** Longer names are no names of models, and looking for one takes time. */
const MODEL_CHARACTERS = 200;

/** The prices of the npm package, which are part of it: no request is made. */
export async function loadBundledPrices(): Promise<BundledPrices> {
  return openBundledPrices(await import('@pydantic/genai-prices'), await packageVersion());
}

async function packageVersion(): Promise<string> {
  // Its exports leave out the manifest.
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const manifest: unknown = JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8'));
  return String((manifest as { readonly version?: unknown }).version);
}

export function openBundledPrices(prices: PricePackage, version: string): BundledPrices {
  const models = new Map<string, BundledModel | undefined>();
  /** Prices of models that are the same for all requests. */
  const fixed = new WeakMap<BundledModel, Price>();
  const find = ({ model, provider, host }: PriceQuestion) => {
    const key = JSON.stringify([model, provider, host]);
    if (!models.has(key)) {
      const [oldest] = models.keys();
      if (oldest !== undefined && models.size >= REMEMBERED_MODELS) models.delete(oldest);
      models.set(key, findBundledModel(prices, { model, provider, host }));
    }
    return models.get(key);
  };
  return {
    priceOf(question) {
      if ([question.model, question.provider, question.host].some((name = '') => name.length > MODEL_CHARACTERS)) {
        return undefined;
      }
      const found = find(question);
      if (found === undefined) return undefined;
      const known = fixed.get(found);
      if (known !== undefined) return known;
      const price = priceFrom(found, question, { prices, version });
      if (price !== undefined && isFixed(found)) fixed.set(found, price);
      return price;
    },
  };
}

/** The same for all times and lengths, and for what has output and what has none. */
function isFixed({ model: { prices } }: BundledModel): boolean {
  if (Array.isArray(prices)) return false;
  const { output_mtok: output } = prices;
  return output !== undefined && Object.values(prices).every((price) => typeof price === 'number');
}

interface Origin {
  readonly prices: PricePackage;
  readonly version: string;
}

/** The prices of one token at the time and for the length of the requests; undefined where the list has none of tokens. */
function priceFrom(found: BundledModel, question: PriceQuestion, { prices, version }: Origin): Price | undefined {
  const { modelPrice, effectiveDate } = pricesAt(found, question.startedAt, prices);
  const { input_mtok: input, output_mtok: output } = isFree(found, modelPrice) ? FREE : modelPrice;
  if (input === undefined || (output === undefined && question.completionTokens !== 0)) return undefined;
  const cost = (price: number | TieredPrices) => perToken(price, question);
  const own = (price: number | TieredPrices | undefined) => (price === undefined ? null : cost(price));
  const completionCost = output === undefined ? 0 : cost(output);
  return {
    llm_id: question.model,
    prompt_token_cost: cost(input),
    completion_token_cost: completionCost,
    cache_read_input_token_cost: own(modelPrice['cache_read_mtok']),
    cache_creation_input_token_cost: own(modelPrice['cache_write_mtok']),
    // Providers charge thinking as output, unless the list says otherwise.
    reasoning_token_cost: own(modelPrice['output_reasoning_mtok']) ?? completionCost,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: effectiveDate,
    provider_id: found.provider.id,
    pricing_level: 'default',
    pricing_level_id: 'default',
    created_by: `genai-prices@${version}`,
    created_at: effectiveDate,
    listedModel: found.model.id,
    isEstimate: isRough(modelPrice, question),
  };
}

const FREE: ModelPrice = { input_mtok: 0, output_mtok: 0 };

/** No prices may also mean that the model is charged by the page or minute, or that nobody knows. */
function isFree({ model }: BundledModel, modelPrice: ModelPrice): boolean {
  return model.id.endsWith(':free') && Object.keys(modelPrice).length === 0;
}

/** Dates and hours of a model are for the package to choose from. */
function pricesAt(
  { provider, model }: BundledModel,
  startedAt: number,
  { calcPrice }: PricePackage,
): { readonly modelPrice: ModelPrice; readonly effectiveDate: number } {
  if (!Array.isArray(model.prices)) return { modelPrice: model.prices, effectiveDate: 0 };
  const only: BundledModel['model'] = { ...model, match: { contains: '' } };
  const { id, name, api_pattern } = provider;
  const timestamp = new Date(startedAt / 1000);
  const found = calcPrice({}, model.id, { provider: { id, name, api_pattern, models: [only] }, timestamp });
  const modelPrice = found?.model_price ?? {};
  const constraint = model.prices.find(({ prices }) => prices === modelPrice)?.constraint;
  const since = constraint?.type === 'start_date' ? Date.parse(constraint.start_date) * 1000 : 0;
  return { modelPrice, effectiveDate: since };
}

/** The list has prices of a million tokens; those of long requests count for all tokens of a request. */
function perToken(price: number | TieredPrices, { promptTokens, requests }: PriceQuestion): number {
  const length = promptTokens / Math.max(1, requests);
  return sumOfProducts([[typeof price === 'number' ? price : rateAt(price, length), 1e-6]]);
}

function rateAt({ base, tiers }: TieredPrices, length: number): number {
  return tiers.toSorted((left, right) => right.start - left.start).find(({ start }) => length > start)?.price ?? base;
}

/** Sums of several requests tell only how long they were on average, and some providers charge each request too. */
function isRough(modelPrice: ModelPrice, { requests }: PriceQuestion): boolean {
  const hasTiers = Object.values(modelPrice).some((price) => typeof price === 'object');
  return modelPrice['requests_kcount'] !== undefined || (hasTiers && requests > 1);
}
