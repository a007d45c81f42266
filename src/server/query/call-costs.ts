import { parseJson } from '../../protocol/json.ts';
import type { CostStore, StoredCall } from '../../storage/storage.ts';
import { isObject } from '../request-schema.ts';
import { costEntry } from './cost-entry.ts';
import { chosenPrice, type DefaultPrices, type Price, type PriceQuestion } from './price.ts';
import { countTokens, type JsonObject } from './token-counts.ts';

/** Finds what the use of a model is counted with; undefined: nobody knows its price. */
export type PriceFinder = (question: PriceQuestion) => Price | undefined;

/** What the models of a call cost, and those that have no price. */
export interface CallCosts {
  readonly costs: JsonObject;
  readonly unpriced: readonly string[];
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

/** What the models of a call cost, each at the price that was in force; undefined where it used none. */
export function costsOfCall(call: StoredCall, findPrice: PriceFinder): CallCosts | undefined {
  const usages = usagesOf(call);
  if (usages.length === 0) return undefined;
  const source = sourceOf(call);
  const unpriced: string[] = [];
  const entries = usages.flatMap(([model, usage]) => {
    const tokens = countTokens(usage);
    const { prompt: promptTokens, completion: completionTokens, requests } = tokens;
    const used = { model, startedAt: call.started_at, promptTokens, completionTokens, requests };
    const price = findPrice({ ...used, ...(addedUpSource(usage) ?? source) });
    if (price !== undefined) return [[model, costEntry(tokens, price)] as const];
    unpriced.push(model);
    return [];
  });
  return { costs: Object.fromEntries(entries), unpriced };
}

function usagesOf({ summary }: StoredCall): [string, JsonObject][] {
  if (summary === null || !summary.includes('"usage"')) return [];
  const parsed = parseJson(summary);
  const usage = isObject(parsed) ? parsed['usage'] : undefined;
  if (!isObject(usage)) return [];
  // What was parsed from JSON holds JSON values.
  return Object.entries(usage).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

type Source = Pick<PriceQuestion, 'provider' | 'host'>;

/** Whom the call itself has asked. */
function sourceOf({ attributes }: StoredCall): Source {
  if (attributes === null || !/"(?:provider|host|system)"/.test(attributes)) return {};
  const parsed = parseJson(attributes);
  if (!isObject(parsed)) return {};
  return { provider: textOf(parsed['provider']) ?? textOf(parsed['system']), host: textOf(parsed['host']) };
}

/** Clients that add up say whom all the requests went to; null: to several. */
function addedUpSource(usage: JsonObject): Source | undefined {
  if (usage['provider'] === undefined) return undefined;
  return { provider: textOf(usage['provider']), host: textOf(usage['host']) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
