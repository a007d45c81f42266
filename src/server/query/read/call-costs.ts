import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { CostStore } from '../../../storage/contract/costs.ts';
import { costEntry } from './cost-entry.ts';
import { chosenPrice, type DefaultPrices, type Price, type PriceQuestion } from './price.ts';
import { countTokens } from '../../../protocol/token-counts.ts';
import { asJsonObject, isJsonObject, type JsonObject } from '../../../protocol/values/json-object.ts';

/** Finds what the use of a model is counted with; undefined: nobody knows its price. */
export type PriceFinder = (question: PriceQuestion) => Price | undefined;

/** Costs of the models of a call, and the models that have no price. */
export interface CallCosts {
  readonly costs: JsonObject;
  readonly unpriced: readonly string[];
  /** The same model by model, as sums want it. */
  readonly counted: readonly CountedModel[];
  /** Has the call models that were not priced because there are too many? */
  readonly hasMore: boolean;
}

/** So many models of a call are priced, and as many of the others are named: a call has a few, and names are a client's. */
const MAX_MODELS = 100;

export interface CountedModel {
  /** Undefined: nobody knows it. */
  readonly price: Price | undefined;
  readonly tokens: number;
  /** By currency: input and output may have two. */
  readonly amounts: readonly (readonly [string, number])[];
}

export async function openPrices(
  store: CostStore,
  projectId: string,
  defaults: DefaultPrices | undefined,
): Promise<PriceFinder> {
  const [stored, bundled] = await Promise.all([store.list(projectId), defaults?.bundled()]);
  const project = new Map<string, Price[]>();
  for (const cost of stored) {
    const price: Price = { ...cost, pricing_level: 'project', pricing_level_id: projectId };
    const others = project.get(cost.llm_id);
    if (others) others.push(price);
    else project.set(cost.llm_id, [price]);
  }
  return (question) => {
    const { model, startedAt } = question;
    const own = { project: project.get(model) ?? [], listed: defaults?.listed.get(model) ?? [] };
    const known = bundled?.priceOf(question);
    return chosenPrice({ ...own, bundled: known === undefined ? [] : [known] }, startedAt);
  };
}

/** The costs of the models of a call, each at the price that was in force; undefined where it used none. */
export function costsOfCall(call: StoredCall, findPrice: PriceFinder): CallCosts | undefined {
  const summary = summaryOf(call);
  const usages = objectsIn(summary?.['usage'], 2 * MAX_MODELS + 1);
  if (usages.length === 0) return undefined;
  const own = { ...sourceOf(call), ...namedSource(summary?.['attributes']) };
  const below = asJsonObject(summary?.['providers']);
  const models = usages.slice(0, MAX_MODELS).map(([model, usage]) => {
    const tokens = countTokens(usage);
    const { prompt: promptTokens, completion: completionTokens, requests } = tokens;
    const used = { model, startedAt: call.started_at, promptTokens, completionTokens, requests };
    const source = Object.hasOwn(below, model) ? namedSource(below[model]) : own;
    const price = findPrice({ ...used, ...source });
    return { model, tokens, price, entry: price && costEntry(tokens, price) };
  });
  return {
    costs: Object.fromEntries(models.flatMap(({ model, entry }) => (entry ? [[model, entry] as const] : []))),
    unpriced: [
      ...models.flatMap(({ model, entry }) => (entry ? [] : [model])),
      ...usages.slice(MAX_MODELS, 2 * MAX_MODELS).map(([model]) => model),
    ],
    hasMore: usages.length > MAX_MODELS,
    counted: models.map(({ tokens, price, entry }) => ({
      price,
      tokens: tokens.prompt + tokens.completion,
      amounts: price && entry ? amountsOf(price, entry) : [],
    })),
  };
}

/** Is there anything that has a price, or might? */
export function hasUsage(call: StoredCall): boolean {
  return objectsIn(summaryOf(call)?.['usage'], 1).length > 0;
}

function amountsOf(price: Price, entry: JsonObject): [string, number][] {
  return [
    [price.prompt_token_cost_unit, Number(entry['prompt_tokens_total_cost'])],
    [price.completion_token_cost_unit, Number(entry['completion_tokens_total_cost'])],
  ];
}

function summaryOf({ summary }: StoredCall): JsonObject | undefined {
  if (summary === null || !summary.includes('"usage"')) return undefined;
  return asJsonObject(parseJson(summary));
}

type Source = Pick<PriceQuestion, 'provider' | 'host'>;

/** Whom the call itself has asked. */
function sourceOf({ attributes }: StoredCall): Source {
  if (attributes === null || !/"(?:provider|host|system)"/.test(attributes)) return {};
  const parsed = asJsonObject(parseJson(attributes));
  return { provider: textOf(parsed['system']), ...namedSource(parsed) };
}

/** Clients that add up say whom the requests of a model went to; null where that were several. */
function namedSource(value: JsonValue | undefined): Source {
  const named = asJsonObject(value);
  const [provider, host] = [textOf(named['provider']), textOf(named['host'])];
  return { ...(provider !== undefined && { provider }), ...(host !== undefined && { host }) };
}

/** The first members that are objects. */
function objectsIn(value: JsonValue | undefined, limit: number): [string, JsonObject][] {
  const found: [string, JsonObject][] = [];
  const holder = asJsonObject(value);
  for (const key of Object.keys(holder)) {
    const object = holder[key];
    if (isJsonObject(object)) found.push([key, object]);
    if (found.length === limit) break;
  }
  return found;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
