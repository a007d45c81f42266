import type { AggregatePlan, CallAggregate, FacetField } from '../../contract/overviews.ts';
import { CallTally } from '../../values/overviews/call-tally.ts';
import { COLUMN_STATUSES, IS_ERROR, SEGMENT_CALLS, statusAt, type TextName } from './segment-columns.ts';
import type { SelectedSegment } from './selected-segments.ts';
import type { UsageSums } from '../../values/overviews/usage-sums.ts';

/** How the value of a call is found in its columns; undefined: columns do not have it. */
export function columnOfField(field: FacetField): TextName | 'status' | undefined {
  switch (field.kind) {
    case 'text':
      return COLUMNS[field.column];
    case 'json':
      return field.column === 'attributes' && field.path.length === 1
        ? ATTRIBUTE_COLUMNS.get(field.path[0])
        : undefined;
    case 'exceptionType':
    case 'model':
      return field.kind;
  }
}

const COLUMNS: Readonly<Partial<Record<string, TextName | 'status'>>> = {
  op_name: 'op',
  thread_id: 'thread',
  svc_user_id: 'user',
  svc_run_id: 'run',
  process_run: 'process',
  status: 'status',
};

const ATTRIBUTE_COLUMNS: ReadonlyMap<unknown, TextName> = new Map([
  ['kind', 'kind'],
  ['user', 'userAttribute'],
]);

/** Adds up what is selected. All facets of the plan have columns. */
export function tallySegments(
  plan: AggregatePlan,
  segments: readonly SelectedSegment[],
  usage: ReturnType<UsageSums['sums']>,
): CallAggregate {
  const tally = new CallTally(plan);
  for (const segment of segments) {
    addTimes(tally, segment);
    for (const [index, { field }] of (plan.facets ?? []).entries()) {
      const column = columnOfField(field);
      if (column === 'status') addStatus(tally, index, segment);
      else if (column !== undefined) addTexts(tally, index, segment, column);
    }
  }
  return tally.finish(usage);
}

/** The counts of the selections 1 to `groups`, one pass for all of them. */
export function countGroups(segments: readonly SelectedSegment[], groups: number) {
  const counts = Array.from({ length: groups }, () => ({ count: 0, errors: 0, running: 0 }));
  for (const { columns, groups: ofPlaces } of segments) {
    for (let place = 0; place < SEGMENT_CALLS; place++) {
      const counted = counts[(ofPlaces[place] ?? 0) - 1];
      if (counted === undefined) continue;
      counted.count += 1;
      if (((columns.flags[place] ?? 0) & IS_ERROR) !== 0) counted.errors += 1;
      if (Number.isNaN(columns.endedAt[place])) counted.running += 1;
    }
  }
  return counts;
}

function addTimes(tally: CallTally, { columns, groups }: SelectedSegment): void {
  const { startedAt, endedAt, flags } = columns;
  for (let place = 0; place < SEGMENT_CALLS; place++) {
    if (groups[place] === 0) continue;
    const isError = ((flags[place] ?? 0) & IS_ERROR) !== 0;
    tally.addTimes(startedAt[place] ?? 0, endedAt[place] ?? Number.NaN, isError);
  }
}

function addTexts(tally: CallTally, facet: number, { columns, groups }: SelectedSegment, name: TextName): void {
  const list = columns.lists[name];
  const texts = columns.texts[name];
  const counts = new Uint32Array(list.length);
  for (let place = 0; place < SEGMENT_CALLS; place++) {
    const text = texts[place] ?? 0;
    if (groups[place] !== 0) counts[text] = (counts[text] ?? 0) + 1;
  }
  for (const [index, count] of counts.entries()) if (count > 0) tally.addValue(facet, list[index] ?? null, count);
}

function addStatus(tally: CallTally, facet: number, { columns, groups }: SelectedSegment): void {
  const counts = new Uint32Array(COLUMN_STATUSES.length);
  for (let place = 0; place < SEGMENT_CALLS; place++) {
    const status = statusAt(columns, place);
    if (groups[place] !== 0) counts[status] = (counts[status] ?? 0) + 1;
  }
  for (const [index, status] of COLUMN_STATUSES.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0) tally.addValue(facet, status, count);
  }
}
