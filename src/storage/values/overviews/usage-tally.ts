import type { ModelUsage } from '../../contract/overviews.ts';
import { noTokens } from './call-usage.ts';
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

/** Adds up the usage of the calls above which no other has any, and counts those that asked a model themselves. */
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
    const below = this.#modelsBelow();
    for (const holder of this.#holders.values()) {
      const isCovered = this.#holderAbove(holder) !== undefined;
      const times = { firstStartedAt: holder.startedAt, lastStartedAt: holder.startedAt };
      for (const usage of holder.usages) {
        const isOfBelow = below.get(holder.id)?.has(usage.model) === true;
        if (isCovered && isOfBelow) continue;
        const tokens = isCovered ? noTokens() : usage.tokens;
        sums.addSum({ ...usage, ...times, tokens, calls: isOfBelow ? 0 : 1 });
      }
    }
    return sums.sums();
  }

  /** The models of the next calls with usage below each. */
  #modelsBelow(): Map<string, Set<string>> {
    const below = new Map<string, Set<string>>();
    for (const holder of this.#holders.values()) {
      const above = this.#holderAbove(holder);
      if (above === undefined) continue;
      const models = below.get(above) ?? new Set();
      below.set(above, models);
      for (const { model } of holder.usages) models.add(model);
    }
    return below;
  }

  #holderAbove({ id, parentId }: UsageHolder): string | undefined {
    const above = parentId === null ? undefined : this.#nearest.get(parentId);
    // Something that is its own ancestor is not above itself.
    return above === null || above === id ? undefined : above;
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
