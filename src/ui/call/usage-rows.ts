import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';

/** Tokens of one model in buckets that share nothing, with what they cost. */
export interface UsageRow {
  readonly model: string;
  readonly requests: number;
  readonly buckets: readonly UsageBucket[];
  readonly total: number;
  readonly cost: Money | undefined;
  /** A part was counted with the price of other tokens. */
  readonly isEstimate: boolean;
  /** The model has tokens and no price: its money is unknown, not nothing. */
  readonly isUnpriced: boolean;
}

export interface UsageBucket {
  readonly name: BucketName;
  readonly tokens: number;
  /** Of one token. */
  readonly price: number | undefined;
  readonly cost: number | undefined;
}

export type BucketName = 'input' | 'cache read' | 'cache write' | 'output' | 'reasoning';

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Clients name a bucket in one of several ways, never in two at once. */
const BUCKETS: readonly { readonly name: BucketName; readonly keys: readonly string[]; readonly cost: string }[] = [
  { name: 'input', keys: ['prompt_tokens', 'input_tokens'], cost: 'prompt' },
  { name: 'cache read', keys: ['cache_read_tokens', 'cache_read_input_tokens'], cost: 'cache_read' },
  { name: 'cache write', keys: ['cache_write_tokens', 'cache_creation_input_tokens'], cost: 'cache_write' },
  { name: 'output', keys: ['completion_tokens', 'output_tokens'], cost: 'completion' },
  { name: 'reasoning', keys: ['reasoning_tokens'], cost: 'reasoning' },
];

/** The usage of a call with all below it, the model with most tokens first. */
export function usageRows(summary: ParsedObject): UsageRow[] {
  const usage = isObject(summary['usage']) ? summary['usage'] : {};
  const svc = isObject(summary['svc']) ? summary['svc'] : {};
  const costs = isObject(svc['costs']) ? svc['costs'] : {};
  const rows = Object.entries(usage).map(([model, told]) => rowOf(model, told, costs[model], unpricedIn(svc)));
  return rows.sort((one, other) => other.total - one.total);
}

function unpricedIn({ unpriced_models: models }: ParsedObject): readonly unknown[] {
  return Array.isArray(models) ? (models as unknown[]) : [];
}

function rowOf(model: string, told: unknown, entry: unknown, unpriced: readonly unknown[]): UsageRow {
  const usage = isObject(told) ? told : {};
  const priced = isObject(entry) ? entry : undefined;
  const buckets = BUCKETS.flatMap((bucket) => bucketOf(bucket, usage, priced));
  const sum = buckets.reduce((all, { tokens }) => all + tokens, 0);
  return {
    model,
    requests: countOf(usage['requests']),
    buckets,
    total: countOf(usage['total_tokens']) || sum,
    cost: priced && moneyOf(priced),
    isEstimate: priced?.['is_estimate'] === true,
    isUnpriced: priced === undefined && (unpriced.includes(model) || sum > 0),
  };
}

function bucketOf(
  { name, keys, cost }: (typeof BUCKETS)[number],
  usage: ParsedObject,
  priced?: ParsedObject,
): UsageBucket[] {
  const tokens = keys.reduce((sum, key) => sum + countOf(usage[key]), 0);
  if (tokens === 0) return [];
  const price = priceOf(cost, priced);
  return [{ name, tokens, price, cost: price === undefined ? undefined : price * tokens }];
}

/** Of a bucket without a price of its own, that of the tokens it is among. */
function priceOf(cost: string, priced: ParsedObject | undefined): number | undefined {
  if (priced === undefined) return undefined;
  const own = priced[`${cost}_token_cost`] ?? priced[`${cost}_tokens_cost`];
  const among = cost === 'reasoning' || cost === 'completion' ? 'completion_token_cost' : 'prompt_token_cost';
  const price = own ?? priced[among];
  return typeof price === 'number' ? price : undefined;
}

function moneyOf(priced: ParsedObject): Money {
  const amount = countOf(priced['prompt_tokens_total_cost']) + countOf(priced['completion_tokens_total_cost']);
  const unit = priced['completion_token_cost_unit'] ?? priced['prompt_token_cost_unit'];
  return { amount, currency: typeof unit === 'string' ? unit : 'USD' };
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The usage of all models together, for the head of a call. */
export interface UsageSum {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly total: number;
  readonly cost: number | undefined;
  readonly unpriced: readonly string[];
}

/** Input with what came from or went to a cache, as people think of it. */
export function sumOfUsage(rows: readonly UsageRow[]): UsageSum | undefined {
  if (rows.length === 0) return undefined;
  const of = (...names: BucketName[]) =>
    rows
      .flatMap(({ buckets }) => buckets)
      .reduce((sum, each) => sum + (names.includes(each.name) ? each.tokens : 0), 0);
  const costs = rows.flatMap(({ cost }) => (cost?.currency === 'USD' ? [cost.amount] : []));
  return {
    input: of('input', 'cache read', 'cache write'),
    cached: of('cache read'),
    output: of('output', 'reasoning'),
    total: rows.reduce((sum, { total }) => sum + total, 0),
    cost: costs.length === 0 ? undefined : costs.reduce((sum, amount) => sum + amount, 0),
    unpriced: rows.flatMap(({ model, isUnpriced }) => (isUnpriced ? [model] : [])),
  };
}
