import { noTokens, TOKEN_KINDS } from '../../values/overviews/call-usage.ts';
import type { UsageSums } from '../../values/overviews/usage-sums.ts';
import { SEGMENT_CALLS, type SegmentColumns } from './segment-columns.ts';
import type { SelectedSegment } from './selected-segments.ts';
import { UsesAt } from './uses-at.ts';

/** The uses of models by the selected calls of a segment, and what is known of those above and below them. */
export class SegmentUses {
  readonly #segment: SelectedSegment;
  readonly #uses: UsesAt;
  /** 1: a call above this one has usage. */
  readonly #isCovered = new Uint8Array(SEGMENT_CALLS);
  /** By use, 1: a call below has used the model too. */
  readonly #isOfBelow: Uint8Array;

  constructor(segment: SelectedSegment) {
    this.#segment = segment;
    this.#uses = new UsesAt(segment.columns);
    this.#isOfBelow = new Uint8Array(segment.columns.usagePlaces.length);
  }

  /** Places of the selected calls with usage. */
  *places(): Generator<number> {
    const { columns, groups } = this.#segment;
    for (let use = 0; use < columns.usagePlaces.length; use++) {
      const place = columns.usagePlaces[use] ?? 0;
      if (this.#uses.isFirst(use) && (groups[place] ?? 0) > 0) yield place;
    }
  }

  /** The nearest call with usage above the one at `place` is that at `abovePlace` of `above`. */
  cover(place: number, above: SegmentUses, abovePlace: number): void {
    this.#isCovered[place] = 1;
    const models = new Set(this.#uses.of(place).map((use) => this.#modelOf(use)));
    for (const use of above.#uses.of(abovePlace)) if (models.has(above.#modelOf(use))) above.#isOfBelow[use] = 1;
  }

  /** Adds what was used, source by source, to the sums of each selection. */
  addTo(sumsOf: (group: number) => UsageSums): void {
    const { columns, groups } = this.#segment;
    const byGroup = new Map<number, ReturnType<typeof noSums>>();
    for (let use = 0; use < columns.usagePlaces.length; use++) {
      const place = columns.usagePlaces[use] ?? 0;
      const group = groups[place] ?? 0;
      if (group === 0) continue;
      const bySource = byGroup.get(group) ?? noSums(columns);
      byGroup.set(group, bySource);
      const sum = bySource[columns.usageSources[use] ?? 0];
      const isCovered = this.#isCovered[place] === 1;
      const isOfBelow = this.#isOfBelow[use] === 1;
      if (sum === undefined || (isCovered && isOfBelow)) continue;
      if (!isOfBelow) sum.calls += 1;
      sum.firstStartedAt = Math.min(sum.firstStartedAt, columns.startedAt[place] ?? 0);
      sum.lastStartedAt = Math.max(sum.lastStartedAt, columns.startedAt[place] ?? 0);
      if (isCovered) continue;
      const at = use * TOKEN_KINDS.length;
      for (let index = 0; index < TOKEN_KINDS.length; index++) {
        sum.tokens[TOKEN_KINDS[index] ?? 'total'] += columns.usageTokens[at + index] ?? 0;
      }
    }
    for (const [group, bySource] of byGroup) {
      for (const sum of bySource) if (sum.lastStartedAt > -Infinity) sumsOf(group).addSum(sum);
    }
  }

  #modelOf(use: number): string | undefined {
    const { sources, usageSources } = this.#segment.columns;
    return sources[usageSources[use] ?? 0]?.model;
  }
}

function noSums({ sources }: SegmentColumns) {
  return sources.map((source) => {
    return { ...source, tokens: noTokens(), calls: 0, firstStartedAt: Infinity, lastStartedAt: -Infinity };
  });
}
