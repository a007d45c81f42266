import { Type } from '@sinclair/typebox';
import { type DefaultPrice, DefaultPriceEntry, type BucketPrice } from '../../protocol/cost.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { TracingError, type ValidationDetail } from '../../protocol/error.ts';
import type { Price } from '../query/read/price.ts';
import { compileRequest } from '../http/body/request-schema.ts';

const LEVEL = 'default';

/** The prices of the operator by model; throws `invalid_configuration` for what is no list of prices. */
export function readPriceList(list: unknown): ReadonlyMap<string, readonly Price[]> {
  checkShape(list);
  const prices = new Map<string, Price[]>();
  for (const [index, entry] of list.entries()) {
    const others = prices.get(entry.llm_id) ?? [];
    prices.set(entry.llm_id, [...others, checkedPrice(entry, others, index)]);
  }
  return prices;
}

function checkShape(list: unknown): asserts list is readonly DefaultPrice[] {
  try {
    compileRequest(Type.Array(DefaultPriceEntry))(list);
  } catch (error) {
    // The check throws nothing else.
    const [detail] = (error as TracingError).extra['detail'] as ValidationDetail[];
    const [, index, ...field] = detail?.loc ?? [];
    const place =
      index === undefined ? '' : `entry ${String(index)}${field.length > 0 ? `, ${field.join('.')}` : ''}: `;
    throw invalid(`${place}${detail?.msg ?? 'not a list of prices'}`, error);
  }
}

function checkedPrice(entry: DefaultPrice, others: readonly Price[], index: number): Price {
  // A price without a date has always been so: it must not depend on when the service was started.
  const effectiveDate = parseDateTime(entry.effective_date ?? '1970-01-01T00:00:00Z') ?? 0;
  const { llm_id, prompt_token_cost, completion_token_cost } = entry;
  if (llm_id === '') throw invalid(`entry ${index}, llm_id: it is empty`);
  const own = bucketPrices(entry);
  const costs = [prompt_token_cost, completion_token_cost, ...Object.values(own)];
  if (costs.some((cost) => cost !== null && cost < 0)) throw invalid(`entry ${index}: a price is below 0`);
  if (others.some(({ effective_date: date }) => date === effectiveDate)) {
    throw invalid(`entry ${index}: "${llm_id}" has a price of the same effective_date already`);
  }
  return {
    llm_id,
    prompt_token_cost,
    completion_token_cost,
    ...own,
    prompt_token_cost_unit: entry.prompt_token_cost_unit ?? 'USD',
    completion_token_cost_unit: entry.completion_token_cost_unit ?? 'USD',
    effective_date: effectiveDate,
    provider_id: entry.provider_id ?? 'default',
    pricing_level: LEVEL,
    pricing_level_id: LEVEL,
    created_by: LEVEL,
    created_at: effectiveDate,
  };
}

function bucketPrices(entry: DefaultPrice): Pick<Price, BucketPrice> {
  return {
    cache_read_input_token_cost: entry.cache_read_input_token_cost ?? null,
    cache_creation_input_token_cost: entry.cache_creation_input_token_cost ?? null,
    reasoning_token_cost: entry.reasoning_token_cost ?? null,
  };
}

function invalid(reason: string, cause?: unknown): TracingError {
  return new TracingError('invalid_configuration', `Cannot use the price list: ${reason}`, { cause });
}
