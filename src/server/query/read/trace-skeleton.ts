import { callTraceName } from '../../../protocol/call-summary.ts';
import { SkeletonEncoder } from '../../../protocol/page/encode-skeleton.ts';
import type { SkeletonCall } from '../../../protocol/page/skeleton.ts';
import type { TraceSkeletonRequest } from '../../../protocol/page/trace.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import type { ShownState } from '../../../protocol/shown-state.ts';
import type { CallOutline } from '../../../storage/contract/overviews.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { planOutlines } from '../plan/plan-overview.ts';
import { openPrices, type PriceFinder } from './call-costs.ts';
import { mostUsed, overviewsIn, type RowSources, shownKind } from './call-rows.ts';
import { type ReadContext, readOptions } from './read-calls.ts';
import { shownStates } from './shown-states.ts';
import { completionOf, costOfUsage, promptOf, sumOfCosts } from './usage-cost.ts';

const BY_TIME = [{ field: 'started_at', direction: 'asc' as const }];

/** A whole trace without its contents, as bytes for `decodeSkeleton`. A trace that nobody knows has no calls. */
export async function* traceSkeleton(
  sources: RowSources,
  { project_id: projectId, trace_id: traceId }: TraceSkeletonRequest,
  context: ReadContext,
): AsyncGenerator<Uint8Array> {
  checkProject(context.caller, projectId);
  const request = { project_id: projectId, filter: { trace_ids: [traceId] }, sort_by: BY_TIME };
  const plan = { ...planOutlines(request, context.limits), hasPreviews: false };
  const findPrice = await openPrices(sources.costs, projectId, sources.defaultPrices);
  const encoder = new SkeletonEncoder();
  for await (const chunk of overviewsIn(sources).outlines(plan, readOptions(context))) {
    const stateOf = await shownStates(sources.calls, projectId, chunk, readOptions(context));
    yield encoder.encode(chunk.map((outline) => skeletonCall(outline, stateOf(outline), findPrice)));
  }
  yield encoder.end();
}

function skeletonCall(outline: CallOutline, state: ShownState, findPrice: PriceFinder): SkeletonCall {
  const { usages, started_at: startedAt } = outline;
  const { cost } = sumOfCosts(usages.map((usage) => [usage.model, costOfUsage(usage, startedAt, findPrice)] as const));
  return {
    id: outline.id,
    parentId: outline.parent_id,
    startedAt,
    endedAt: outline.ended_at,
    op: opNameOf(outline.op_name),
    kind: shownKind(outline.kind),
    name: callTraceName(outline.display_name, outline.op_name),
    state,
    tokensIn: usages.reduce((sum, { tokens }) => sum + promptOf(tokens), 0),
    tokensOut: usages.reduce((sum, { tokens }) => sum + completionOf(tokens), 0),
    cost,
    error: outline.error,
    model: mostUsed(usages),
    firstChunkMs: outline.first_chunk_ms,
  };
}
