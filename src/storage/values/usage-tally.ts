import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { ModelSum, ModelUsage, TokenSums } from '../contract/overviews.ts';
import { addTokens, noTokens } from './call-usage.ts';

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

  sums(): { readonly tokens: TokenSums; readonly models: ModelSum[] } {
    const tokens = noTokens();
    const models = new Map<string, Sum>();
    for (const holder of this.#holders.values()) {
      const above = holder.parentId === null ? null : (this.#nearest.get(holder.parentId) ?? null);
      // Something that is its own ancestor is not above itself.
      if (above !== null && above !== holder.id) continue;
      for (const usage of holder.usages) {
        addTokens(tokens, usage.tokens);
        addUsage(models, usage, holder.startedAt);
      }
    }
    return { tokens, models: [...models.values()].toSorted(compareSums) };
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

type Sum = { -readonly [Key in keyof ModelSum]: ModelSum[Key] };

function addUsage(models: Map<string, Sum>, { model, provider, host, tokens }: ModelUsage, startedAt: number): void {
  const key = JSON.stringify([model, provider, host]);
  const times = { firstStartedAt: startedAt, lastStartedAt: startedAt };
  const sum = models.get(key) ?? { model, provider, host, tokens: noTokens(), calls: 0, ...times };
  models.set(key, sum);
  sum.calls += 1;
  sum.firstStartedAt = Math.min(sum.firstStartedAt, startedAt);
  sum.lastStartedAt = Math.max(sum.lastStartedAt, startedAt);
  addTokens(sum.tokens, tokens);
}

function compareSums(left: ModelSum, right: ModelSum): number {
  return right.tokens.total - left.tokens.total || compareCodePoints(keyOf(left), keyOf(right));
}

function keyOf({ model, provider, host }: ModelSum): string {
  return JSON.stringify([model, provider, host]);
}
