import type { CostCreateRequest, CostEntry, BucketPrice } from '../../protocol/cost.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { TracingError } from '../../protocol/error.ts';
import type { StoredCost } from '../../storage/contract/costs.ts';
import { checkProject } from '../keys/authenticate.ts';
import type { Repetition } from '../http/repetition.ts';
import type { IngestContext } from './calls/call-facts.ts';
import { isLongerThan } from './calls/cut-text.ts';
import { checkUser } from './calls/check-user.ts';
import type { WriteStores } from './write-stores.ts';

const MODEL_CHARACTERS = 1024;

/** Stores the prices of models, once however often the request comes; returns pairs of id and model in the order of the request. */
export async function createCosts(
  store: WriteStores['costs'],
  request: CostCreateRequest,
  { caller, limits }: IngestContext,
  { makeId }: Repetition,
): Promise<[string, string][]> {
  checkProject(caller, request.project_id);
  checkUser(request, caller);
  const entries = Object.entries(request.costs);
  if (entries.length > limits.costs_per_create) {
    throw new TracingError(
      'too_many_items',
      `Cannot create ${entries.length} prices at once: want at most ${limits.costs_per_create}`,
    );
  }
  const common = { project_id: request.project_id, created_by: caller.userId, created_at: Date.now() * 1000 };
  const costs = entries.map(([llmId, entry]) => ({
    ...common,
    id: makeId(),
    ...toCost(llmId, entry, common.created_at),
  }));
  if (costs.length > 0) await store.create(costs);
  return costs.map(({ id, llm_id }) => [id, llm_id]);
}

function toCost(
  llmId: string,
  entry: CostEntry,
  now: number,
): Omit<StoredCost, 'id' | 'project_id' | 'created_by' | 'created_at'> {
  return {
    llm_id: checkModel(llmId),
    prompt_token_cost: checkPrice(llmId, entry.prompt_token_cost),
    completion_token_cost: checkPrice(llmId, entry.completion_token_cost),
    ...checkBucketPrices(llmId, entry),
    prompt_token_cost_unit: entry.prompt_token_cost_unit ?? 'USD',
    completion_token_cost_unit: entry.completion_token_cost_unit ?? 'USD',
    effective_date: microsOf(entry.effective_date) ?? now,
    provider_id: entry.provider_id ?? 'default',
  };
}

function checkModel(llmId: string): string {
  if (llmId !== '' && !isLongerThan(llmId, MODEL_CHARACTERS)) return llmId;
  throw new TracingError(
    'invalid_request',
    `Cannot price the model "${llmId.slice(0, 100)}": want a name of 1 to ${MODEL_CHARACTERS} characters`,
  );
}

function checkPrice(llmId: string, price: number): number {
  if (price >= 0) return price;
  throw new TracingError('invalid_request', `Cannot price the model "${llmId.slice(0, 100)}": ${price} is below 0`);
}

/** Prices that tokens of a kind may have of their own. */
function checkBucketPrices(llmId: string, entry: CostEntry): Pick<StoredCost, BucketPrice> {
  const checked = (price: number | null | undefined) =>
    price === null || price === undefined ? null : checkPrice(llmId, price);
  return {
    cache_read_input_token_cost: checked(entry.cache_read_input_token_cost),
    cache_creation_input_token_cost: checked(entry.cache_creation_input_token_cost),
    reasoning_token_cost: checked(entry.reasoning_token_cost),
  };
}

function microsOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : parseDateTime(text);
}
