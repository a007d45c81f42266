import type { CallRow } from '../../data/answers.ts';
import { type ListTop, microsOf, type PagePlace, placeBehind, type RowsPage, TOP } from '../../data/page-place.ts';

/** The rows that were read of a list, from its top on, or of a part of it. */
export interface ListBase {
  readonly rows: readonly CallRow[];
  /** When the page was asked for that a call is in. */
  readonly askedAt: ReadonlyMap<string, number>;
  /** When the top of the list was. */
  readonly firstAskedAt: number;
  /** Rows that were read above those, and are kept no more. */
  readonly above: number;
  /** The top of a list that is sorted by time, where that is not kept. */
  readonly top: ListTop | undefined;
  /** The last row of a list that is sorted by time, where there are more behind it. */
  readonly end: CallRow | undefined;
}

/** The rows of some pages, each once: a page that begins at an instant has those of that instant again. */
export function baseOf(pages: readonly RowsPage[], isByTime: boolean, places: readonly PagePlace[] = []): ListBase {
  const askedAt = new Map<string, number>();
  const rows: CallRow[] = [];
  for (const page of pages) {
    for (const row of page.rows) {
      if (askedAt.has(row.id)) continue;
      askedAt.set(row.id, page.askedAt);
      rows.push(row);
    }
  }
  const last = pages.at(-1);
  const hasMore = last !== undefined && placeBehind(last, places.at(-1) ?? TOP, isByTime) !== undefined;
  const end = hasMore && isByTime ? rows.at(-1) : undefined;
  const { above, top } = places[0] ?? TOP;
  // In another order a new call may belong on any page: those that were read before do not have it.
  const asked = isByTime ? [] : pages.map((page) => page.askedAt);
  const firstAskedAt = Math.min(top?.askedAt ?? pages[0]?.askedAt ?? Infinity, ...asked);
  return { rows, askedAt, firstAskedAt, above, top: above > 0 && isByTime ? top : undefined, end };
}

/** As the service sorts what is not sorted otherwise. Texts of instants do not compare: some have a fraction. */
export function newestFirst(a: CallRow, b: CallRow): number {
  const later = microsOf(b) - microsOf(a);
  return later === 0 ? Number(a.id < b.id) - Number(a.id > b.id) : later;
}
