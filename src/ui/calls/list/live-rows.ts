import type { CallRow } from '../../data/answers.ts';
import { microsOf, type RowsPage } from '../../data/page-place.ts';
import { type ListBase, newestFirst } from './list-base.ts';

/** New rows that are kept on top of those that were read, and as many that wait. */
export const MAX_KEPT = 1000;
/** Rows that stay of a list that has grown beyond it: further ones are read again when one scrolls to them. */
export const FOLDED_ROWS = 400;
/** Changes of calls in pages that are on their way. Beyond so many the list is read again. */
export const MAX_UNREAD = 20_000;

/** A call in its newest form, or that it is there no more, and when that was told. */
interface Told {
  readonly row: CallRow | undefined;
  readonly at: number;
}

interface ArrivedRow {
  readonly row: CallRow;
  readonly at: number;
}

/**
 * News of a list since it was read. It is bounded, however long and fast the list grows: of what waits the newest
 * are kept, and what is shown is made the base of the list from time to time. Each message makes a new one.
 *
 * Instants are those of a clock that never goes back, in milliseconds.
 */
export interface LiveRows {
  /** On top of what was read, or between it where calls are told late; the newest first. */
  readonly arrived: readonly ArrivedRow[];
  /** Not shown yet, the newest first. */
  readonly waiting: readonly ArrivedRow[];
  /** When the last of the calls came that are neither shown nor kept. */
  readonly cutAt: number;
  readonly told: ReadonlyMap<string, Told>;
}

export const NOTHING_TOLD: LiveRows = { arrived: [], waiting: [], cutAt: -Infinity, told: new Map() };

export interface Message {
  readonly rows: readonly CallRow[];
  readonly gone: readonly string[];
  readonly at: number;
}

/** Keeps what a message says of rows of the list, and while pages are on their way of all that may be in them. */
export function tell(live: LiveRows, base: ListBase, message: Message, isReading: boolean): LiveRows {
  const { at } = message;
  const all: readonly (readonly [string, Told])[] = [
    ...message.rows.map((row) => [row.id, { row, at }] as const),
    ...message.gone.map((id) => [id, { row: undefined, at }] as const),
  ];
  const isKnown = knownOf(live, base);
  // An answer may come behind what was told since it was asked for.
  const news = all.filter(([id]) => (live.told.get(id)?.at ?? at) <= at);
  const kept = isReading ? news : news.filter(([id]) => isKnown(id));
  if (kept.length === 0) return live;
  const told = new Map([...live.told, ...kept]);
  if (told.size > base.askedAt.size + 2 * MAX_KEPT + MAX_UNREAD)
    return { ...prune({ ...live, told }, base), cutAt: at };
  const gone = new Set(kept.flatMap(([id, { row }]) => (row === undefined ? [id] : [])));
  const isThere = ({ row }: ArrivedRow) => !gone.has(row.id);
  return {
    ...live,
    told,
    ...(gone.size > 0 && { arrived: live.arrived.filter(isThere), waiting: live.waiting.filter(isThere) }),
  };
}

/** Is a call in the list, or waiting for it? */
export function knownOf(live: LiveRows, base: ListBase): (id: string) => boolean {
  const ids = new Set([...live.arrived, ...live.waiting].map(({ row }) => row.id));
  return (id) => base.askedAt.has(id) || ids.has(id);
}

export interface Arrival {
  /** Rows that belong to the list. */
  readonly rows: readonly CallRow[];
  readonly at: number;
  /** They have to wait. */
  readonly isHeld: boolean;
}

/** Takes up those rows that are new. Such as lie behind what was read come with the page that they are in. */
export function arrive(live: LiveRows, base: ListBase, { rows, at, isHeld }: Arrival): LiveRows {
  const isKnown = knownOf(live, base);
  const fresh = rows
    .filter((row) => !isKnown(row.id) && isAbove(row, base) && !isLeftOut(row, base))
    .map((row) => ({ row, at }));
  if (fresh.length === 0) return live;
  // One that was gone may be back.
  const again = fresh.filter(({ row }) => live.told.has(row.id));
  const told =
    again.length === 0 ? live.told : new Map([...live.told, ...again.map((each) => [each.row.id, each] as const)]);
  if (!isHeld && live.waiting.length === 0) return { ...live, told, arrived: merged(live.arrived, fresh) };
  return cut({ ...live, told, waiting: merged(live.waiting, fresh) });
}

/** The oldest of too many that wait are not kept. */
function cut(live: LiveRows): LiveRows {
  const left = live.waiting.slice(MAX_KEPT);
  if (left.length === 0) return live;
  const ids = new Set(left.map(({ row }) => row.id));
  const told = new Map([...live.told].filter(([id]) => !ids.has(id)));
  const cutAt = left.reduce((last, { at }) => Math.max(last, at), live.cutAt);
  return { ...live, told, waiting: live.waiting.slice(0, MAX_KEPT), cutAt };
}

/** Calls came that are not known: from here on the list has a gap until it is read again. */
export function miss(live: LiveRows, at: number): LiveRows {
  return { ...live, cutAt: at };
}

