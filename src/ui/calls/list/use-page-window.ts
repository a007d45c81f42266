import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { type CallsSelection } from '../../data/answers.ts';
import { PAGE_ROWS, pageAt, type Sorting } from '../../data/call-rows.ts';
import { placeAt, TOP } from '../../data/page-place.ts';
import { KEPT_PAGES, NEAR_ROWS, type Pages, spanOf, windowOf } from './page-window.ts';

export interface PageWindowOptions {
  /** The key that the pages of the list are kept under. */
  readonly key: QueryKey;
  readonly data: Pages | undefined;
  readonly selection: CallsSelection | undefined;
  /** Undefined: by time, the newest first. */
  readonly order: Sorting | undefined;
  /** The rows of the list that are looked at, by number: the first one in sight, and the one with the focus. */
  readonly sight: () => { readonly first: number; readonly focused: number };
  /** Every page is kept as long as rows are selected, and where only rows say whether they belong to the list. */
  readonly keepsAll: boolean;
  readonly isFetching: boolean;
  readonly readBefore: () => void;
}

/** After a page that could not be read. */
const PAUSE_MS = 5000;

/**
 * Keeps the pages around what is looked at, however far one scrolls. Returns what reads those above again: up to the next
 * page, or straight to the page of a row that is further away; `undefined` while there are none, or one is on its way.
 */
export function usePageWindow(options: PageWindowOptions): ((row: number) => void) | undefined {
  const { key, data, selection, order, sight, keepsAll, isFetching, readBefore } = options;
  const client = useQueryClient();
  const [isGoing, setIsGoing] = useState(false);
  const isIdle = !isFetching && !isGoing;
  useEffect(() => {
    if (keepsAll || !isIdle || data === undefined || data.pages.length <= KEPT_PAGES) return;
    const { first, focused } = sight();
    const next = windowOf(data, first);
    // Its neighbours would get the focus, and the list would go to them.
    if (!isNearEdge(focused, data, next)) client.setQueryData<Pages>(key, next);
  }, [client, key, data, sight, keepsAll, isIdle]);
  const go = useCallback(
    async (row: number) => {
      const place = placeAt(data?.pageParams[0] ?? TOP, row);
      setIsGoing(true);
      try {
        const page = await pageAt(selection, order, place);
        client.setQueryData<Pages>(key, { pages: [page], pageParams: [place] });
      } catch {
        // It is asked again as long as one looks there, after a pause; a service that is gone is told by others.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      } finally {
        setIsGoing(false);
      }
    },
    [client, key, data, selection, order],
  );
  const above = data?.pageParams[0]?.above ?? 0;
  const read = useCallback(
    (row: number) => (row < above - PAGE_ROWS ? void go(row) : readBefore()),
    [above, go, readBefore],
  );
  return above > 0 && isIdle ? read : undefined;
}

/** Is the row with the focus among those that leave, and not far from those that stay? */
function isNearEdge(focused: number, was: Pages, next: Pages): boolean {
  const [[first, last], [from, to]] = [spanOf(was), spanOf(next)];
  return (
    (focused >= Math.max(first, from - NEAR_ROWS) && focused < from) ||
    (focused >= to && focused < Math.min(last, to + NEAR_ROWS))
  );
}
