import { NumberToken, type JsonValue } from '../../protocol/canonical-json.ts';
import { formatDateTime } from '../../protocol/date-time.ts';
import { parseJson } from '../../protocol/json.ts';
import type { CostStore, StoredCall, StoredCost } from '../../storage/storage.ts';
import { isObject } from '../request-schema.ts';

type JsonObject = Readonly<Record<string, JsonValue>>;

/** A price that a call may be counted with: of its project, or of the operator's list. */
export interface Price extends Omit<StoredCost, 'project_id'> {
  readonly pricing_level: 'project' | 'default';
  readonly pricing_level_id: string;
}

/** The prices of the operator by model. */
export type DefaultPrices = ReadonlyMap<string, readonly Price[]>;

/** The prices of a model that a project can be counted with. */
export type PriceList = (model: string) => readonly Price[];

export async function readPrices(store: CostStore, projectId: string, defaults?: DefaultPrices): Promise<PriceList> {
  const prices = new Map<string, Price[]>();
  for (const cost of await store.list(projectId)) {
    const price: Price = { ...cost, pricing_level: 'project', pricing_level_id: projectId };
    const others = prices.get(cost.llm_id);
    if (others) others.push(price);
    else prices.set(cost.llm_id, [price]);
  }
  return (model) => [...(prices.get(model) ?? []), ...(defaults?.get(model) ?? [])];
}

/** What the models of a call cost, each at the price that was in force; undefined where none has a price. */
export function costsOfCall(call: StoredCall, prices: PriceList): JsonObject | undefined {
  const entries = usagesOf(call).flatMap(([model, usage]) => {
    const price = priceAt(prices(model), call.started_at);
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

/**
 * A price in force, or where all begin later one of those; of these the project's own before the operator's, then the
 * one that begins last, then the newest.
 */
function priceAt(prices: readonly Price[], startedAt: number): Price | undefined {
  const inForce = prices.filter(({ effective_date: from }) => from <= startedAt);
  return (inForce.length > 0 ? inForce : [...prices]).sort(
    (left, right) =>
      LEVELS.indexOf(left.pricing_level) - LEVELS.indexOf(right.pricing_level) ||
      right.effective_date - left.effective_date ||
      right.created_at - left.created_at,
  )[0];
}

const LEVELS: readonly Price['pricing_level'][] = ['project', 'default'];

function costEntry(usage: JsonObject, price: Price): JsonObject {
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
    pricing_level: price.pricing_level,
    pricing_level_id: price.pricing_level_id,
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