/** There are calls on top of the list that are not kept here. */
export function hasGap({ cutAt }: LiveRows, { firstAskedAt }: ListBase): boolean {
  return cutAt >= firstAskedAt;
}

/** Shows what waits. */
export function release(live: LiveRows): LiveRows {
  return { ...live, arrived: merged(live.arrived, live.waiting), waiting: [] };
}

/**
 * News left when the base is another: that has what was told before it was asked for. `belongs` says which of the calls
 * that changed meanwhile are in the list.
 */
export function rebase(live: LiveRows, base: ListBase, belongs: (row: CallRow) => boolean): LiveRows {
  const isLeft = ({ row, at }: ArrivedRow) =>
    at >= base.firstAskedAt && !base.askedAt.has(row.id) && isAbove(row, base) && !isLeftOut(row, base);
  const left = { ...live, arrived: live.arrived.filter(isLeft), waiting: live.waiting.filter(isLeft) };
  const isKnown = knownOf(left, base);
  const late = [...live.told].filter(([id, { at }]) => !isKnown(id) && at >= base.firstAskedAt);
  const rows = late.flatMap(([, { row }]) => (row !== undefined && belongs(row) ? row : []));
  const at = late.reduce((last, [, each]) => Math.max(last, each.at), -Infinity);
  return arrive(prune(left, base), base, { rows, at, isHeld: true });
}

/** Rows that wait, each in its newest form. */
export function waitingOf({ waiting, told }: LiveRows): readonly CallRow[] {
  return waiting.map(({ row }) => told.get(row.id)?.row ?? row);
}

function isAbove(row: CallRow, { end }: ListBase): boolean {
  return end === undefined || newestFirst(row, end) < 0;
}

/** Is it among the rows that were read and are kept no more? It comes with them when they are read again. */
function isLeftOut(row: CallRow, { rows: [first], top }: ListBase): boolean {
  if (top === undefined || first === undefined) return false;
  return newestFirst(row, first) < 0 && newestFirst(row, top.row) >= 0;
}

/** Rows of the list above those that are there, with such as came on its top. */
export function countAbove({ arrived }: LiveRows, { above, top }: ListBase): number {
  return above + (top === undefined ? 0 : arrived.filter(({ row }) => newestFirst(row, top.row) < 0).length);
}

/** The rows from the top of the list on, as far as they are there: at least the first. */
export function newestOf({ arrived }: LiveRows, { top }: ListBase, rows: readonly CallRow[]): readonly CallRow[] {
  if (top === undefined) return rows;
  const [newest] = arrived;
  return [newest !== undefined && newestFirst(newest.row, top.row) < 0 ? newest.row : top.row];
}

/** Without what was told of calls that are not in the list, or before they were read. */
function prune(live: LiveRows, base: ListBase): LiveRows {
  const ids = new Set([...live.arrived, ...live.waiting].map(({ row }) => row.id));
  const isWanted = ([id, { at }]: readonly [string, Told]) => ids.has(id) || at >= (base.askedAt.get(id) ?? Infinity);
  return { ...live, told: new Map([...live.told].filter(isWanted)) };
}

/** The rows of the list as they are now, without those that wait. */
export function rowsOf(live: LiveRows, base: ListBase): readonly CallRow[] {
  const { arrived, told } = live;
  const { top: first } = base;
  // What came on top of rows that are not kept is not there either.
  const shownHere = arrived.filter(({ row }) => first === undefined || newestFirst(row, first.row) >= 0);
  const top = shownHere.map(({ row }) => row);
  const shown = mergedBy(top, base.rows, newestFirst);
  return shown.flatMap((row) => {
    const newer = told.get(row.id);
    if (newer === undefined || newer.at < (base.askedAt.get(row.id) ?? -Infinity)) return [row];
    return newer.row ?? [];
  });
}

/**
 * The newest rows as a page, in the place of all that was read: what lies behind is read again by page. Undefined as long as
 * there are not too many.
 */
export function foldedPage(live: LiveRows, base: ListBase, at: number): RowsPage | undefined {
  if (live.arrived.length <= MAX_KEPT || base.top !== undefined) return undefined;
  const rows = rowsOf(live, base).slice(0, FOLDED_ROWS);
  const last = rows.at(-1);
  return { rows: [...rows], next_cursor: null, askedAt: at, ...(last && { nextBefore: microsOf(last) + 1 }) };
}

function merged(left: readonly ArrivedRow[], right: readonly ArrivedRow[]): readonly ArrivedRow[] {
  const sorted = [...right].sort((a, b) => newestFirst(a.row, b.row));
  return mergedBy(left, sorted, (a, b) => newestFirst(a.row, b.row));
}

/** Two lists of one order as one. */
function mergedBy<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): readonly Item[] {
  if (left.length === 0) return right;
  const all: Item[] = [];
  let at = 0;
  for (const [index, item] of right.entries()) {
    for (; at < left.length && compare(left[at] as Item, item) < 0; at++) all.push(left[at] as Item);
    if (at === left.length) return [...all, ...right.slice(index)];
    all.push(item);
  }
  return [...all, ...left.slice(at)];
}
