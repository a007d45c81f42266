import { describe, expect, test } from 'vitest';
import { formatDateTime } from '../../../../src/protocol/values/date-time.ts';
import { baseOf } from '../../../../src/ui/calls/list/list-base.ts';
import { arrive, countAbove, newestOf, NOTHING_TOLD, rebase, rowsOf } from '../../../../src/ui/calls/list/live-rows.ts';
import { type Pages, spanOf, windowOf } from '../../../../src/ui/calls/list/page-window.ts';
import type { CallRow } from '../../../../src/ui/data/answers.ts';
import {
  type PagePlace,
  placeAt,
  placeBefore,
  placeBehind,
  requestAt,
  type RowsPage,
  TOP,
} from '../../../../src/ui/data/page-place.ts';

const MICROS = Date.parse('2026-11-25T12:00:00Z') * 1000;
const PAGE = 3;

/** Row `n` of a list, the newest first. */
function row(n: number): CallRow {
  return { id: `call-${n}`, started_at: formatDateTime(MICROS - n), ended_at: null, state: 'running' } as CallRow;
}

function page(from: number, count = PAGE): RowsPage {
  const rows = Array.from({ length: count }, (_, index) => row(from + index));
  return { rows, next_cursor: `behind ${from + count - 1}`, askedAt: from };
}

/** So many pages from the top on, as a list is read. */
function pages(count: number): Pages {
  const read: RowsPage[] = [];
  const places: PagePlace[] = [];
  for (let place: PagePlace | undefined = TOP; place !== undefined && read.length < count;) {
    read.push(page(place.above));
    places.push(place);
    place = placeBehind(page(place.above), place);
  }
  return { pages: read, pageParams: places };
}

const ids = (rows: readonly CallRow[]) => rows.map(({ id }) => Number(id.slice('call-'.length)));

describe('pages that were left', () => {
  const ten = pages(10);

  test('those around the row that is looked at stay, at both ends of the list too', () => {
    expect(spanOf(windowOf(ten, 15, 4))).toEqual([9, 21]);
    expect(spanOf(windowOf(ten, 0, 4))).toEqual([0, 12]);
    expect(spanOf(windowOf(ten, 29, 4))).toEqual([18, 30]);
    expect(spanOf(windowOf(ten, 5, 20))).toEqual([0, 30]);
  });

  test('the page above is asked for from where it began to where the next one does', () => {
    const { pages: kept, pageParams } = windowOf(ten, 15, 4);
    const [first = page(0)] = kept;
    const [place = TOP] = pageParams;
    const before = placeBefore(first, place);
    expect(before).toMatchObject({ above: 6, from: { cursor: 'behind 5' } });
    expect(requestAt(before as PagePlace)).toEqual({
      cursor: 'behind 5',
      started_after: formatDateTime(MICROS - 9),
      limit: 1000,
    });
    // The row with which the next one begins is in it, too.
    expect(placeBehind(page(6, 4), before as PagePlace)).toMatchObject({ above: 9, from: { before: MICROS - 8 } });
  });

  test('a place further up is found by a row, and the top is where it was', () => {
    const last = ten.pageParams.at(-1) as PagePlace;
    expect(placeAt(last, 13)).toMatchObject({ above: 12 });
    expect(placeAt(last, 0)).toMatchObject({ above: 0, from: { before: MICROS + 1 }, top: { row: { id: 'call-0' } } });
    expect(requestAt(placeAt(last, 0))).toEqual({ started_before: formatDateTime(MICROS + 1) });
    expect(placeBefore(page(0), placeAt(last, 0))).toBeUndefined();
  });
});

test('in an order that is not of time a page is the one that it was, by its cursor', () => {
  const places: PagePlace[] = [TOP];
  for (let at = 0; at < 9; at++) {
    const place = placeBehind(page(3 * at), places.at(-1) ?? TOP, false);
    if (place !== undefined) places.push(place);
  }
  const ten = { pages: places.map(({ above }) => page(above)), pageParams: places };
  const { pages: kept, pageParams } = windowOf(ten, 15, 4);
  const [first = page(0)] = kept;
  const before = placeBefore(first, pageParams[0] ?? TOP, false) ?? TOP;
  expect(before).toMatchObject({ above: 6 });
  expect(requestAt(before)).toEqual({ cursor: 'behind 5' });
  expect(requestAt(placeAt(before, 0))).toEqual({});
  const base = baseOf(kept, false, pageParams);
  expect(base).toMatchObject({ above: 9, firstAskedAt: 0, top: undefined });
  expect(countAbove(NOTHING_TOLD, base)).toBe(9);
  expect(ids(rowsOf(NOTHING_TOLD, base))).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
});

describe('a list of which a part is kept', () => {
  const { pages: kept, pageParams } = windowOf(pages(10), 15, 4);
  const base = baseOf(kept, true, pageParams);

  test('says how many rows are above it, and when its top was read', () => {
    expect(base).toMatchObject({ above: 9, firstAskedAt: 0, top: { row: { id: 'call-0' } } });
    expect(ids(rowsOf(NOTHING_TOLD, base))).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(countAbove(NOTHING_TOLD, base)).toBe(9);
    expect(ids(newestOf(NOTHING_TOLD, base, base.rows))).toEqual([0]);
  });

  test('a call that changed above it is not new, one that began since is, and one in between is', () => {
    const waiting = (rows: readonly CallRow[]) =>
      ids(arrive(NOTHING_TOLD, base, { rows, at: 100, isHeld: true }).waiting.map((each) => each.row));
    expect(waiting([row(0), row(4), row(8), row(-1)])).toEqual([-1]);
    expect(waiting([row(30)])).toEqual([]);
  });

  test('what came on top before is above it, and counted', () => {
    const whole = pages(10);
    const first = baseOf(whole.pages, true, whole.pageParams);
    const came = arrive(NOTHING_TOLD, first, { rows: [row(-1), row(-2)], at: 50, isHeld: false });
    const cut = rebase(came, base, () => true);
    expect(ids(rowsOf(cut, base))[0]).toBe(9);
    expect(countAbove(cut, base)).toBe(11);
    expect(ids(newestOf(cut, base, base.rows))).toEqual([-2]);
    expect(cut.waiting).toEqual([]);
    // They are there again with the top.
    const again = rebase(cut, first, () => true);
    expect(ids(rowsOf(again, first)).slice(0, 4)).toEqual([-2, -1, 0, 1]);
  });
});

test('in another order, what waits is new until every page has been read again', () => {
  const { pages: read, pageParams } = pages(4);
  const again = [{ ...(read[0] ?? page(0)), askedAt: 1000 }, ...read.slice(1)];
  expect(baseOf(again, true, pageParams).firstAskedAt).toBe(1000);
  expect(baseOf(again, false, pageParams).firstAskedAt).toBe(PAGE);
});
