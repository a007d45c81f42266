import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { countTokens } from '../../../protocol/token-counts.ts';
import type { ModelUsage, TokenSums } from '../../contract/overviews.ts';
import { cutText } from './call-preview.ts';
import { asJsonObject, isJsonObject, type JsonObject } from '../../../protocol/values/json-object.ts';

/** A call has a few models, and names are a client's. */
const MAX_MODELS = 100;
const MAX_NAME = 1024;

/** The models that a call has used, and whom it asked: as its summary says, else as its attributes do. */
export function usagesOf(attributes: JsonValue, summary: JsonValue): ModelUsage[] {
  const { usage, attributes: later, providers } = asJsonObject(summary);
  const models = Object.entries(asJsonObject(usage)).filter(([, counts]) => isJsonObject(counts));
  if (models.length === 0) return [];
  const below = asJsonObject(providers);
  const { system } = asJsonObject(attributes);
  const own = { provider: textOf(system), ...namedSource(attributes), ...namedSource(later) };
  return models.slice(0, MAX_MODELS).map(([model, counts]) => {
    const source = Object.hasOwn(below, model) ? namedSource(below[model]) : own;
    return {
      model: cutText(model, MAX_NAME),
      provider: null,
      host: null,
      ...source,
      tokens: tokenSums(asJsonObject(counts)),
    };
  });
}

/** The one with most tokens, of equal ones the first. */
export function mainModelOf(usages: readonly ModelUsage[]): string | null {
  let main: ModelUsage | undefined;
  for (const usage of usages) if (main === undefined || usage.tokens.total > main.tokens.total) main = usage;
  return main?.model ?? null;
}

/** The kinds that tokens are counted as, in the order of columns. */
export const TOKEN_KINDS = [
  'plainPrompt',
  'cacheRead',
  'cacheWrite',
  'plainCompletion',
  'reasoning',
  'requests',
  'total',
] as const satisfies readonly (keyof TokenSums)[];

export function addTokens(sums: TokenSums, tokens: TokenSums): void {
  sums.plainPrompt += tokens.plainPrompt;
  sums.cacheRead += tokens.cacheRead;
  sums.cacheWrite += tokens.cacheWrite;
  sums.plainCompletion += tokens.plainCompletion;
  sums.reasoning += tokens.reasoning;
  sums.requests += tokens.requests;
  sums.total += tokens.total;
}

export function noTokens(): TokenSums {
  return { plainPrompt: 0, cacheRead: 0, cacheWrite: 0, plainCompletion: 0, reasoning: 0, requests: 0, total: 0 };
}

function tokenSums(usage: JsonObject): TokenSums {
  const { plainPrompt, cacheRead, cacheWrite, plainCompletion, reasoning, requests, total } = countTokens(usage);
  const given = Number(total);
  return {
    plainPrompt,
    cacheRead,
    cacheWrite,
    plainCompletion,
    reasoning,
    requests,
    total: Number.isFinite(given) ? given : 0,
  };
}

type Source = { provider?: string; host?: string };

function namedSource(value: JsonValue | undefined): Source {
  const { provider, host } = asJsonObject(value);
  const [givenProvider, givenHost] = [textOf(provider), textOf(host)];
  return { ...(givenProvider !== null && { provider: givenProvider }), ...(givenHost !== null && { host: givenHost }) };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_NAME) : null;
}
