import { UsageSums } from '../../values/overviews/usage-sums.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import { numberOf } from '../read/text.ts';
import type { KeptColumns, Segment } from './kept-columns.ts';
import { PLACE_MASK, SEGMENT_CALLS, type SegmentColumns, UNKNOWN_PARENT } from './segment-columns.ts';
import { SegmentUses } from './segment-uses.ts';
import type { SelectedSegment } from './selected-segments.ts';

type Usage = ReturnType<UsageSums['sums']>;

/** Adds up the usage of the selected calls above which no other has any, and counts those that asked a model themselves. */
export function usageOfSegments(
  database: DatabaseSync,
  kept: KeptColumns,
  selected: readonly SelectedSegment[],
): Usage {
  return usageByGroup(database, kept, selected)(1);
}

/** The same of each selection, by its number: for it calls of other selections have no usage. */
export function usageByGroup(
  database: DatabaseSync,
  kept: KeptColumns,
  selected: readonly SelectedSegment[],
): (group: number) => Usage {
  const ways = new WaysUp(database, kept, selected);
  const uses = new Map(selected.map((segment) => [segment.number, new SegmentUses(segment)]));
  for (const segment of selected) {
    const own = uses.get(segment.number);
    for (const place of own?.places() ?? []) {
      const above = ways.nearestAbove(segment, place);
      const holder = above === undefined ? undefined : uses.get(Math.floor(above / SEGMENT_CALLS));
      if (above !== undefined && holder !== undefined) own?.cover(place, holder, above & PLACE_MASK);
    }
  }
  const sums = new Map<number, UsageSums>();
  const sumsOf = (group: number) => {
    const known = sums.get(group) ?? new UsageSums();
    sums.set(group, known);
    return known;
  };
  for (const each of uses.values()) each.addTo(sumsOf);
  return (group) => sumsOf(group).sums();
}

/** Steps before it is looked at whether the way goes in a circle. */
const MANY_STEPS = 1000;

/** Goes up from calls, by their numbers. */
class WaysUp {
  readonly #kept: KeptColumns;
  readonly #segments: ReadonlyMap<number, Segment>;
  readonly #columns = new Map<number, SegmentColumns>();
  /** Selected calls with usage: at their places the number of their selection. */
  readonly #holders = new Map<number, Uint8Array>();
  readonly #selectParent: Statement;
  readonly #lateParents = new Map<number, number>();

  constructor(database: DatabaseSync, kept: KeptColumns, selected: readonly SelectedSegment[]) {
    this.#kept = kept;
    this.#segments = new Map(kept.segments().map((segment) => [segment.number, segment]));
    this.#selectParent = database.prepare(PARENT);
    for (const { number, columns, groups } of selected) {
      const holders = new Uint8Array(SEGMENT_CALLS);
      for (const place of columns.usagePlaces) holders[place] = groups[place] ?? 0;
      this.#columns.set(number, columns);
      this.#holders.set(number, holders);
    }
  }

  /** The number of the nearest call above this one that has usage and is of the same selection, itself not counted. */
  nearestAbove({ number, columns, groups }: SelectedSegment, place: number): number | undefined {
    const own = number * SEGMENT_CALLS + place;
    let key = this.#parentOf(own, columns.parents[place] ?? 0);
    let passed: Set<number> | undefined;
    for (let steps = 0; key !== 0 && key !== own; steps++) {
      const at = Math.floor(key / SEGMENT_CALLS);
      if (this.#holders.get(at)?.[key & PLACE_MASK] === groups[place]) return key;
      if (steps > MANY_STEPS) {
        passed ??= new Set();
        if (passed.has(key)) return undefined;
        passed.add(key);
      }
      const above = this.#columnsAt(at);
      if (above === undefined || above.projects[key & PLACE_MASK] !== columns.projects[place]) return undefined;
      key = this.#parentOf(key, above.parents[key & PLACE_MASK] ?? 0);
    }
    return undefined;
  }

  /** A parent that came after the columns were made is looked up. */
  #parentOf(key: number, parent: number): number {
    if (parent !== UNKNOWN_PARENT) return parent;
    const known = this.#lateParents.get(key);
    if (known !== undefined) return known;
    const found = numberOf(this.#selectParent.get(key)?.['pk']) ?? 0;
    this.#lateParents.set(key, found);
    return found;
  }

  #columnsAt(number: number): SegmentColumns | undefined {
    const known = this.#columns.get(number);
    const segment = this.#segments.get(number);
    if (known !== undefined || segment === undefined) return known;
    const columns = this.#kept.columnsOf(segment);
    this.#columns.set(number, columns);
    return columns;
  }
}

const PARENT = `SELECT p.pk FROM calls c JOIN calls p ON p.project = c.project AND p.id = c.parent_id
WHERE c.pk = ? AND p.started_at IS NOT NULL`;
