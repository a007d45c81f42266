import type { calcPrice, findProvider, ModelInfo, Provider } from '@pydantic/genai-prices';
import type { PriceQuestion } from '../query/read/price.ts';

/** The package that the prices come with; only what asks its own data is used, nothing that could fetch. */
export interface PricePackage {
  readonly calcPrice: typeof calcPrice;
  readonly findProvider: typeof findProvider;
}

export interface BundledModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

type Asked = Pick<PriceQuestion, 'model' | 'provider' | 'host'>;

/** Under this name the package reads `vendor/model`, and looks for the vendor by the model when there is none. */
const ANY_PROVIDER = 'litellm';
/** Names that are recorded where nobody knows the vendor, or where one place passes on to many. */
const NO_PROVIDER: ReadonlySet<string> = new Set(['unknown', 'gateway', ANY_PROVIDER]);
/** Programs that run models on one's own machines, which nobody charges tokens for. */
const OWN_MACHINES: ReadonlySet<string> = new Set(['ollama', 'lmstudio', 'llamacpp', 'llamafile', 'vllm', 'localai']);

/**
 * A model of the list: by the host that was asked when it is a provider's, else by the provider's name as it was
 * recorded, else by the name of the model. A model that a known provider does not have is nobody else's.
 */
export function findBundledModel(prices: PricePackage, asked: Asked): BundledModel | undefined {
  const { model, provider: name, host } = asked;
  if (host !== undefined && prices.findProvider({ providerApiUrl: `https://${host}` })) {
    return modelOf(prices, model, { providerApiUrl: `https://${host}` });
  }
  if (name === undefined || NO_PROVIDER.has(name)) return isOwnMachine(asked) ? undefined : anyModel(prices, model);
  const providerId = providerIdOf(prices, name);
  const found = providerId === undefined ? undefined : modelOf(prices, model, { providerId });
  if (found !== undefined || isOwnMachine(asked)) return found;
  // Libraries of one provider are used to ask others; where they asked is no provider's address, so the model tells.
  return providerId === undefined || host !== undefined ? anyModel(prices, model) : undefined;
}

function anyModel(prices: PricePackage, model: string): BundledModel | undefined {
  return modelOf(prices, model, { providerId: ANY_PROVIDER });
}

function modelOf(
  prices: PricePackage,
  model: string,
  where: { readonly providerId: string } | { readonly providerApiUrl: string },
): BundledModel | undefined {
  const found = prices.calcPrice({}, model.replace(/^models\//, ''), where);
  return found === null ? undefined : { provider: found.provider, model: found.model };
}

/** Instrumentation libraries write `xai.chat`, `x_ai` and `azure.ai.inference` for what the list calls `x-ai` and `azure`. */
function providerIdOf(prices: PricePackage, name: string): string | undefined {
  const [first = ''] = name.split('.', 1);
  for (const providerId of [first, first.replaceAll('_', '-'), name]) {
    const provider = providerId === '' ? undefined : prices.findProvider({ providerId });
    if (provider) return provider.id;
  }
  return undefined;
}

const OWN_HOST = /^(?:localhost|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|\[[\da-f:]+\]|[^.:]+)(?::\d+)?$/i;

function isOwnMachine({ provider = '', host }: Asked): boolean {
  const [first = ''] = provider.split('.', 1);
  return OWN_MACHINES.has(first.toLowerCase().replace(/[-_]/g, '')) || (host !== undefined && OWN_HOST.test(host));
}
