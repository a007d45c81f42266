import { parseDateTime } from '../../../protocol/values/date-time.ts';
import type { CallRow } from '../../data/answers.ts';
import type { RowsPage } from '../../data/call-rows.ts';

/** What was read of a list, from its top on. */
export interface ListBase {
  readonly rows: readonly CallRow[];
  /** When the page was asked for that a call is in. */
  readonly askedAt: ReadonlyMap<string, number>;
  /** When the first page was. */
  readonly firstAskedAt: number;
  /** The last row of a list that is sorted by time, where there are more behind it. */
  readonly end: CallRow | undefined;
}

/** The rows of some pages, each once: a page that begins at an instant has those of that instant again. */
export function baseOf(pages: readonly RowsPage[], isByTime: boolean): ListBase {
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
  const hasMore = last !== undefined && (last.next_cursor !== null || last.nextBefore !== undefined);
  const end = hasMore && isByTime ? rows.at(-1) : undefined;
  return { rows, askedAt, firstAskedAt: pages[0]?.askedAt ?? Infinity, end };
}

/** As the service sorts what is not sorted otherwise. Texts of instants do not compare: some have a fraction. */
export function newestFirst(a: CallRow, b: CallRow): number {
  const later = microsOf(b) - microsOf(a);
  return later === 0 ? Number(a.id < b.id) - Number(a.id > b.id) : later;
}

/** When a call began, in microseconds since 1970. */
export function microsOf({ started_at: at }: CallRow): number {
  return parseDateTime(at) ?? 0;
}
