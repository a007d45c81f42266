import type { ModelUsage } from '../contract/overviews.ts';
import { UsageSums } from './usage-sums.ts';

/** A call with usage, and what is above it. */
export interface UsageHolder {
  readonly id: string;
  readonly parentId: string | null;
  readonly startedAt: number;
  readonly usages: readonly ModelUsage[];
}

/** Parents of calls, null where a call has none or is not stored. */
export type Parents = ReadonlyMap<string, string | null>;

/** Adds up the usage of the calls above which no other has any. */
export class UsageTally {
  readonly #holders = new Map<string, UsageHolder>();
  /** Of calls without usage, as far as they were asked for. */
  readonly #parents = new Map<string, string | null>();
  /** The nearest call with usage, from a call upwards, itself included. */
  readonly #nearest = new Map<string, string | null>();

  add(holder: UsageHolder): void {
    this.#holders.set(holder.id, holder);
  }

  /** Gives lists of calls whose parents are to be told, until all are known. */
  *ask(): Generator<readonly string[], void, Parents> {
    let open = [...this.#holders.values()].flatMap(({ parentId }) => parentId ?? []);
    while (open.length > 0) {
      const wanted = new Set<string>();
      open = open.filter((id) => {
        const missing = this.#find(id);
        if (missing !== undefined) wanted.add(missing);
        return missing !== undefined;
      });
      if (wanted.size === 0) return;
      const parents = yield [...wanted];
      for (const id of wanted) this.#parents.set(id, parents.get(id) ?? null);
    }
  }

  sums(): ReturnType<UsageSums['sums']> {
    const sums = new UsageSums();
    for (const holder of this.#holders.values()) {
      const above = holder.parentId === null ? null : (this.#nearest.get(holder.parentId) ?? null);
      // Something that is its own ancestor is not above itself.
      if (above !== null && above !== holder.id) continue;
      for (const usage of holder.usages) sums.add(usage, holder.startedAt);
    }
    return sums.sums();
  }

  /** Goes up from a call; the one whose parent has to be known first, or undefined. */
  #find(from: string): string | undefined {
    const passed = new Set<string>();
    let nearest: string | null = null;
    for (let id: string | null = from; id !== null && !passed.has(id);) {
      const known = this.#holders.has(id) ? id : this.#nearest.get(id);
      if (known !== undefined) {
        nearest = known;
        break;
      }
      passed.add(id);
      const parent = this.#parents.get(id);
      if (parent === undefined) return id;
      id = parent;
    }
    this.#nearest.set(from, nearest);
    for (const id of passed) this.#nearest.set(id, nearest);
    return undefined;
  }
}
