import type { OverviewReader } from '../../../storage/contract/overviews.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import { overviewsOf } from '../../../storage/values/overviews/read-overviews.ts';

/** Where calls are read at a glance. */
export type OverviewSources = Pick<Storage, 'calls' | 'overviews'>;

export function overviewsIn({ calls, overviews }: OverviewSources): OverviewReader {
  return overviews ?? overviewsOf(calls);
}
