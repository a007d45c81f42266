import { compareCodePoints } from '../../../protocol/values/canonical-json.ts';
import type { ModelSum, TokenSums } from '../../contract/overviews.ts';
import { addTokens, noTokens } from './call-usage.ts';

type Sum = { -readonly [Key in keyof ModelSum]: ModelSum[Key] };

/** Adds up uses of models. */
export class UsageSums {
  readonly #tokens = noTokens();
  readonly #models = new Map<string, Sum>();

  addSum(more: ModelSum): void {
    const key = keyOf(more);
    const known = this.#models.get(key);
    const sum = known ?? { ...more, calls: 0, tokens: noTokens() };
    this.#models.set(key, sum);
    sum.calls += more.calls;
    sum.firstStartedAt = Math.min(sum.firstStartedAt, more.firstStartedAt);
    sum.lastStartedAt = Math.max(sum.lastStartedAt, more.lastStartedAt);
    addTokens(sum.tokens, more.tokens);
    addTokens(this.#tokens, more.tokens);
  }

  sums(): { readonly tokens: TokenSums; readonly models: ModelSum[] } {
    return { tokens: this.#tokens, models: [...this.#models.values()].toSorted(compareSums) };
  }
}

function compareSums(left: ModelSum, right: ModelSum): number {
  return right.tokens.total - left.tokens.total || compareCodePoints(keyOf(left), keyOf(right));
}

function keyOf({ model, provider, host }: ModelSum): string {
  return JSON.stringify([model, provider, host]);
}
