import type { CallReadRequest, CallsQueryStatsRequest, CallsStreamQueryRequest } from '../../../protocol/call.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { CallPlan, CallSelection, JsonColumn } from '../../../storage/contract/plan.ts';
import { checkId } from '../../http/body/check-id.ts';
import { type Caller, checkProject } from '../../keys/authenticate.ts';
import { JSON_COLUMNS } from './call-columns.ts';
import { type CallView, isShown, viewOf } from './call-view.ts';
import {
  type ExpandedPath,
  type ExpandedPlan,
  planExpandedCalls,
  planExpandedSelection,
  planExpansion,
} from './plan-expansion.ts';

/** Who asks, and under which limits. */
export interface Asker {
  readonly caller: Caller;
  readonly limits: Limits;
}

/** The meaning of a request for calls. It is read once, at the edge: nothing behind it sees the request. */
export interface CallsQuery {
  readonly projectId: string;
  readonly calls: ExpandedPlan<CallPlan>;
  /** Where references give way to what they name, shallowest first. */
  readonly expanded: readonly ExpandedPath[];
  readonly view: CallView;
}

/** The calls to be counted. */
export interface CountQuery {
  readonly projectId: string;
  readonly calls: ExpandedPlan<CallSelection>;
  /** Counting stops there. */
  readonly limit: number | undefined;
  /** Are the sizes of their traces wanted? */
  readonly withTraceSizes: boolean;
}

/** The call that is wanted. */
export interface CallQuery {
  readonly projectId: string;
  readonly id: string;
  readonly view: CallView;
}

/** Throws `forbidden`, `validation_error`, `invalid_field`, `invalid_request` or `too_many_items`. */
export function parseCallsQuery(request: CallsStreamQueryRequest, { caller, limits }: Asker): CallsQuery {
  checkProject(caller, request.project_id);
  const paths = planExpansion(request.expand_columns, limits);
  const view = viewOf(request);
  const { plan, ...rest } = planExpandedCalls(request, paths, limits);
  const isKept = request.return_expanded_column_values === false;
  return {
    projectId: request.project_id,
    calls: { plan: { ...plan, bodies: bodiesOf(plan, view) }, ...rest },
    expanded: isKept ? [] : paths.filter(({ column }) => isShown(column, view)),
    view,
  };
}

/** Throws as `parseCallsQuery` does. */
export function parseCountQuery(request: CallsQueryStatsRequest, { caller, limits }: Asker): CountQuery {
  checkProject(caller, request.project_id);
  const paths = planExpansion(request.expand_columns, limits);
  const limit = request.limit ?? undefined;
  if (limit !== undefined && limit < 1) {
    throw new TracingError('invalid_request', `Cannot count up to ${limit} calls: want at least 1`);
  }
  return {
    projectId: request.project_id,
    calls: planExpandedSelection(request, paths, limits),
    limit,
    withTraceSizes: request.include_total_storage_size === true,
  };
}

/** Throws `forbidden` or `invalid_id`. */
export function parseCallQuery(request: CallReadRequest, { caller }: Pick<Asker, 'caller'>): CallQuery {
  checkProject(caller, request.project_id);
  return { projectId: request.project_id, id: checkId('id', request.id), view: viewOf(request) };
}

/** The plan reads what the columns name; sizes and a summary shown for another reason need more. */
function bodiesOf({ bodies }: CallPlan, { withOwnSize, withFeedback, withCosts }: CallView): ReadonlySet<JsonColumn> {
  if (withOwnSize) return new Set(JSON_COLUMNS);
  // Attributes tell the provider, which prices depend on.
  const needed: readonly JsonColumn[] = withCosts ? ['summary', 'attributes'] : withFeedback ? ['summary'] : [];
  return new Set([...bodies, ...needed]);
}
