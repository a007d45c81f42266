import type { Leases } from './lease.ts';

/** The lease of a service that has no work to do for all, by which the one that has it knows that it is not alone. */
const NAME = 'others';

/** Tells a service whether others are on the same database. */
export class OtherServices {
  readonly #leases: Leases;
  readonly #leaseMs: number;
  #knownAt = Number.NEGATIVE_INFINITY;

  /** Who asks does so again before `leaseMs` are over. */
  constructor(leases: Leases, leaseMs: number) {
    this.#leases = leases;
    this.#leaseMs = leaseMs;
  }

  /** Is there another one, or was there one lately? A service that does not lead makes itself known. */
  async areThere(isLeading: boolean): Promise<boolean> {
    if (await this.#areNow(isLeading)) this.#knownAt = performance.now();
    return performance.now() - this.#knownAt < this.#leaseMs;
  }

  async #areNow(isLeading: boolean): Promise<boolean> {
    if (isLeading) return await this.#leases.isOfAnother(NAME);
    // Where it is of a third one that is enough.
    await this.#leases.take(NAME, this.#leaseMs);
    return true;
  }
}
