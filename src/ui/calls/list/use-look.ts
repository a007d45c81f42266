import { useState } from 'react';

/** Rows that are looked at in one go where only rows can say whether they belong to the list: 60 pages. */
export const LOOKED_ROWS = 12_000;

export interface LookOptions {
  /** Of the list: another list is looked at from its beginning. */
  readonly key: string;
  /** Are there conditions that only rows can answer? */
  readonly isLooking: boolean;
  /** Rows that were looked at. */
  readonly count: number;
  readonly loadMore: (() => void) | undefined;
}

export interface Look {
  readonly loadMore: (() => void) | undefined;
  /** Enough was looked at, and there is more: nothing more is read before somebody goes on. */
  readonly goOn: (() => void) | undefined;
}

/** A list that few rows belong to would read all there are, page after page, to fill the window. */
export function useLook({ key, isLooking, count, loadMore }: LookOptions): Look {
  const [allowed, setAllowed] = useState({ key, rows: LOOKED_ROWS });
  const rows = allowed.key === key ? allowed.rows : LOOKED_ROWS;
  if (!isLooking || loadMore === undefined || count < rows) return { loadMore, goOn: undefined };
  return { loadMore: undefined, goOn: () => setAllowed({ key, rows: count + LOOKED_ROWS }) };
}
