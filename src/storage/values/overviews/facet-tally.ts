import { compareCodePoints } from '../../../protocol/values/canonical-json.ts';
import type { FacetCounts } from '../../contract/overviews.ts';
import { cutText } from './call-preview.ts';

/** Counts the values of one field. */
export class FacetTally {
  readonly #counts = new Map<string, number>();
  #none = 0;

  add(value: string | null, count = 1): void {
    if (value === null) this.#none += count;
    else {
      const cut = cutText(value);
      this.#counts.set(cut, (this.#counts.get(cut) ?? 0) + count);
    }
  }

  counts(limit: number): FacetCounts {
    const all = [...this.#counts].map(([value, count]) => ({ value, count }));
    all.sort((left, right) => right.count - left.count || compareCodePoints(left.value, right.value));
    const other = all.slice(limit).reduce((sum, { count }) => sum + count, 0);
    return { values: all.slice(0, limit), other, none: this.#none, distinct: all.length };
  }
}
