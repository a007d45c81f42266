import type { CallsQueryStatsRequest, CallsStreamQueryRequest } from '../../../protocol/call.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { CallPlan, CallSelection, JsonColumn } from '../../../storage/contract/plan.ts';
import type { JsonText, StoredCall } from '../../../storage/contract/storage.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { CallView } from './call-line.ts';
import { ALL_BODIES, openTraceSizes, type TraceSizes } from './call-sizes.ts';
import { expandCall } from '../refs/expand-call.ts';
import {
  type ExpandedPath,
  type ExpandedPlan,
  planExpandedCalls,
  planExpandedSelection,
  planExpansion,
} from '../plan/plan-expansion.ts';
import { openPage, type PageRequest, type ReadContext, readOptions, toLines } from './read-calls.ts';
import { openExpander, type RefExpander } from '../refs/ref-expander.ts';
import { openRefSource, type ReadClock, type RefStorage, startClock } from '../refs/ref-source.ts';
import { selectThrough } from '../refs/select-expanded.ts';

/** Calls of which one slice is expanded at once. */
const SLICE_CALLS = 8;

/** The calls of a query as lines of JSON, in chunks of bounded size; the request is checked before the first. */
export function queryCalls(
  storage: RefStorage,
  request: CallsStreamQueryRequest,
  context: ReadContext,
): AsyncIterable<readonly JsonText[]> {
  checkProject(context.caller, request.project_id);
  const expanded = planExpansion(request.expand_columns, context.limits);
  const view = viewOf(request);
  const { plan, ...rest } = planExpandedCalls(request, expanded, context.limits);
  const calls = { plan: withBodies(plan, request, view), ...rest };
  const shown =
    request.return_expanded_column_values === false ? [] : expanded.filter(({ column }) => isShown(column, view));
  return linesOf(storage, { calls, shown, view }, request, context);
}

/** How many calls a query has and, when asked for, how many bytes their traces take. */
export async function queryStats(
  storage: RefStorage,
  request: CallsQueryStatsRequest,
  context: ReadContext,
): Promise<{ count: number; total_storage_size_bytes: number | null }> {
  checkProject(context.caller, request.project_id);
  const expanded = planExpansion(request.expand_columns, context.limits);
  const limit = request.limit ?? undefined;
  if (limit !== undefined && limit < 1) {
    throw new TracingError('invalid_request', `Cannot count up to ${limit} calls: want at least 1`);
  }
  const selected = planExpandedSelection(request, expanded, context.limits);
  const read = openRead(storage, request.project_id, context);
  const count = await countOf(read, selected, limit);
  if (!request.include_total_storage_size) return { count, total_storage_size_bytes: null };
  const roots = { ...selected.plan, filter: { ...selected.plan.filter, rootsOnly: true as const } };
  const chunks = callsOf(read, { ...selected, plan: inAnyOrder(roots) });
  const sizes = openTraceSizes(storage.calls, request.project_id, readOptions(context));
  return { count, total_storage_size_bytes: await totalBytes(sizes, chunks) };
}

/** One request in the middle of its work. */
interface CallsRead {
  readonly storage: RefStorage;
  readonly context: ReadContext;
  readonly expander: RefExpander;
  readonly clock: ReadClock;
}

function openRead(storage: RefStorage, projectId: string, context: ReadContext): CallsRead {
  const clock = startClock(context);
  const source = openRefSource(storage, context, { checkTime: clock.check });
  return { storage, context, clock, expander: openExpander(source, projectId) };
}

function callsOf(
  { storage, context, expander, clock }: CallsRead,
  { plan, through }: ExpandedPlan<CallPlan>,
): AsyncIterable<readonly StoredCall[]> {
  const options = readOptions(context);
  if (!through) return storage.calls.query(plan, options);
  const sortedBytes = context.limits.sorted_bytes;
  return selectThrough(plan, through, { storage, expander, options, checkTime: clock.check, sortedBytes });
}

/** What is sent of the calls of a request. */
interface Page {
  readonly calls: ExpandedPlan<CallPlan>;
  readonly shown: readonly ExpandedPath[];
  readonly view: CallView;
}

async function* linesOf(
  storage: RefStorage,
  { calls, shown, view }: Page,
  request: PageRequest,
  context: ReadContext,
): AsyncGenerator<readonly JsonText[]> {
  const page = await openPage(storage, request, context);
  const read = openRead(storage, request.project_id, context);
  const maxBytes = context.limits.ref_value_bytes;
  const expand = (call: StoredCall) => expandCall(call, shown, read.expander, maxBytes);
  for await (const chunk of callsOf(read, calls)) {
    const length = shown.length === 0 ? chunk.length : SLICE_CALLS;
    for (let index = 0; index < chunk.length; index += length) {
      const slice = chunk.slice(index, index + length);
      yield await toLines(page, slice, view, request, context, shown.length === 0 ? undefined : expand);
      read.clock.stop();
    }
  }
}

async function countOf(
  read: CallsRead,
  { plan, through }: ExpandedPlan<CallSelection>,
  limit: number | undefined,
): Promise<number> {
  if (!through) return await read.storage.calls.count(plan, limit, readOptions(read.context));
  let count = 0;
  for await (const chunk of callsOf(read, { plan: inAnyOrder(plan), through: { ...through, limit } })) {
    count += chunk.length;
  }
  return count;
}

async function totalBytes(traceSizes: TraceSizes, roots: AsyncIterable<readonly StoredCall[]>): Promise<number> {
  let total = 0;
  for await (const chunk of roots) {
    const sums = await traceSizes.of(new Set(chunk.map(({ trace_id }) => trace_id)));
    for (const { trace_id } of chunk) total += sums.get(trace_id) ?? 0;
  }
  return total;
}

function inAnyOrder(selection: CallSelection): CallPlan {
  const sort = [{ field: { kind: 'text', column: 'id' }, isDescending: false }] as const;
  return { ...selection, sort, offset: 0, bodies: new Set() };
}

function viewOf(request: CallsStreamQueryRequest): CallView {
  const withFeedback = request.include_feedback === true;
  const withSummary = withFeedback || request.include_costs === true;
  const columns = request.columns ?? [];
  if (columns.length === 0) return { withFeedback, withSummary };
  return { withFeedback, withSummary, columns: new Set(columns.map((path) => path.split('.', 1)[0] ?? path)) };
}

/** The plan reads what the columns name; sizes and a summary shown for another reason need more. */
function withBodies(plan: CallPlan, request: CallsStreamQueryRequest, view: CallView): CallPlan {
  if (request.include_storage_size === true) return { ...plan, bodies: ALL_BODIES };
  if (!view.withSummary) return plan;
  // Attributes tell the provider, which prices depend on.
  const needed: JsonColumn[] = request.include_costs === true ? ['summary', 'attributes'] : ['summary'];
  return { ...plan, bodies: new Set<JsonColumn>([...plan.bodies, ...needed]) };
}

function isShown(column: JsonColumn, { columns, withSummary }: CallView): boolean {
  return columns === undefined || columns.has(column) || (column === 'summary' && withSummary);
}
