import { describe, expect, test } from 'vitest';
import { formatDateTime } from '../../../src/protocol/values/date-time.ts';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import type { RowsPage } from '../../../src/ui/data/page-place.ts';
import { baseOf } from '../../../src/ui/calls/list/list-base.ts';
import {
  arrive,
  foldedPage,
  FOLDED_ROWS,
  hasGap,
  type LiveRows,
  MAX_KEPT,
  MAX_UNREAD,
  NOTHING_TOLD,
  rebase,
  release,
  rowsOf,
  tell,
} from '../../../src/ui/calls/list/live-rows.ts';

const MICROS = Date.parse('2026-11-25T12:00:00Z') * 1000;
const ids = (rows: readonly CallRow[]) => rows.map(({ id }) => id);
const yes = () => true;

/** Call `n` began `n` microseconds after the first one. */
function call(n: number, more: Partial<CallRow> = {}): CallRow {
  return {
    id: `call-${n}`,
    started_at: formatDateTime(MICROS + n),
    ended_at: null,
    state: 'running',
    ...more,
  } as CallRow;
}

function page(rows: readonly CallRow[], more: Partial<RowsPage> = {}): RowsPage {
  return { rows: [...rows], next_cursor: null, askedAt: 0, ...more };
}

describe('a list that is told of calls', () => {
  const base = baseOf([page([call(5), call(3)], { next_cursor: 'behind 3' })], true);

  test('has new ones on top and changed ones in their place', () => {
    let live = arrive(NOTHING_TOLD, base, { rows: [call(7), call(9)], at: 1, isHeld: false });
    live = tell(
      live,
      base,
      { rows: [call(3, { state: 'success' }), call(9, { state: 'error' })], gone: [], at: 2 },
      false,
    );
    expect(rowsOf(live, base).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'call-9 error',
      'call-7 running',
      'call-5 running',
      'call-3 success',
    ]);
  });

  test('has a call that is told late where it began, also when one of the instants has no fraction', () => {
    const whole = baseOf([page([call(2_000_001), call(1_999_999)])], true);
    const live = arrive(NOTHING_TOLD, whole, { rows: [call(2_000_000)], at: 1, isHeld: false });
    expect(ids(rowsOf(live, whole))).toEqual(['call-2000001', 'call-2000000', 'call-1999999']);
  });

  test('leaves a call to the page that it is in', () => {
    expect(arrive(NOTHING_TOLD, base, { rows: [call(2)], at: 1, isHeld: false })).toBe(NOTHING_TOLD);
    const whole = baseOf([page([call(5), call(3)])], true);
    const live = arrive(NOTHING_TOLD, whole, { rows: [call(2)], at: 1, isHeld: false });
    expect(ids(rowsOf(live, whole))).toEqual(['call-5', 'call-3', 'call-2']);
  });

  test('has a call that came while its page was on the way, and is not in it', () => {
    const told = tell(NOTHING_TOLD, base, { rows: [call(2), call(1)], gone: [], at: 8 }, true);
    const longer = baseOf([...pagesOf(base.rows), page([call(0)], { askedAt: 7 })], true);
    const live = release(rebase(told, longer, ({ id }) => id === 'call-2'));
    expect(ids(rowsOf(live, longer))).toEqual(['call-5', 'call-3', 'call-2', 'call-0']);
  });

  test('is not what was told before it was read', () => {
    const told = tell(NOTHING_TOLD, base, { rows: [call(5, { state: 'error' })], gone: ['call-3'], at: 4 }, false);
    expect(rowsOf(told, base)).toMatchObject([{ id: 'call-5', state: 'error' }]);
    const again = baseOf([page([call(5, { state: 'success' }), call(3)], { askedAt: 5 })], true);
    expect(rowsOf(rebase(told, again, yes), again)).toMatchObject([
      { id: 'call-5', state: 'success' },
      { id: 'call-3' },
    ]);
  });

  test('keeps what was told since an older answer was asked for', () => {
    const news = tell(NOTHING_TOLD, base, { rows: [call(5, { state: 'success' })], gone: ['call-3'], at: 7 }, false);
    const old = { rows: [call(5, { state: 'running' }), call(3)], gone: [], at: 6 };
    expect(rowsOf(tell(news, base, old, false), base)).toMatchObject([{ id: 'call-5', state: 'success' }]);
    const gone = tell(news, base, { rows: [], gone: ['call-5'], at: 6 }, false);
    expect(rowsOf(gone, base)).toMatchObject([{ id: 'call-5', state: 'success' }]);
  });

  test('loses calls that are gone, and has them again when they are back', () => {
    const all = { rows: [call(5), call(8)], gone: [], at: 3 };
    const gone = { rows: [], gone: ['call-8', 'call-5'], at: 2 };
    let live = arrive(NOTHING_TOLD, base, { rows: [call(8)], at: 1, isHeld: false });
    live = tell(live, base, gone, true);
    expect(ids(rowsOf(live, base))).toEqual(['call-3']);
    live = arrive(tell(live, base, all, false), base, { ...all, isHeld: false });
    expect(ids(rowsOf(live, base))).toEqual(['call-8', 'call-5', 'call-3']);
  });

  test('shows nothing of what waits until it is released', () => {
    const held = arrive(NOTHING_TOLD, base, { rows: [call(8)], at: 1, isHeld: true });
    expect(ids(rowsOf(held, base))).toEqual(['call-5', 'call-3']);
    expect(ids(rowsOf(release(held), base))).toEqual(['call-8', 'call-5', 'call-3']);
  });
});

