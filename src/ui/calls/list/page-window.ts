import type { InfiniteData } from '@tanstack/react-query';
import type { PagePlace, RowsPage } from '../../data/page-place.ts';

export type Pages = InfiniteData<RowsPage, PagePlace>;

/** Pages that are kept of a list: those around what is looked at. Others are read again when one comes back to them. */
export const KEPT_PAGES = 20;

/** Rows nearer than this to what leaves a list have the focus when it left. */
export const NEAR_ROWS = 100;

/** The pages around a row of the list, by its number. */
export function windowOf({ pages, pageParams }: Pages, row: number, most = KEPT_PAGES): Pages {
  const at = pageParams.findLastIndex(({ above }) => above <= row);
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), pages.length - most));
  return { pages: pages.slice(from, from + most), pageParams: pageParams.slice(from, from + most) };
}

/** The numbers of the first row and of the one behind the last. */
export function spanOf({ pages, pageParams }: Pages): readonly [from: number, to: number] {
  const from = pageParams[0]?.above ?? 0;
  return [from, (pageParams.at(-1)?.above ?? 0) + (pages.at(-1)?.rows.length ?? 0)];
}
