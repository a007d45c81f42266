import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { CallRow, CallsSelection } from '../../data/answers.ts';
import { newestPage, PAGE_ROWS, rowsAmong } from '../../data/call-rows.ts';
import type { Changes } from '../../data/change-stream.ts';
import { inParts } from '../../data/in-parts.ts';
import { microsOf, type PagePlace, type RowsPage, TOP } from '../../data/page-place.ts';
import { baseOf, type ListBase } from './list-base.ts';
import {
  arrive,
  foldedPage,
  hasGap,
  knownOf,
  type LiveRows,
  MAX_KEPT,
  miss,
  NOTHING_TOLD,
  rebase,
  release,
  rowsOf,
  tell,
} from './live-rows.ts';

export interface LiveListOptions {
  readonly client: QueryClient;
  readonly selection: CallsSelection | undefined;
  /** The key that its pages are kept under. */
  readonly key: QueryKey;
  /** Its rows are sorted by when they began, the newest first. In another order new rows never come by themselves. */
  readonly isByTime: boolean;
}

/** The news of a list, and the base that it was told on top of. */
export interface ToldList {
  readonly rows: LiveRows;
  readonly base: ListBase;
}

/** New rows that are asked for when some may have been missed. */
const NEWEST = 50;

/** A list that is open: takes what is told of it, and has read again what was not told. */
export class LiveList {
  readonly #options: LiveListOptions;
  /** Calls of pages that may have left, of a list whose order says of no call where it was. */
  readonly #seen = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #told: ToldList = { rows: NOTHING_TOLD, base: baseOf([], true) };
  #isHeld = true;
  #isReadingAgain = false;
  /** Calls of which the service is asked next whether they belong here. */
  #unsure = new Set<string>();
  #isAsking = false;
  /** Of the calls that run, so many were asked about in this turn. */
  #runningFrom = 0;

  constructor(options: LiveListOptions) {
    this.#options = options;
  }

