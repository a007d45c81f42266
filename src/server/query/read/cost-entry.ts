import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { sumOfProducts } from './exact-sum.ts';
import type { Price } from './price.ts';
import type { TokenCounts } from '../../../protocol/token-counts.ts';
import type { JsonObject } from '../../../protocol/values/json-object.ts';

/** The cost of one model as a call shows it. */
export function costEntry(tokens: TokenCounts, price: Price): JsonObject {
  const [read, written] = cachedIn(tokens, price);
  const thought = thoughtIn(tokens, price);
  return {
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    requests: tokens.requests,
    total_tokens: tokens.total,
    prompt_token_cost: price.prompt_token_cost,
    completion_token_cost: price.completion_token_cost,
    prompt_tokens_total_cost: promptCost(tokens, price),
    completion_tokens_total_cost: completionCost(tokens, price),
    ...shownKind('cache_read_tokens', ...read),
    ...shownKind('cache_write_tokens', ...written),
    ...shownKind('reasoning_tokens', ...thought),
    ...(isEstimate(tokens, price) ? { is_estimate: true } : {}),
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

type Charged = Omit<TokenCounts, 'prompt' | 'completion' | 'total'>;

/** The cost of all tokens of the input. */
export function promptCost(tokens: Charged, price: Price): number {
  return sumOfProducts([[tokens.plainPrompt, price.prompt_token_cost], ...cachedIn(tokens, price)]);
}

/** The cost of all tokens of the output. */
export function completionCost(tokens: Charged, price: Price): number {
  return sumOfProducts([[tokens.plainCompletion, price.completion_token_cost], thoughtIn(tokens, price)]);
}

function cachedIn(tokens: Charged, price: Price) {
  return [
    [tokens.cacheRead, price.cache_read_input_token_cost ?? price.prompt_token_cost],
    [tokens.cacheWrite, price.cache_creation_input_token_cost ?? price.prompt_token_cost],
  ] as const;
}

function thoughtIn(tokens: Charged, price: Price) {
  return [tokens.reasoning, price.reasoning_token_cost ?? price.completion_token_cost] as const;
}

/** Only calls that have such tokens show them. */
function shownKind(name: string, count: number, cost: number): JsonObject {
  if (count === 0) return {};
  return { [name]: count, [`${name}_cost`]: cost, [`${name}_total_cost`]: sumOfProducts([[count, cost]]) };
}

/** Tokens of a kind that has no price of its own are counted as plain ones, which may be too much or too little. */
function isEstimate({ cacheRead, cacheWrite, reasoning }: TokenCounts, price: Price): boolean {
  return (
    price.isEstimate === true ||
    (cacheRead !== 0 && price.cache_read_input_token_cost === null) ||
    (cacheWrite !== 0 && price.cache_creation_input_token_cost === null) ||
    (reasoning !== 0 && price.reasoning_token_cost === null)
  );
}
