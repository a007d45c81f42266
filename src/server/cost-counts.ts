import { usageRoots } from '../protocol/usage-roots.ts';
import type { CallPlan } from '../storage/plan.ts';
import type { CallWriter, Storage, StoredCall } from '../storage/storage.ts';
import { type EndedUsage, endedUsageOf, hasUsage } from './ingest/ended-usage.ts';
import { type CallCosts, costsOfCall, openPrices, type PriceFinder } from './query/call-costs.ts';
import type { DefaultPrices, Price } from './query/price.ts';

/** Labels of one sum; none of them is a word of a client. */
export interface CostSum {
  readonly provider: string;
  readonly model: string;
  readonly currency: string;
  amount: number;
}

/** What ended waits here for the next scrape; more than this is not counted, and that is. */
const MAX_WAITING = 10_000;
/** Ends are sent again when an answer is lost: so many calls are remembered as counted. */
const REMEMBERED = 20_000;
const CALLS_PER_READ = 500;
/** Of a trace whose client adds nothing up, so many calls are looked at. */
const CALLS_PER_TRACE = 1000;
/** An end may come before its start: it is looked for at so many scrapes. */
const ATTEMPTS = 2;
const READ_MS = 5000;

interface Waiting extends EndedUsage {
  attempts: number;
}

/**
 * Counts what calls cost that have ended since the service was started. Writes only note which calls those are; they
 * are read and priced when somebody asks, so that a service whose `/metrics` nobody reads pays nothing for it.
 */
export class CostCounts {
  readonly #storage: Pick<Storage, 'calls' | 'costs'>;
  readonly #defaults: DefaultPrices;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #counted = new Set<string>();
  readonly #sums = new Map<string, CostSum>();
  #settling: Promise<void> = Promise.resolve();
  unpricedTokens = 0;
  uncountedCalls = 0;

  constructor(storage: Pick<Storage, 'calls' | 'costs'>, defaults: DefaultPrices, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#defaults = defaults;
    this.#onError = onError;
  }

  get sums(): Iterable<CostSum> {
    return this.#sums.values();
  }

  /** The storage, with its writes noted. */
  watch<Watched extends Pick<Storage, 'calls'>>(storage: Watched): Watched {
    const write: CallWriter['write'] = async (facts) => {
      const written = await storage.calls.write(facts);
      this.note(endedUsageOf(facts));
      return written;
    };
    return replacing(storage, 'calls', replacing(storage.calls, 'write', write));
  }

  /** Counts what waits. Several that ask at once share the work. */
  async settle(): Promise<void> {
    this.#settling = this.#settling.then(async () => await this.#countAll());
    await this.#settling;
  }

  /** Keeps what has ended for the next scrape. */
  note(ended: readonly EndedUsage[]): void {
    for (const one of ended) this.#wait({ ...one, attempts: 0 });
  }

