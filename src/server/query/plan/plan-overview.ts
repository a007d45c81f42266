import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { CallRowsRequest } from '../../../protocol/page/call-row.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { CallsStatsRequest } from '../../../protocol/page/calls-stats.ts';
import { parseDateTimeOfAnyYear } from '../../../protocol/values/date-time.ts';
import type { AggregatePlan, Facet, FacetField, OutlinePlan } from '../../../storage/contract/overviews.ts';
import type { CallSelection } from '../../../storage/contract/plan.ts';
import { selectionOfTimes } from '../../../storage/values/overviews/overview-plan.ts';
import { checkPath, parseField } from './field-path.ts';
import { notNegative } from './not-negative.ts';
import { planSelection } from './plan-calls.ts';
import { planSort } from './plan-sort.ts';

/** Rows of a page of a list. */
const DEFAULT_ROWS = 200;
export const MAX_ROWS = 1000;

const DEFAULT_BUCKETS = 60;
const MAX_BUCKETS = 200;

/** Facets of one request, and named values of one. */
const MAX_FACETS = 20;
const DEFAULT_FACET_VALUES = 10;
const MAX_FACET_VALUES = 1000;

/** Where a page of a list begins: behind a call, or behind so many. */
export interface RowsPosition {
  readonly after?: { readonly startedAt: number; readonly id: string };
  readonly offset?: number;
}

/** The calls of a page of a list, and one more, by which it is seen whether there is a next one. */
export function planRows(request: CallRowsRequest, position: RowsPosition, limits: Limits): OutlinePlan {
  const limit = Math.min(notNegative('limit', request.limit) ?? DEFAULT_ROWS, MAX_ROWS);
  return { ...planOutlines(request, limits), ...position, limit: limit + 1, offset: position.offset ?? 0 };
}

/** All calls of a selection in an order, the newest first where none is named. */
export function planOutlines(request: CallsSelection & Pick<CallRowsRequest, 'sort_by'>, limits: Limits): OutlinePlan {
  const sort = request.sort_by?.length ? request.sort_by : NEWEST_FIRST;
  return { ...planCallsSelection(request, limits), sort: planSort(sort, limits), offset: 0, hasPreviews: true };
}

const NEWEST_FIRST = [{ field: 'started_at', direction: 'desc' as const }];

/** Is a list in an order in which a page can begin behind a call? */
export function isByTime({ sort }: Pick<OutlinePlan, 'sort'>): boolean {
  const [time, id] = sort;
  return (
    sort.length === 2 &&
    time?.field.kind === 'time' &&
    time.field.column === 'started_at' &&
    id?.field.kind === 'text' &&
    id.field.column === 'id' &&
    id.isDescending === time.isDescending
  );
}

/** The calls that a selection means, its times among its conditions. */
export function planCallsSelection(request: CallsSelection, limits: Limits): CallSelection {
  return selectionOfTimes(planTimes(request, limits));
}

/** The plan for the questions about a selection as a whole. */
export function planStats(request: CallsStatsRequest, limits: Limits): AggregatePlan {
  const buckets = request.histogram?.buckets ?? DEFAULT_BUCKETS;
  if (buckets < 1 || buckets > MAX_BUCKETS) {
    throw new TracingError(
      'invalid_request',
      `Cannot make a histogram of ${buckets} buckets: want 1 to ${MAX_BUCKETS}`,
    );
  }
  const facets = request.facets ?? [];
  if (facets.length > MAX_FACETS) {
    throw new TracingError('too_many_items', `Cannot count by ${facets.length} fields: want at most ${MAX_FACETS}`);
  }
  return {
    ...planTimes(request, limits),
    ...(request.histogram && { histogram: { buckets } }),
    facets: facets.map((facet) => planFacet(facet, limits)),
  };
}

function planTimes(request: CallsSelection, limits: Limits): AggregatePlan {
  const { roots_only: rootsOnly, started_after: after, started_before: before } = request;
  const selection = planSelection(request, limits);
  return {
    ...selection,
    ...(rootsOnly === true && { filter: { ...selection.filter, rootsOnly } }),
    startedAfter: microsOf(after),
    startedBefore: microsOf(before),
  };
}

function microsOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : parseDateTimeOfAnyYear(text);
}

type AskedFacet = NonNullable<CallsStatsRequest['facets']>[number];

function planFacet(asked: AskedFacet, limits: Limits): Facet {
  const limit = facetLimit(asked);
  const { field } = asked;
  return { field: facetField(checkPath(field, limits)), limit: REGROUPED.has(field) ? MAX_FACET_VALUES : limit };
}

/** Values of a facet that are named. */
export function facetLimit({ limit }: Pick<AskedFacet, 'limit'>): number {
  return Math.min(notNegative('limit', limit) ?? DEFAULT_FACET_VALUES, MAX_FACET_VALUES);
}

/** Values of these are named otherwise than they are stored, so that all are needed to tell which are the most. */
const REGROUPED = new Set(['op', 'state']);

const NAMED_FACETS: Readonly<Record<string, FacetField>> = {
  op: { kind: 'text', column: 'op_name' },
  kind: { kind: 'json', column: 'attributes', path: ['kind'] },
  state: { kind: 'text', column: 'status' },
  model: { kind: 'model' },
  thread: { kind: 'text', column: 'thread_id' },
  user: { kind: 'json', column: 'attributes', path: ['user'] },
  error: { kind: 'exceptionType' },
};

function facetField(path: string): FacetField {
  const named = Object.hasOwn(NAMED_FACETS, path) ? NAMED_FACETS[path] : undefined;
  if (named !== undefined) return named;
  const field = parseField(path);
  if (field.kind === 'json') return field;
  const names = Object.keys(NAMED_FACETS).join(', ');
  throw new TracingError(
    'invalid_field',
    `Cannot count calls by "${path.slice(0, 200)}": want ${names}, or a path in attributes, inputs, output or summary`,
  );
}
