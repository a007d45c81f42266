import type { Logger } from 'pino';
import type { DefaultPrice } from '../protocol/cost.ts';
import { lazyBundledPrices } from './bundled-prices.ts';
import { readPriceList } from './price-list.ts';
import type { DefaultPrices } from './query/price.ts';

/** The list of the operator, and below it what comes with the service; `none` is neither. */
export function openDefaultPrices(list: readonly DefaultPrice[] | 'none', logger: Logger): DefaultPrices {
  if (list === 'none') return { listed: new Map(), bundled: async () => undefined };
  return { listed: readPriceList(list), bundled: lazyBundledPrices(logger) };
}
