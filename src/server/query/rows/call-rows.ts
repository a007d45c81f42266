import { TracingError } from '../../../protocol/error.ts';
import type { CallRow, CallRowRequest, CallRowsRequest, CallRowsResponse } from '../../../protocol/page/call-row.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import { KINDS } from '../../../protocol/page/kinds.ts';
import { callTraceName } from '../../../protocol/call-summary.ts';
import { formatCallRef, opNameOf } from '../../../protocol/ref.ts';
import type { ShownState } from '../../../protocol/shown-state.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { CallOutline, ModelUsage, OutlinePlan } from '../../../storage/contract/overviews.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { isByTime, MAX_ROWS, planOutlines, planRows } from '../plan/plan-overview.ts';
import { openPrices, type PriceFinder } from '../read/call-costs.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { shownStates } from '../read/shown-states.ts';
import { useOf } from './call-use.ts';
import { openSelection, type PickCalls } from './pick-calls.ts';
import { type PickedPage, pickPage } from './picked-page.ts';
import type { RowSources } from './row-sources.ts';
import { cursorBehind, readCursor, strangeCursor } from './rows-cursor.ts';
import { streamOutlines } from './stream-outlines.ts';

/** One page of a list. */
export async function readRows(
  sources: RowSources,
  asked: CallRowsRequest,
  context: ReadContext,
): Promise<CallRowsResponse> {
  const { request, pick } = await openSelection(sources, asked, context);
  const position = readCursor(request.cursor ?? undefined);
  const plan = planRows(request, position, context.limits);
  if (position.after !== undefined && !isByTime(plan)) throw strangeCursor();
  const { shown, end } = await (pick === undefined
    ? wholePage(sources, plan, context)
    : pickedPage(sources, plan, pick, context));
  const rows = await rowsOf(sources, request.project_id, shown, context);
  return { rows, next_cursor: end === undefined ? null : cursorBehind(end.last, end.count, plan) };
}

async function wholePage(sources: RowSources, plan: OutlinePlan, context: ReadContext): Promise<PickedPage> {
  const outlines = await outlinesOf(sources, plan, context);
  const limit = limitOf(plan);
  const shown = outlines.slice(0, limit);
  return { shown, ...(outlines.length > limit && { end: { last: shown.at(-1), count: limit } }) };
}

/** Calls are looked at without what they hold; that of those shown is read again. */
async function pickedPage(
  sources: RowSources,
  plan: OutlinePlan,
  pick: PickCalls,
  context: ReadContext,
): Promise<PickedPage> {
  const { limit: _, ...all } = plan;
  const looked = overviewsIn(sources).outlines({ ...all, hasPreviews: false }, readOptions(context));
  const { shown, end } = await pickPage(looked, limitOf(plan), pick);
  const ids = shown.map(({ id }) => id);
  const whole = new Map((await outlinesById(sources, plan.projectId, ids, context)).map((each) => [each.id, each]));
  return { shown: ids.flatMap((id) => whole.get(id) ?? []), ...(end && { end }) };
}

/** A plan asks for one more than is shown. */
function limitOf({ limit = 1 }: OutlinePlan): number {
  return limit - 1;
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
  return await rowsOf(sources, projectId, await outlinesById(sources, projectId, ids, context), context);
}

/** All rows of a selection, in chunks, the newest first. */
export async function* streamRows(
  sources: RowSources,
  asked: CallsSelection,
  context: ReadContext,
): AsyncGenerator<readonly CallRow[]> {
  for await (const outlines of streamOutlines(sources, asked, context))
    yield await rowsOf(sources, asked.project_id, outlines, context);
}

async function outlinesById(
  sources: RowSources,
  projectId: string,
  ids: readonly string[],
  context: ReadContext,
): Promise<CallOutline[]> {
  // An empty list of ids would be no condition.
  if (ids.length === 0) return [];
  const plan = planOutlines({ project_id: projectId, filter: { call_ids: [...ids] } }, context.limits);
  return await outlinesOf(sources, plan, context);
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
  const { started_at: startedAt, ended_at: endedAt } = outline;
  const { tokens, cost, unpriced, models } = useOf(outline, findPrice);
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
    tokens: tokens?.total ?? null,
    tokens_in: tokens?.input ?? null,
    tokens_out: tokens?.output ?? null,
    tokens_cached: tokens?.cached ?? null,
    cost,
    unpriced_models: [...unpriced],
    model: mostUsed(outline.usages),
    models: [...models],
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
