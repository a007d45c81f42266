import { formatDateTime, parseDateTime } from '../../protocol/values/date-time.ts';
import type { CallRow, RowsAnswer } from './answers.ts';

/** One page of a list, and what is needed to go on behind it. */
export interface RowsPage extends RowsAnswer {
  /** When it was asked for, in milliseconds of a clock that never goes back. */
  readonly askedAt: number;
  /** Of a page that no answer was: further rows began before this instant, in microseconds since 1970. */
  readonly nextBefore?: number;
}

/** The first row of a list when it was read from its top, and when that was. */
export interface ListTop {
  readonly row: CallRow;
  readonly askedAt: number;
}

/** Where a page of a list stands. It knows the places above it, so that one can go back to pages that were left. */
export interface PagePlace {
  /** Where it begins: behind a cursor, or before an instant in microseconds since 1970; absent: at the top. */
  readonly from?: { readonly cursor: string } | { readonly before: number };
  /** An instant at which it ends, where the page behind it is there: what came between meanwhile is in it, too. */
  readonly until?: number;
  /** Rows of the list above it. */
  readonly above: number;
  readonly previous?: PagePlace;
  /** Absent at the top itself. */
  readonly top?: ListTop;
}

/** Where lists begin. */
export const TOP: PagePlace = { above: 0 };

/** The place behind a page of a list, which is sorted by time or otherwise; `undefined` where nothing is. */
export function placeBehind(page: RowsPage, place: PagePlace, isByTime = true): PagePlace | undefined {
  const from = endOf(page, place);
  const [row] = page.rows;
  if (from === undefined) return undefined;
  const top = place.top ?? (row && { row, askedAt: page.askedAt });
  // Those of the instant at which it ends are in the page behind it, too.
  const own = page.rows.filter((each) => place.until === undefined || microsOf(each) > place.until);
  const previous = isByTime ? kept(place, top) : place;
  return { from, above: place.above + own.length, previous, ...(top && { top }) };
}

function endOf({ next_cursor: cursor, nextBefore: before }: RowsPage, { until }: PagePlace): PagePlace['from'] {
  // A page that begins at an instant has those of that instant again.
  if (until !== undefined) return { before: until + 1 };
  if (cursor !== null) return { cursor };
  return before === undefined ? undefined : { before };
}

/** The top of a list is another one when it is read again: this is where it was. */
function kept(given: PagePlace, top: ListTop | undefined): PagePlace {
  const { until: _, ...place } = given;
  if (place.from !== undefined || top === undefined) return place;
  return { ...place, from: { before: microsOf(top.row) + 1 }, top };
}

/**
 * The place before a page, up to its first row; `undefined` at the top. In an order that is not of time it has as many rows as
 * it had: such as moved meanwhile may be there twice, which shows them once, or not until the list is read from its top.
 */
export function placeBefore({ rows }: RowsPage, { previous }: PagePlace, isByTime = true): PagePlace | undefined {
  const [first] = rows;
  return previous && { ...previous, ...(first && isByTime && { until: microsOf(first) }) };
}

/** Of the places from one upwards the one that a row of the list is at, by its number. */
export function placeAt(place: PagePlace, row: number): PagePlace {
  let found = place;
  while (found.above > row && found.previous !== undefined) found = found.previous;
  return found;
}

/** A page whose end is known may hold more rows than when it was read first. */
export const MOST_ROWS = 1000;

/** The bounds to ask for, of a list that begins and ends somewhere itself. */
export function requestAt({ from, until }: PagePlace): object {
  return {
    ...(from && ('cursor' in from ? from : { started_before: formatDateTime(from.before) })),
    ...(until !== undefined && { started_after: formatDateTime(until), limit: MOST_ROWS }),
  };
}

/** When a call began, in microseconds since 1970. */
export function microsOf({ started_at: at }: CallRow): number {
  return parseDateTime(at) ?? 0;
}
