import type { AggregatePlan } from '../../contract/overviews.ts';
import type { KeptColumns, Segment } from './kept-columns.ts';
import { IS_ROOT, PLACE_MASK, SEGMENT_CALLS, type SegmentColumns } from './segment-columns.ts';

/** Calls of a segment that are selected: at their places the number of the selection they are of, from 1 to 255; there may be several. */
export interface SelectedSegment {
  readonly number: number;
  readonly columns: SegmentColumns;
  readonly groups: Uint8Array;
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
    const groups = new Uint8Array(SEGMENT_CALLS);
    const { project, rootsOnly } = selection;
    const { projects, startedAt, flags } = columns;
    let count = 0;
    for (let place = 0; place < SEGMENT_CALLS; place++) {
      if (projects[place] !== project) continue;
      const time = startedAt[place] ?? 0;
      if (time < startedAfter || time >= startedBefore) continue;
      if (rootsOnly && ((flags[place] ?? 0) & IS_ROOT) === 0) continue;
      groups[place] = 1;
      count += 1;
    }
    return count === 0 ? [] : [{ number: segment.number, columns, groups }];
  });
}

/** Segments of which nothing is kept may have calls of any time. */
function isApart({ first, last }: Segment, startedAfter: number, startedBefore: number): boolean {
  return first !== undefined && last !== undefined && (last < startedAfter || first >= startedBefore);
}

/** Runs to add up, by their numbers among them; `first` and `last` are the times of their calls. */
interface RunSelection {
  readonly project: number;
  readonly runs: readonly { readonly id: string; readonly first: number; readonly last: number }[];
}

/** At most so many selections can be told apart. */
export const MAX_GROUPS = 255;

/** The calls of runs; the selection of each has its place among them as its number, from 1. */
export function selectByRuns(kept: KeptColumns, { project, runs }: RunSelection, check: () => void): SelectedSegment[] {
  const numbers = new Map(runs.map(({ id }, index) => [id, index + 1]));
  return kept.segments().flatMap((segment) => {
    check();
    if (runs.every(({ first, last }) => isApart(segment, first, last + 1))) return [];
    const columns = kept.columnsOf(segment);
    const ofList = columns.lists.process.map((id) => (id === null ? 0 : (numbers.get(id) ?? 0)));
    if (ofList.every((number) => number === 0)) return [];
    const groups = new Uint8Array(SEGMENT_CALLS);
    for (let place = 0; place < SEGMENT_CALLS; place++) {
      if (columns.projects[place] === project) groups[place] = ofList[columns.texts.process[place] ?? 0] ?? 0;
    }
    return [{ number: segment.number, columns, groups }];
  });
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
      segment = { number, columns: kept.columnsOf(known), groups: new Uint8Array(SEGMENT_CALLS) };
      selected.set(number, segment);
    }
    segment.groups[key & PLACE_MASK] = 1;
  }
  return [...selected.values()];
}
