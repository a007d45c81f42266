import { usageRoots } from '../../protocol/usage-roots.ts';
import type { CallFact } from '../../storage/contract/calls.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { lookAbove } from './above-calls.ts';
import { CostTally } from './cost-tally.ts';
import { type EndedUsage, endedUsageOf, keyOf } from '../ingest/calls/ended-usage.ts';
import { withRoles } from '../with-roles.ts';
import { NotingCalls } from './noting-calls.ts';
import { MAX_READ, openPricedRead, type PricedCall, type PricedRead } from './priced-read.ts';
import type { DefaultPrices } from '../query/read/price.ts';
import { RecentlyCounted } from './recently-counted.ts';
import { groupsOf, isLast, type Waiting } from './waiting-usage.ts';

/** Ended usage waits here for the next scrape; more than this is not counted, and that is. */
const MAX_WAITING = 10_000;
/** So many of them may wait for what runs above them, and so long: who never ends tells nothing. */
const MAX_HELD = 5000;
const HOLD_MS = 3_600_000;
/** A scrape takes no longer than this and the last read; what is left over waits for the next one. */
const SCRAPE_MS = 2000;

/**
 * Counts what calls cost that have ended since the service was started. Writes only note which calls those are; they
 * are read and priced when somebody asks, so that a service whose `/metrics` nobody reads pays nothing for it. Nothing
 * but numbers is kept of what is read.
 */
export class CostCounts {
  readonly tally = new CostTally();
  readonly #storage: Pick<Storage, 'calls' | 'costs'>;
  readonly #defaults: DefaultPrices;
  readonly #onError: (error: unknown) => void;
  /** Usage that is being counted stays here until it is, so that nothing that is sent again meanwhile counts twice. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #counted = new RecentlyCounted();
  #heldCount = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(storage: Pick<Storage, 'calls' | 'costs'>, defaults: DefaultPrices, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#defaults = defaults;
    this.#onError = onError;
  }

  /** The storage, with its writes noted. */
  watch(storage: Storage): Storage {
    const onWritten = (facts: readonly CallFact[]) => this.note(endedUsageOf(facts));
    return withRoles(storage, { calls: new NotingCalls(storage.calls, { onWritten }) });
  }

  /** Counts what waits, as far as there is time. All that ask meanwhile share one count after it. */
  async catchUp(): Promise<void> {
    this.#next ??= this.#countAfter(this.#running);
    await this.#next;
  }

  async #countAfter(running: Promise<void>): Promise<void> {
    await running;
    this.#running = this.#next ?? running;
    this.#next = undefined;
    await this.#countAll();
  }

  /** Keeps what has ended for the next scrape. */
  note(ended: readonly EndedUsage[]): void {
    for (const one of ended) this.#wait(one);
  }

  #wait(one: EndedUsage): void {
    const key = keyOf(one);
    const known = this.#waiting.get(key);
    if (one.kind === 'call' && (known !== undefined || this.#counted.hasCall(key))) return;
    // A trace that is being read may be without what has come now.
    if (known === undefined && this.#waiting.size >= MAX_WAITING) this.tally.uncountedCalls += 1;
    else this.#waiting.set(key, { ...one, attempts: known?.attempts ?? 0 });
  }

  async #countAll(): Promise<void> {
    const end = performance.now() + SCRAPE_MS;
    const waiting = [...this.#waiting.values()];
    this.#heldCount = waiting.filter(({ heldSince }) => heldSince !== undefined).length;
    for (const entries of groupsOf(waiting)) {
      await this.#tryToCount(entries);
      if (performance.now() >= end) return;
    }
  }

  /** A storage that cannot be read must not take the other metrics along. */
  async #tryToCount(entries: readonly Waiting[]): Promise<void> {
    const [first] = entries;
    if (first === undefined) return;
    try {
      const read = await openPricedRead(this.#storage, first.projectId, this.#defaults);
      if (first.kind === 'call') await this.#countCalls(read, entries);
      else await this.#countTrace(read, first);
    } catch (error) {
      // What was not reached in time has not been tried.
      if (entries.some((entry) => this.#waiting.get(keyOf(entry)) !== entry)) return;
      this.#onError(error);
    }
    // Those that were counted wait no more.
    for (const entry of entries) this.#again(entry);
  }

  /** Clients of ours add up, and others do not: a call counts when nothing above it that this service knows has usage. */
  async #countCalls(read: PricedRead, entries: readonly Waiting[]): Promise<void> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const due: string[] = [];
    for (const [id, above] of await lookAbove(read, [...byId.keys()])) {
      const entry = byId.get(id);
      if (entry === undefined) continue;
      if (above === 'user') this.#endWait(entry, false);
      else if (above === 'running') this.#hold(entry);
      // What is above may come later, and what has ended may end anew, with sums.
      else if (above === 'root' || isLast(entry)) due.push(id);
    }
    for await (const { id, costs } of read.priced({ callIds: due })) {
      const entry = byId.get(id);
      if (costs) this.tally.add(costs);
      if (entry) this.#endWait(entry, true);
    }
  }

  /** Behind those that were noted later, so that these have their turn. */
  #hold(entry: Waiting): void {
    const now = performance.now();
    const { heldSince = now } = entry;
    if (entry.heldSince === undefined) this.#heldCount += 1;
    if (this.#heldCount > MAX_HELD || now - heldSince > HOLD_MS) {
      this.#heldCount -= 1;
      this.#endWait(entry, false);
      this.tally.uncountedCalls += 1;
      return;
    }
    const key = keyOf(entry);
    this.#waiting.delete(key);
    this.#waiting.set(key, { ...entry, attempts: 0, heldSince });
  }

  #endWait(entry: Waiting, isCounted: boolean): void {
    const key = keyOf(entry);
    this.#counted.addCall(key, isCounted);
    this.#waiting.delete(key);
  }

  /** A trace is counted again when more of it has come; then what it has more is added. */
  async #countTrace(read: PricedRead, entry: Waiting): Promise<void> {
    const filter = { traceIds: [entry.id] };
    const calls: PricedCall[] = [];
    for await (const call of read.priced(filter)) calls.push(call);
    if (!isLast(entry) && !calls.some((call) => call.parent_id === null)) return;
    const now = new CostTally();
    now.uncountedCalls = calls.length < MAX_READ ? 0 : (await read.count(filter)) - calls.length;
    const spans = new Set(calls.filter(({ isSpan }) => isSpan).map(({ id }) => id));
    for (const { id, parent_id: parentId, costs } of usageRoots(calls, (call) => call.costs !== undefined)) {
      // Calls whose client adds up are in the sums of one of them, which counts by itself, unless that is below a span.
      if (!spans.has(id) && (parentId === null || !spans.has(parentId))) continue;
      const key = keyOf({ ...entry, kind: 'call', id });
      if (costs && !this.#waiting.has(key) && !this.#counted.wasCounted(key)) now.add(costs);
    }
    const key = keyOf(entry);
    this.tally.addGrowth(now, this.#counted.traceOf(key));
    this.#counted.addTrace(key, now);
    if (this.#waiting.get(key) === entry) this.#waiting.delete(key);
  }

  /** Leaves what could not be counted to the next scrape, or says so. */
  #again(entry: Waiting): void {
    const key = keyOf(entry);
    if (this.#waiting.get(key) !== entry) return;
    if (!isLast(entry)) {
      this.#waiting.set(key, { ...entry, attempts: entry.attempts + 1 });
      return;
    }
    this.#waiting.delete(key);
    this.tally.uncountedCalls += 1;
  }
}