  readonly told = (): ToldList => this.#told;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  /** The news, on top of the rows that may have been read since. */
  on(base: ListBase, { rows, base: was }: ToldList = this.#told): ToldList {
    if (was === base) return { rows, base };
    return { rows: rebase(rows, base, (row) => !this.#isAsked && this.#mayBeNew(row)), base };
  }

  /** New rows wait, or not; then what waits is shown. */
  read(base: ListBase, isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!this.#options.isByTime) for (const { id } of base.rows) this.#seen.add(id);
    if (base !== this.#told.base) this.#keep(this.on(base).rows, base);
    this.#arrange();
  }

  /** Shows what waits. Rejects where more waits than is kept, and it cannot be read. */
  async show(): Promise<void> {
    if (hasGap(this.#told.rows, this.#told.base)) await this.#readAgain(() => true);
    else this.#keep(release(this.#told.rows));
  }

  take({ rows, gone, hasMissed }: Omit<Changes, 'feedback'>): void {
    const at = performance.now();
    const { client, key } = this.#options;
    const { base } = this.#told;
    this.#keep(tell(this.#told.rows, base, { rows, gone, at }, client.isFetching({ queryKey: key, exact: true }) > 0));
    const fresh = rows.filter((row) => this.#mayBeNew(row));
    if (this.#isAsked) this.#askWhether(fresh);
    else this.#arrive(fresh, at);
    if (hasMissed) void this.catchUp(true);
    this.#arrange();
  }

  /**
   * Reads what may not have been told. `mayBeGone`: also whether calls of the list are still there, and as they were; of a long
   * list those that came last.
   */
  async catchUp(mayBeGone = false): Promise<void> {
    const { selection } = this.#options;
    if (selection === undefined) return;
    try {
      await Promise.all([this.#readNewest(selection), this.#readKept(selection, mayBeGone)]);
    } catch {
      // A service that is gone is told by others, and the list is read again when it is back.
      this.#miss(performance.now());
    }
    this.#arrange();
  }

  /**
   * Reads calls whose feedback is another. `mayMove`: whether they are in the list may have changed, and
   * those that are not leave it; else they stay where they are. Returns those that could be read.
   */
  async readTouched(callIds: readonly string[], mayMove = false): Promise<readonly string[]> {
    const { selection } = this.#options;
    const ids = mayMove ? callIds : callIds.filter(knownOf(this.#told.rows, this.#told.base));
    if (selection === undefined || ids.length === 0) return [];
    const read: string[] = [];
    try {
      // So many at a time as are asked for elsewhere: feedback may be given to all that one has scrolled through.
      for (const part of inParts(ids, MAX_KEPT)) {
        await this.#readThese(selection, part, mayMove);
        read.push(...part);
      }
    } catch {
      // As above: a service that is gone is told by others.
    }
    this.#arrange();
    return read;
  }

  /** Asks whether calls that run still do: that a program is gone changes nothing that could be told. Says if one does not. */
  async readRunning(): Promise<boolean> {
    const { selection } = this.#options;
    const running = this.#running();
    if (selection === undefined || running.length === 0) return false;
    const { project_id } = selection;
    try {
      await this.#readThese({ project_id }, this.#inTurn(running));
    } catch {
      // As above: a service that is gone is told by others.
      return false;
    }
    this.#arrange();
    const still = new Set(this.#running());
    return running.some((id) => !still.has(id));
  }

  /** As many as one question asks for; where more run, the next ones the next time. */
  #inTurn(running: readonly string[]): readonly string[] {
    const from = this.#runningFrom < running.length ? this.#runningFrom : 0;
    this.#runningFrom = from + PAGE_ROWS;
    return running.slice(from, from + PAGE_ROWS);
  }

  #running(): readonly string[] {
    const { rows, base } = this.#told;
    return rowsOf(rows, base).flatMap(({ id, state }) => (state === 'running' ? id : []));
  }

  async #readNewest(selection: CallsSelection): Promise<void> {
    if (!this.#options.isByTime) return;
    const page = await newestPage(selection, NEWEST);
    const isKnown = knownOf(this.#told.rows, this.#told.base);
    const isWhole = page.next_cursor === null || page.rows.some(({ id }) => isKnown(id));
    if (isWhole) this.#arrive(page.rows, page.askedAt);
    else this.#miss(page.askedAt);
  }

  /** Those that have no end may have ended unheard, and all may be there no more. */
  async #readKept(selection: CallsSelection, mayBeGone: boolean): Promise<void> {
    const { rows, base } = this.#told;
    const open = rowsOf(rows, base).filter((row) => mayBeGone || row.ended_at === null);
    const ids = open.slice(0, MAX_KEPT).map(({ id }) => id);
    // One question after another, those on top first: a slow service has others to answer, too.
    for (const part of inParts(ids, PAGE_ROWS)) await this.#readThese(selection, part);
  }

  /** Whether they are in the list is asked only where `mayMove`. */
  async #readThese(selection: CallsSelection, ids: readonly string[], mayMove = false): Promise<void> {
    const at = performance.now();
    const { project_id } = selection;
    const found = await rowsAmong(mayMove ? selection : { project_id }, ids);
    const there = new Set(found.map(({ id }) => id));
    const gone = ids.filter((id) => !there.has(id));
    this.#keep(tell(this.#told.rows, this.#told.base, { rows: found, gone, at }, false));
    const fresh = mayMove ? found.filter((row) => this.#mayBeNew(row)) : [];
    if (fresh.length > 0) this.#arrive(fresh, at);
  }

  get #isAsked(): boolean {
    const { selection } = this.#options;
    return selection?.query !== undefined || selection?.filter !== undefined;
  }

  #arrive(rows: readonly CallRow[], at: number): void {
    this.#keep(arrive(this.#told.rows, this.#told.base, { rows, at, isHeld: this.#isHeld }));
  }

  #miss(at: number): void {
    this.#keep(miss(this.#told.rows, at));
  }

  #askWhether(rows: readonly CallRow[]): void {
    const isKnown = knownOf(this.#told.rows, this.#told.base);
    for (const { id } of rows) if (!isKnown(id)) this.#unsure.add(id);
    if (!this.#isAsking) void this.#askUnsure();
  }

  async #askUnsure(): Promise<void> {
    this.#isAsking = true;
    while (this.#unsure.size > 0) {
      const ids = [...this.#unsure];
      this.#unsure = new Set();
      await this.#askAbout(ids, performance.now());
      this.#arrange();
    }
    this.#isAsking = false;
  }

  async #askAbout(ids: readonly string[], at: number): Promise<void> {
    const { selection } = this.#options;
    // More than are kept come with the list when it is read again.
    if (selection === undefined || ids.length > MAX_KEPT) return this.#miss(at);
    try {
      this.#arrive(await rowsAmong(selection, ids), at);
    } catch {
      this.#miss(at);
    }
  }

  /** Brings up to date what is not being read by anybody. */
  #arrange(): void {
    const { rows, base } = this.#told;
    if (this.#isHeld) return;
    // As long as nothing else comes, the gap stays: it is said how many calls wait.
    if (hasGap(rows, base)) void this.#readAgain(() => !this.#isHeld).catch(() => undefined);
    else if (rows.waiting.length > 0) this.#keep(release(rows));
    else if (rows.arrived.length > MAX_KEPT) void this.#fold();
  }

  /** Puts the newest page in the place of all that was read. */
  async #readAgain(isWanted: () => boolean): Promise<void> {
    const { selection } = this.#options;
    if (this.#isReadingAgain || selection === undefined) return;
    this.#isReadingAgain = true;
    try {
      const page = await newestPage(selection, PAGE_ROWS);
      if (isWanted()) await this.#replace(() => page);
    } finally {
      this.#isReadingAgain = false;
    }
    // More may have come than are kept while it was read.
    this.#arrange();
  }

  async #fold(): Promise<void> {
    await this.#replace(() => {
      const { rows, base } = this.#told;
      return this.#isHeld ? undefined : foldedPage(rows, base, performance.now());
    });
  }

  /** A page that is on its way would come behind one that is no more. */
  async #replace(pageOf: () => RowsPage | undefined): Promise<void> {
    const { client, key } = this.#options;
    await client.cancelQueries({ queryKey: key, exact: true });
    const page = pageOf();
    if (page === undefined) return;
    client.setQueryData<InfiniteData<RowsPage, PagePlace>>(key, { pages: [page], pageParams: [TOP] });
    this.read(baseOf([page], true), this.#isHeld);
  }

  #keep(rows: LiveRows, base = this.#told.base): void {
    if (rows === this.#told.rows && base === this.#told.base) return;
    this.#told = { rows, base };
    for (const changed of this.#listeners) changed();
  }

  #mayBeNew(row: CallRow): boolean {
    return this.#mayHold(row) && !this.#seen.has(row.id);
  }

  /** A row may be listed, as far as that can be said without asking the service. */
  #mayHold(row: CallRow): boolean {
    const { selection } = this.#options;
    if (selection?.roots_only === true && row.parent_id !== null) return false;
    const at = microsOf(row) / 1000;
    const { started_after: after, started_before: before } = selection ?? {};
    return (
      at >= (after == null ? -Infinity : Date.parse(after)) && at < (before == null ? Infinity : Date.parse(before))
    );
  }
}