describe('a list that is live for long', () => {
  const MESSAGES = 400;

  /** What a page does with each message, 125 new calls at a time, each of which ends in the next one. */
  function follow(
    messages: number,
    isHeld: boolean,
  ): { readonly live: LiveRows; readonly sizes: number[]; shown: CallRow[] } {
    let base = baseOf([page([call(0)], { next_cursor: 'behind' })], true);
    let live = NOTHING_TOLD;
    const sizes: number[] = [];
    for (let at = 1; at <= messages; at++) {
      const fresh = Array.from({ length: 125 }, (_, index) => call(at * 125 + index));
      const ended = Array.from({ length: 125 }, (_, index) => call((at - 1) * 125 + index, { state: 'success' }));
      live = tell(live, base, { rows: [...ended, ...fresh], gone: [], at }, false);
      live = arrive(live, base, { rows: fresh, at, isHeld });
      const folded = isHeld ? undefined : foldedPage(live, base, at + 0.5);
      if (folded !== undefined) {
        base = baseOf([folded], true);
        live = rebase(live, base, yes);
      }
      sizes.push(live.arrived.length + live.waiting.length + live.told.size + base.rows.length);
    }
    return { live, sizes, shown: [...rowsOf(live, base)] };
  }

  test.each([false, true])('keeps no more than can be shown (rows wait: %s)', (isHeld) => {
    const { sizes } = follow(MESSAGES, isHeld);
    expect(Math.max(...sizes.slice(MESSAGES / 2))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 50)));
    expect(Math.max(...sizes)).toBeLessThan(2 * (MAX_KEPT + 125) + FOLDED_ROWS);
  });

  test('shows the newest ones without a hole, each in its newest form', () => {
    const { shown } = follow(MESSAGES, false);
    expect(shown.length).toBeGreaterThanOrEqual(FOLDED_ROWS);
    const last = MESSAGES * 125 + 124;
    expect(ids(shown)).toEqual(shown.map((_, index) => `call-${last - index}`));
    expect(shown.slice(0, 125).every(({ state }) => state === 'running')).toBe(true);
    expect(shown.slice(125).every(({ state }) => state === 'success')).toBe(true);
  });

  test('goes on behind the last row that it kept', () => {
    const base = baseOf([page([])], true);
    const rows = Array.from({ length: MAX_KEPT + 1 }, (_, index) => call(index));
    const live = arrive(NOTHING_TOLD, base, { rows, at: 1, isHeld: false });
    const folded = foldedPage(live, base, 2);
    const last = rows[MAX_KEPT + 1 - FOLDED_ROWS];
    expect(folded?.rows.at(-1)).toEqual(last);
    // Inclusive: others may have begun in the same microsecond.
    expect(folded?.nextBefore).toBe(MICROS + MAX_KEPT + 1 - FOLDED_ROWS + 1);
  });

  test('says that more wait than are kept, until it is read again', () => {
    const base = baseOf([page([call(0)])], true);
    const wait = (live: LiveRows, from: number, at: number) =>
      arrive(live, base, {
        rows: Array.from({ length: MAX_KEPT }, (_, index) => call(from + index)),
        at,
        isHeld: true,
      });
    const full = wait(NOTHING_TOLD, 1, 1);
    expect(hasGap(full, base)).toBe(false);
    const more = wait(full, 1 + MAX_KEPT, 2);
    expect(hasGap(more, base)).toBe(true);
    expect(more.waiting[0]?.row.id).toBe(`call-${2 * MAX_KEPT}`);
    // Read while further ones came: those are kept.
    const newest = baseOf([page([call(MAX_KEPT + 1)], { askedAt: 1.5, next_cursor: 'behind' })], true);
    const left = rebase(more, newest, yes);
    expect(hasGap(left, newest)).toBe(false);
    expect(ids(rowsOf(release(left), newest))).toHaveLength(MAX_KEPT);
  });

  test('is read again when more changed than is kept while a page was on its way', () => {
    const base = baseOf([page([call(0)], { next_cursor: 'behind' })], true);
    const changes = (size: number) => Array.from({ length: size }, (_, index) => call(-index - 1));
    const full = tell(NOTHING_TOLD, base, { rows: changes(MAX_UNREAD), gone: [], at: 1 }, true);
    expect(hasGap(full, base)).toBe(false);
    const more = tell(full, base, { rows: changes(MAX_UNREAD + 3 * MAX_KEPT), gone: [], at: 2 }, true);
    expect(hasGap(more, base)).toBe(true);
    expect(more.told.size).toBe(0);
  });

  test('does no work for calls that it does not show', () => {
    const base = baseOf([page([call(5)], { next_cursor: 'behind' })], true);
    const live = arrive(NOTHING_TOLD, base, { rows: [call(6)], at: 1, isHeld: false });
    expect(tell(live, base, { rows: [call(1, { state: 'error' })], gone: ['call-2'], at: 2 }, false)).toBe(live);
  });
});

function pagesOf(rows: readonly CallRow[]): readonly RowsPage[] {
  return [page(rows)];
}
