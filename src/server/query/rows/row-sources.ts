import type { Storage } from '../../../storage/contract/storage.ts';
import type { DefaultPrices } from '../read/price.ts';

/** Where rows are read, and what they add up to. */
export interface RowSources extends Pick<Storage, 'calls' | 'costs' | 'feedback' | 'overviews'> {
  readonly defaultPrices: DefaultPrices;
}
