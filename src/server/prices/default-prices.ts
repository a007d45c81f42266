import type { Logger } from 'pino';
import type { DefaultPrice } from '../../protocol/cost.ts';
import { readPriceList } from './price-list.ts';
import type { BundledPrices, DefaultPrices } from '../query/read/price.ts';

/** The list of the operator, and below it what comes with the service; `none` is neither. */
export function openDefaultPrices(list: readonly DefaultPrice[] | 'none', logger: Logger): DefaultPrices {
  if (list === 'none') return { listed: new Map(), bundled: async () => undefined };
  return { listed: readPriceList(list), bundled: lazyBundledPrices(logger) };
}

/**
 * It takes 20 MB and the time of a request to load them, so that is done when a cost is first asked for, once. Without the
 * package there are none, which the log says.
 */
function lazyBundledPrices(logger: Logger): DefaultPrices['bundled'] {
  let loading: Promise<BundledPrices | undefined> | undefined;
  return () => (loading ??= load(logger));
}

async function load(logger: Logger): Promise<BundledPrices | undefined> {
  try {
    const { loadBundledPrices } = await import('./bundled-prices.ts');
    return await loadBundledPrices();
  } catch (error) {
    logger.warn({ reason: String(error) }, 'no default prices: @pydantic/genai-prices cannot be loaded');
    return undefined;
  }
}
