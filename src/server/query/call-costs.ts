import { NumberToken, type JsonValue } from '../../protocol/canonical-json.ts';
import { formatDateTime } from '../../protocol/date-time.ts';
import { parseJson } from '../../protocol/json.ts';
import type { CostStore, StoredCall, StoredCost } from '../../storage/storage.ts';
import { isObject } from '../request-schema.ts';

type JsonObject = Readonly<Record<string, JsonValue>>;

/** The prices of a project by model. */
export type PriceList = ReadonlyMap<string, readonly StoredCost[]>;

export async function readPrices(store: CostStore, projectId: string): Promise<PriceList> {
  const prices = new Map<string, StoredCost[]>();
  for (const cost of await store.list(projectId)) {
    const others = prices.get(cost.llm_id);
    if (others) others.push(cost);
    else prices.set(cost.llm_id, [cost]);
  }
  return prices;
}

/** What the models of a call cost, each at the price that was in force; undefined where none has a price. */
export function costsOfCall(call: StoredCall, prices: PriceList): JsonObject | undefined {
  const entries = usagesOf(call).flatMap(([model, usage]) => {
    const price = priceAt(prices.get(model) ?? [], call.started_at);
    return price === undefined ? [] : [[model, costEntry(usage, price)] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function usagesOf({ summary }: StoredCall): [string, JsonObject][] {
  if (summary === null || !summary.includes('"usage"')) return [];
  const parsed = parseJson(summary);
  const usage = isObject(parsed) ? parsed['usage'] : undefined;
  if (!isObject(usage)) return [];
  // What was parsed from JSON holds JSON values.
  return Object.entries(usage).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

/** The price in force; where all begin later, the last of them. Of one date the newest record counts. */
function priceAt(costs: readonly StoredCost[], startedAt: number): StoredCost | undefined {
  const inForce = costs.filter(({ effective_date: from }) => from <= startedAt);
  return (inForce.length > 0 ? inForce : [...costs]).sort(
    (left, right) => right.effective_date - left.effective_date || right.created_at - left.created_at,
  )[0];
}

function costEntry(usage: JsonObject, price: StoredCost): JsonObject {
  const promptTokens = bounded(tokensOf(usage['prompt_tokens']) + tokensOf(usage['input_tokens']));
  const completionTokens = bounded(tokensOf(usage['completion_tokens']) + tokensOf(usage['output_tokens']));
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    requests: tokensOf(usage['requests']),
    total_tokens: isNumber(usage['total_tokens']) ? usage['total_tokens'] : bounded(promptTokens + completionTokens),
    prompt_token_cost: price.prompt_token_cost,
    completion_token_cost: price.completion_token_cost,
    prompt_tokens_total_cost: exactProduct(promptTokens, price.prompt_token_cost),
    completion_tokens_total_cost: exactProduct(completionTokens, price.completion_token_cost),
    prompt_token_cost_unit: price.prompt_token_cost_unit,
    completion_token_cost_unit: price.completion_token_cost_unit,
    effective_date: formatDateTime(price.effective_date),
    provider_id: price.provider_id,
    pricing_level: 'project',
    pricing_level_id: price.project_id,
    created_by: price.created_by,
    created_at: formatDateTime(price.created_at),
  };
}

/** What is no number counts nothing: a producer names its tokens in one of two ways. Integers may have any length. */
function tokensOf(value: JsonValue | undefined): number {
  const count = isNumber(value) ? Number(value) : 0;
  return Number.isFinite(count) ? count : 0;
}

/** A sum or product as JSON can write it. */
function bounded(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

function isNumber(value: JsonValue | undefined): value is number | NumberToken {
  return typeof value === 'number' || value instanceof NumberToken;
}

/** The product of two numbers as they are written: 3 times 0.1 is 0.3, where doubles make 0.30000000000000004. */
function exactProduct(left: number, right: number): number {
  const [leftDigits, leftExponent] = decimalOf(left);
  const [rightDigits, rightExponent] = decimalOf(right);
  return bounded(Number(`${leftDigits * rightDigits}e${leftExponent + rightExponent}`));
}

/** The shortest digits of a number as an integer, and the power of ten they are multiplied with. */
function decimalOf(value: number): [bigint, number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
