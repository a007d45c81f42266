import { TracingError } from '../../../protocol/error.ts';
import type { CallRow, CallRowRequest, CallRowsRequest, CallRowsResponse } from '../../../protocol/page/call-row.ts';
import { KINDS } from '../../../protocol/page/kinds.ts';
import { callTraceName } from '../../../protocol/call-summary.ts';
import { formatCallRef, opNameOf } from '../../../protocol/ref.ts';
import type { ShownState } from '../../../protocol/shown-state.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { CallOutline, ModelUsage, OutlinePlan } from '../../../storage/contract/overviews.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { isByTime, MAX_ROWS, planOutlines, planRows, type RowsPosition } from '../plan/plan-overview.ts';
import { openPrices, type PriceFinder } from './call-costs.ts';
import { overviewsIn } from './overviews-in.ts';
import type { DefaultPrices } from './price.ts';
import { type ReadContext, readOptions } from './read-calls.ts';
import { shownStates } from './shown-states.ts';
import { completionOf, costOfUsage, promptOf, sumOfCosts } from './usage-cost.ts';

/** Where rows are read. */
export interface RowSources extends Pick<Storage, 'calls' | 'costs' | 'feedback' | 'overviews'> {
  readonly defaultPrices: DefaultPrices;
}

/** One page of a list. */
export async function readRows(
  sources: RowSources,
  request: CallRowsRequest,
  context: ReadContext,
): Promise<CallRowsResponse> {
  checkProject(context.caller, request.project_id);
  const position = readCursor(request.cursor ?? undefined);
  const plan = planRows(request, position, context.limits);
  if (position.after !== undefined && !isByTime(plan)) throw strangeCursor();
  const outlines = await outlinesOf(sources, plan, context);
  const limit = (plan.limit ?? 1) - 1;
  const shown = outlines.slice(0, limit);
  const rows = await rowsOf(sources, request.project_id, shown, context);
  return { rows, next_cursor: outlines.length > limit ? cursorBehind(shown, plan) : null };
}

/** The rows of calls by their ids; those that are not there are left out. */
export async function readRowsById(
  sources: RowSources,
  { project_id: projectId, ids }: CallRowRequest,
  context: ReadContext,
): Promise<CallRow[]> {
  checkProject(context.caller, projectId);
  if (ids.length > MAX_ROWS) {
    throw new TracingError('too_many_items', `Cannot read ${ids.length} calls at once: want at most ${MAX_ROWS}`);
  }
  if (ids.length === 0) return [];
  const plan = planOutlines({ project_id: projectId, filter: { call_ids: [...ids] } }, context.limits);
  return await rowsOf(sources, projectId, await outlinesOf(sources, plan, context), context);
}

/** All rows of a selection, in chunks. */
export async function* streamRows(
  sources: RowSources,
  plan: OutlinePlan,
  context: ReadContext,
): AsyncGenerator<readonly CallRow[]> {
  for await (const chunk of overviewsIn(sources).outlines(plan, readOptions(context))) {
    yield await rowsOf(sources, plan.projectId, chunk, context);
  }
}

async function outlinesOf(sources: RowSources, plan: OutlinePlan, context: ReadContext): Promise<CallOutline[]> {
  const outlines: CallOutline[] = [];
  for await (const chunk of overviewsIn(sources).outlines(plan, readOptions(context))) outlines.push(...chunk);
  return outlines;
}

async function rowsOf(
  sources: RowSources,
  projectId: string,
  outlines: readonly CallOutline[],
  context: ReadContext,
): Promise<CallRow[]> {
  const findPrice = await openPrices(sources.costs, projectId, sources.defaultPrices);
  const stateOf = await shownStates(sources, projectId, outlines, readOptions(context));
  const feedback = await feedbackCounts(sources, projectId, outlines);
  return outlines.map((outline) =>
    rowOf(outline, { findPrice, state: stateOf(outline), feedback: feedback.get(outline.id) ?? 0 }),
  );
}

async function feedbackCounts(
  { feedback }: RowSources,
  projectId: string,
  outlines: readonly CallOutline[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map(outlines.map(({ id }) => [formatCallRef(projectId, id), id]));
  const counts = new Map<string, number>();
  if (ids.size === 0) return counts;
  for (const { svc_ref: ref } of await feedback.list(projectId, [...ids.keys()])) {
    const id = ids.get(ref) ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

interface RowFindings {
  readonly findPrice: PriceFinder;
  readonly state: ShownState;
  readonly feedback: number;
}

function rowOf(outline: CallOutline, { findPrice, state, feedback }: RowFindings): CallRow {
  const { usages, started_at: startedAt, ended_at: endedAt } = outline;
  const { cost, unpriced } = sumOfCosts(
    usages.map((usage) => [usage.model, costOfUsage(usage, startedAt, findPrice)] as const),
  );
  const sum = (count: (usage: ModelUsage) => number) =>
    usages.length === 0 ? null : usages.reduce((total, usage) => total + count(usage), 0);
  return {
    id: outline.id,
    trace_id: outline.trace_id,
    parent_id: outline.parent_id,
    thread_id: outline.thread_id,
    op: opNameOf(outline.op_name),
    op_name: outline.op_name,
    name: callTraceName(outline.display_name, outline.op_name),
    kind: shownKind(outline.kind),
    state,
    error: outline.error,
    error_type: outline.error_type,
    started_at: formatDateTime(startedAt),
    ended_at: endedAt === null ? null : formatDateTime(endedAt),
    latency_ms: endedAt === null ? null : Math.max(0, endedAt - startedAt) / 1000,
    input: outline.input,
    output: outline.output,
    tokens: sum(({ tokens }) => tokens.total),
    tokens_in: sum(({ tokens }) => promptOf(tokens)),
    tokens_out: sum(({ tokens }) => completionOf(tokens)),
    tokens_cached: sum(({ tokens }) => tokens.cacheRead),
    cost,
    unpriced_models: [...unpriced],
    model: mostUsed(usages),
    models: [...new Set(usages.map(({ model }) => model))],
    feedback,
  };
}

export function shownKind(kind: string | null): string {
  return kind !== null && KINDS.includes(kind) ? kind : 'other';
}

export function mostUsed(usages: readonly ModelUsage[]): string | null {
  const [first, ...others] = usages;
  if (first === undefined) return null;
  return others.reduce((most, usage) => (usage.tokens.total > most.tokens.total ? usage : most), first).model;
}

/** Where the next page begins: behind the last call where the order is one of time, else behind as many as were shown. */
function cursorBehind(shown: readonly CallOutline[], plan: OutlinePlan): string | null {
  const last = shown.at(-1);
  if (last === undefined) return null;
  const position = isByTime(plan) ? [last.started_at, last.id] : [plan.offset + shown.length];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor(cursor: string | undefined): RowsPosition {
  if (cursor === undefined) return {};
  const [first, second, ...others] = parseCursor(cursor);
  const isCount = typeof first === 'number' && Number.isSafeInteger(first) && others.length === 0;
  if (isCount && typeof second === 'string') return { after: { startedAt: first, id: second } };
  if (isCount && second === undefined && first >= 0) return { offset: first };
  throw strangeCursor();
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    // Not JSON: no page of ours has ended there.
    return [];
  }
}

function strangeCursor(): TracingError {
  return new TracingError(
    'invalid_request',
    'Cannot go on from the cursor: it comes from no answer to such a request',
    {
      field: 'cursor',
    },
  );
}