  #wait(waiting: Waiting): void {
    const key = JSON.stringify([waiting.kind, waiting.projectId, waiting.id]);
    if (this.#counted.has(key) || this.#waiting.has(key)) return;
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, waiting);
    else this.uncountedCalls += 1;
  }

  async #countAll(): Promise<void> {
    const due = [...this.#waiting];
    this.#waiting.clear();
    const byProject = new Map<string, [string, Waiting][]>();
    for (const entry of due) {
      const others = byProject.get(entry[1].projectId);
      if (others) others.push(entry);
      else byProject.set(entry[1].projectId, [entry]);
    }
    for (const [projectId, entries] of byProject) {
      for (let index = 0; index < entries.length; index += CALLS_PER_READ) {
        await this.#tryToCount(projectId, entries.slice(index, index + CALLS_PER_READ));
      }
    }
  }

  /** A storage that cannot be read must not take the other metrics along. */
  async #tryToCount(projectId: string, chunk: readonly (readonly [string, Waiting])[]): Promise<void> {
    try {
      await this.#countChunk(projectId, chunk);
    } catch (error) {
      this.uncountedCalls += chunk.length;
      this.#onError(error);
    }
  }

  async #countChunk(projectId: string, chunk: readonly (readonly [string, Waiting])[]): Promise<void> {
    const prices = await openPrices(this.#storage.costs, projectId, this.#defaults);
    const ids = chunk.flatMap(([, { kind, id }]) => (kind === 'call' ? [id] : []));
    const calls = ids.length === 0 ? [] : await this.#read(projectId, { callIds: ids }, ids.length);
    const byId = new Map(calls.map((call) => [call.id, call]));
    for (const [key, waiting] of chunk) {
      const found = waiting.kind === 'call' ? byId.get(waiting.id) : await this.#readTrace(waiting);
      this.#count(key, waiting, found, prices);
    }
  }

  async #readTrace({ projectId, id }: Waiting): Promise<StoredCall[]> {
    const calls = await this.#read(projectId, { traceIds: [id] }, CALLS_PER_TRACE);
    return usageRoots(calls, (call) => hasUsage(call));
  }

  #count(
    key: string,
    waiting: Waiting,
    found: StoredCall | readonly StoredCall[] | undefined,
    prices: PriceFinder,
  ): void {
    if (found === undefined) {
      if (waiting.attempts + 1 < ATTEMPTS) this.#waiting.set(key, { ...waiting, attempts: waiting.attempts + 1 });
      else this.uncountedCalls += 1;
      return;
    }
    this.#remember(key);
    // What is below a root is in the sums of the root.
    const counted = isCall(found) ? (found.parent_id === null ? [found] : []) : found;
    for (const call of counted) this.#add(costsOfCall(call, prices));
  }

  #add(costs: CallCosts | undefined): void {
    for (const { price, tokens, amounts } of costs?.counted ?? []) {
      if (price === undefined) {
        this.unpricedTokens += tokens;
        continue;
      }
      for (const [currency, amount] of amounts) this.#addAmount(labelsOf(price, currency), amount);
    }
  }

  #addAmount(labels: Omit<CostSum, 'amount'>, amount: number): void {
    const key = JSON.stringify(Object.values(labels));
    const sum = this.#sums.get(key);
    if (sum) sum.amount += amount;
    else this.#sums.set(key, { ...labels, amount });
  }

  #remember(key: string): void {
    this.#counted.add(key);
    if (this.#counted.size <= REMEMBERED) return;
    const [oldest] = this.#counted;
    if (oldest !== undefined) this.#counted.delete(oldest);
  }

  async #read(projectId: string, filter: CallPlan['filter'], limit: number): Promise<StoredCall[]> {
    const sort = [{ field: { kind: 'text', column: 'id' }, isDescending: false }] as const;
    const plan: CallPlan = { projectId, filter, sort, limit, offset: 0, bodies: new Set(['attributes', 'summary']) };
    const signal = AbortSignal.timeout(READ_MS);
    const calls: StoredCall[] = [];
    for await (const chunk of this.#storage.calls.query(plan, { deadlineMs: READ_MS, signal })) calls.push(...chunk);
    return calls;
  }
}

/** The object with another member in place of one; its methods keep it for `this`, as private members want. */
function replacing<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  name: Name,
  member: Whole[Name],
): Whole {
  return new Proxy(whole, {
    get(target, asked) {
      if (asked === name) return member;
      const own: unknown = Reflect.get(target, asked);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
}

function isCall(found: StoredCall | readonly StoredCall[]): found is StoredCall {
  return !Array.isArray(found);
}

const CURRENCIES: ReadonlySet<string> = new Set(['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'CNY', 'INR']);

/** Prices of projects have names that clients gave. */
function labelsOf(price: Price, unit: string): Omit<CostSum, 'amount'> {
  const currency = CURRENCIES.has(unit) ? unit : 'other';
  if (price.pricing_level === 'project') return { provider: 'project', model: 'project', currency };
  return { provider: price.provider_id, model: price.listedModel ?? price.llm_id, currency };
}
