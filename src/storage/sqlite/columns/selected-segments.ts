import type { AggregatePlan } from '../../contract/overviews.ts';
import type { KeptColumns, Segment } from './kept-columns.ts';
import { IS_ROOT, PLACE_MASK, SEGMENT_CALLS, type SegmentColumns } from './segment-columns.ts';

/** Calls of a segment that are selected: 1 at their places. */
export interface SelectedSegment {
  readonly number: number;
  readonly columns: SegmentColumns;
  readonly isSelected: Uint8Array;
}

/** A selection that columns alone can tell: all calls of a project, or its roots, of a time. */
export interface ColumnSelection extends Pick<AggregatePlan, 'startedAfter' | 'startedBefore'> {
  readonly project: number;
  readonly rootsOnly: boolean;
}

/** `check` throws when nobody waits any more. */
export function selectByColumns(kept: KeptColumns, selection: ColumnSelection, check: () => void): SelectedSegment[] {
  const { startedAfter = -Infinity, startedBefore = Infinity } = selection;
  return kept.segments().flatMap((segment) => {
    check();
    if (isApart(segment, startedAfter, startedBefore)) return [];
    const columns = kept.columnsOf(segment);
    const isSelected = new Uint8Array(SEGMENT_CALLS);
    const { project, rootsOnly } = selection;
    const { projects, startedAt, flags } = columns;
    let count = 0;
    for (let place = 0; place < SEGMENT_CALLS; place++) {
      if (projects[place] !== project) continue;
      const time = startedAt[place] ?? 0;
      if (time < startedAfter || time >= startedBefore) continue;
      if (rootsOnly && ((flags[place] ?? 0) & IS_ROOT) === 0) continue;
      isSelected[place] = 1;
      count += 1;
    }
    return count === 0 ? [] : [{ number: segment.number, columns, isSelected }];
  });
}

/** Segments of which nothing is kept may have calls of any time. */
function isApart({ first, last }: Segment, startedAfter: number, startedBefore: number): boolean {
  return first !== undefined && last !== undefined && (last < startedAfter || first >= startedBefore);
}

/** The calls of these numbers. */
export function selectByKeys(kept: KeptColumns, keys: Float64Array, check: () => void): SelectedSegment[] {
  const segments = new Map(kept.segments().map((segment) => [segment.number, segment]));
  const selected = new Map<number, SelectedSegment>();
  for (const key of keys) {
    const number = Math.floor(key / SEGMENT_CALLS);
    let segment = selected.get(number);
    if (segment === undefined) {
      check();
      const known = segments.get(number) ?? { number, changes: -1, first: undefined, last: undefined };
      segment = { number, columns: kept.columnsOf(known), isSelected: new Uint8Array(SEGMENT_CALLS) };
      selected.set(number, segment);
    }
    segment.isSelected[key & PLACE_MASK] = 1;
  }
  return [...selected.values()];
}
