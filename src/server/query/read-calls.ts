import type { CallReadRequest, CallsQueryStatsRequest, CallsStreamQueryRequest } from '../../protocol/call.ts';
import { TracingError } from '../../protocol/error.ts';
import type { Limits } from '../../protocol/limits.ts';
import type { CallPlan, JsonColumn } from '../../storage/plan.ts';
import type { CallReader, JsonText, ReadOptions, Storage, StoredCall } from '../../storage/storage.ts';
import { type Caller, checkProject } from '../authenticate.ts';
import { checkId } from '../ingest/check-ids.ts';
import { feedbackOfCalls, type FeedbackByRef, feedbackOnCall } from './call-feedback.ts';
import { costsOfCall, type PriceList, readPrices } from './call-costs.ts';
import { type CallFindings, callLine, type CallSizes, type CallView } from './call-line.ts';
import { ALL_BODIES, storedBytes, traceBytes } from './call-sizes.ts';
import { planCalls, planSelection } from './plan-calls.ts';

/** What reading needs besides the request. */
export interface ReadContext {
  readonly caller: Caller;
  readonly limits: Limits;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Where calls and what is shown with them are read. */
export type CallSources = Pick<Storage, 'calls' | 'costs' | 'feedback'>;

const NO_SIZES: CallSizes = { own: null, total: null };

/** The JSON of one call, or undefined when it is unknown, pending or deleted. */
export async function readCall(
  sources: CallSources,
  request: CallReadRequest,
  context: ReadContext,
): Promise<JsonText | undefined> {
  checkProject(context.caller, request.project_id);
  const call = await sources.calls.get(request.project_id, checkId('id', request.id));
  if (!call) return undefined;
  const view: CallView = { withFeedback: false, withSummary: true };
  const prices = await pricesOf(sources, request);
  const [line] = await toLines({ ...sources, prices }, [call], view, request, context);
  return line;
}

/** The calls of a query as lines of JSON, in chunks of bounded size; the request is checked before the first. */
export function queryCalls(
  sources: CallSources,
  request: CallsStreamQueryRequest,
  context: ReadContext,
): AsyncIterable<readonly JsonText[]> {
  checkProject(context.caller, request.project_id);
  refuseExpansion(request.expand_columns);
  const view = viewOf(request);
  const plan = withBodies(planCalls(request, context.limits), request, view);
  return linesOf(sources, plan, view, request, context);
}

/** How many calls a query has and, when asked for, how many bytes their traces take. */
export async function queryStats(
  calls: CallReader,
  request: CallsQueryStatsRequest,
  context: ReadContext,
): Promise<{ count: number; total_storage_size_bytes: number | null }> {
  checkProject(context.caller, request.project_id);
  refuseExpansion(request.expand_columns);
  const limit = request.limit ?? undefined;
  if (limit !== undefined && limit < 1) {
    throw new TracingError('invalid_request', `Cannot count up to ${limit} calls: want at least 1`);
  }
  const selection = planSelection(request, context.limits);
  const options = readOptions(context);
  const count = await calls.count(selection, limit, options);
  if (!request.include_total_storage_size) return { count, total_storage_size_bytes: null };
  const roots: CallPlan = {
    ...selection,
    filter: { ...selection.filter, rootsOnly: true },
    sort: [{ field: { kind: 'text', column: 'id' }, isDescending: false }],
    offset: 0,
    bodies: new Set(),
  };
  return { count, total_storage_size_bytes: await totalBytes(calls, roots, options) };
}

async function* linesOf(
  sources: CallSources,
  plan: CallPlan,
  view: CallView,
  request: PageRequest,
  context: ReadContext,
): AsyncGenerator<readonly JsonText[]> {
  const page: PageSources = { ...sources, prices: await pricesOf(sources, request) };
  for await (const chunk of sources.calls.query(plan, readOptions(context))) {
    yield await toLines(page, chunk, view, request, context);
  }
}

type PageRequest = Pick<
  CallsStreamQueryRequest,
  'project_id' | 'include_costs' | 'include_storage_size' | 'include_total_storage_size'
>;

/** Prices are read once per request. */
interface PageSources extends CallSources {
  readonly prices: PriceList | undefined;
}

async function pricesOf({ costs }: CallSources, request: PageRequest): Promise<PriceList | undefined> {
  return request.include_costs === true ? await readPrices(costs, request.project_id) : undefined;
}

async function toLines(
  { calls, feedback, prices }: PageSources,
  chunk: readonly StoredCall[],
  view: CallView,
  request: PageRequest,
  context: ReadContext,
): Promise<JsonText[]> {
  const sizesOf = await sizesOfChunk(calls, chunk, request, context);
  const said = view.withFeedback ? await feedbackOfCalls(feedback, request.project_id, chunk) : undefined;
  return chunk.map((call) => callLine(call, view, sizesOf(call), findingsOn(call, prices, said)));
}

function findingsOn(call: StoredCall, prices: PriceList | undefined, said: FeedbackByRef | undefined): CallFindings {
  const costs = prices && costsOfCall(call, prices);
  return { ...(costs && { costs }), ...(said && { feedback: feedbackOnCall(call, said) }) };
}

/** The sizes of the calls of a chunk, as far as they were asked for. */
async function sizesOfChunk(
  calls: CallReader,
  chunk: readonly StoredCall[],
  request: PageRequest,
  context: ReadContext,
): Promise<(call: StoredCall) => CallSizes> {
  const withOwn = request.include_storage_size === true;
  if (!withOwn && request.include_total_storage_size !== true) return () => NO_SIZES;
  const roots = request.include_total_storage_size === true ? chunk.filter(isRoot) : [];
  const traceIds = new Set(roots.map(({ trace_id }) => trace_id));
  const totals = await traceBytes(calls, request.project_id, traceIds, readOptions(context));
  return (call) => ({
    own: withOwn ? storedBytes(call) : null,
    total: isRoot(call) ? (totals.get(call.trace_id) ?? null) : null,
  });
}

async function totalBytes(calls: CallReader, roots: CallPlan, options: ReadOptions): Promise<number> {
  let total = 0;
  for await (const chunk of calls.query(roots, options)) {
    const sums = await traceBytes(calls, roots.projectId, new Set(chunk.map(({ trace_id }) => trace_id)), options);
    for (const { trace_id } of chunk) total += sums.get(trace_id) ?? 0;
  }
  return total;
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
  return { ...plan, bodies: new Set<JsonColumn>([...plan.bodies, 'summary']) };
}

function refuseExpansion(paths: readonly string[] | null | undefined): void {
  if (!paths || paths.length === 0) return;
  throw new TracingError('invalid_request', 'Cannot expand columns: expand_columns is not available yet');
}

function readOptions({ limits, signal }: ReadContext): ReadOptions {
  return { deadlineMs: limits.read_ms, signal };
}

function isRoot(call: StoredCall): boolean {
  return call.parent_id === null;
}
