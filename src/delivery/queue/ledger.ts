export type DropReason = 'queue-full' | 'spool-full' | 'spool-damaged' | 'refused' | 'unencodable' | 'exit';

/** The fate of records, counted in starts and ends of calls. */
export interface FlushResult {
  /** Acknowledged by the service. */
  readonly sent: number;
  /** On disk, to be delivered later. */
  readonly spooled: number;
  /** Lost, and reported. */
  readonly dropped: number;
}

type Fate = keyof FlushResult;

interface Waiter {
  readonly upTo: number;
  pending: number;
  readonly result: Record<Fate, number>;
  readonly settle: () => void;
  readonly acknowledge: () => void;
}

/** A promise for the fate of all that was recorded before, and the counts so far for who cannot wait. */
export interface Settlement {
  /** All has arrived, is on disk or is lost. */
  readonly done: Promise<void>;
  /** All has arrived or is lost; nothing waits, not even on disk. */
  readonly acknowledged: Promise<void>;
  readonly result: FlushResult;
  readonly cancel: () => void;
}

/** Counts every record once: recorded = queued + sent + spooled + dropped, at every moment. */
export class Ledger {
  #recorded = 0;
  #total: Record<Fate, number> = { sent: 0, spooled: 0, dropped: 0 };
  readonly #dropped = new Map<DropReason, number>();
  readonly #waiters = new Set<Waiter>();
  #asked: { readonly upTo: number; readonly acknowledged: Promise<void> } | undefined;

  get recorded(): number {
    return this.#recorded;
  }

  get total(): FlushResult {
    return this.#total;
  }

  get queued(): number {
    const { sent, spooled, dropped } = this.#total;
    return this.#recorded - sent - spooled - dropped;
  }

  droppedByReason(): Partial<Record<DropReason, number>> {
    return Object.fromEntries(this.#dropped);
  }

  /** The number of a new record. */
  record(): number {
    return ++this.#recorded;
  }

  settle(sequence: readonly number[], fate: 'sent' | 'spooled'): void {
    this.#settle(sequence, fate);
  }

  drop(sequence: readonly number[], reason: DropReason): void {
    this.#countDropped(sequence.length, reason);
    this.#settle(sequence, 'dropped');
  }

  /** Records that were on disk have arrived. */
  deliverSpooled(count: number): void {
    this.#move(count, 'sent');
  }

  /** Records that were on disk are lost. */
  dropSpooled(count: number, reason: DropReason): void {
    this.#countDropped(count, reason);
    this.#move(count, 'dropped');
  }

  /** Watches everything recorded until now. */
  watch(): Settlement {
    const [done, settle] = openPromise();
    const [acknowledged, acknowledge] = openPromise();
    const result = { ...this.#total };
    const waiter: Waiter = { upTo: this.#recorded, pending: this.queued, result, settle, acknowledge };
    this.#waiters.add(waiter);
    notify(waiter);
    return { done, acknowledged, result, cancel: () => this.#waiters.delete(waiter) };
  }

  /**
   * Resolves when everything recorded until now has arrived or is lost. Those who ask for the same wait together:
   * while a service is away a program may ask for long.
   */
  acknowledged(): Promise<void> {
    if (this.#asked?.upTo !== this.#recorded)
      this.#asked = { upTo: this.#recorded, acknowledged: this.#untilAcknowledged() };
    return this.#asked.acknowledged;
  }

  async #untilAcknowledged(): Promise<void> {
    const { acknowledged, cancel } = this.watch();
    await acknowledged;
    cancel();
  }

  #countDropped(count: number, reason: DropReason): void {
    if (count > 0) this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
  }

  #settle(sequence: readonly number[], fate: Fate): void {
    this.#total[fate] += sequence.length;
    for (const waiter of this.#waiters) {
      const count = sequence.filter((number) => number <= waiter.upTo).length;
      waiter.result[fate] += count;
      waiter.pending -= count;
      notify(waiter);
    }
  }

  #move(count: number, fate: 'sent' | 'dropped'): void {
    this.#total.spooled -= count;
    this.#total[fate] += count;
    for (const waiter of this.#waiters) {
      const moved = Math.min(count, waiter.result.spooled);
      waiter.result.spooled -= moved;
      waiter.result[fate] += moved;
      notify(waiter);
    }
  }
}

function notify({ pending, result, settle, acknowledge }: Waiter): void {
  if (pending > 0) return;
  settle();
  if (result.spooled === 0) acknowledge();
}

function openPromise(): [Promise<void>, () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return [promise, resolve];
}
