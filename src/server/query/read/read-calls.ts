import type { CallReadRequest, CallsStreamQueryRequest } from '../../../protocol/call.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { JsonText, ReadOptions, Storage, StoredCall } from '../../../storage/contract/storage.ts';
import { type Caller, checkProject } from '../../keys/authenticate.ts';
import { checkId } from '../../ingest/check-ids.ts';
import { mapInTurns } from '../../ingest/map-in-turns.ts';
import { feedbackOfCalls, type FeedbackByRef, feedbackOnCall } from './call-feedback.ts';
import { costsOfCall, openPrices, type PriceFinder } from './call-costs.ts';
import { type CallFindings, callLine, type CallSizes, type CallView } from './call-line.ts';
import { openTraceSizes, storedBytes, type TraceSizes } from './call-sizes.ts';
import type { DefaultPrices } from './price.ts';

/** What reading needs besides the request. */
export interface ReadContext {
  readonly caller: Caller;
  readonly limits: Limits;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Where calls and what is shown with them are read. */
export interface CallSources extends Pick<Storage, 'calls' | 'costs' | 'feedback'> {
  /** Prices that no project stores. */
  readonly defaultPrices?: DefaultPrices | undefined;
}

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
  const [line] = await toLines(await openPage(sources, request, context), [call], view, request, context);
  return line;
}

export type PageRequest = Pick<
  CallsStreamQueryRequest,
  'project_id' | 'include_costs' | 'include_storage_size' | 'include_total_storage_size'
>;

/** What is read once per request, however many parts its answer has. */
export interface PageSources extends CallSources {
  readonly prices: PriceFinder | undefined;
  readonly traceSizes: TraceSizes;
}

export async function openPage(sources: CallSources, request: PageRequest, context: ReadContext): Promise<PageSources> {
  const traceSizes = openTraceSizes(sources.calls, request.project_id, readOptions(context));
  return { ...sources, prices: await pricesOf(sources, request), traceSizes };
}

async function pricesOf({ costs, defaultPrices }: CallSources, request: PageRequest): Promise<PriceFinder | undefined> {
  return request.include_costs === true ? await openPrices(costs, request.project_id, defaultPrices) : undefined;
}

/** The JSON of calls; `shownAs` gives what is shown of their bodies. */
export async function toLines(
  { feedback, prices, traceSizes }: PageSources,
  chunk: readonly StoredCall[],
  view: CallView,
  request: PageRequest,
  context: ReadContext,
  shownAs: (call: StoredCall) => Promise<StoredCall> = async (call) => call,
): Promise<JsonText[]> {
  const sizesOf = await sizesOfChunk(traceSizes, chunk, request);
  const said = view.withFeedback ? await feedbackOfCalls(feedback, request.project_id, chunk) : undefined;
  const shown = await Promise.all(chunk.map(shownAs));
  return await mapInTurns(chunk, (call, index) => {
    return callLine(shown[index] ?? call, view, sizesOf(call), findingsOn(call, prices, said));
  });
}

function findingsOn(call: StoredCall, prices: PriceFinder | undefined, said: FeedbackByRef | undefined): CallFindings {
  const costs = prices && costsOfCall(call, prices);
  return {
    ...(costs && { costs: costs.costs, unpriced: costs.unpriced }),
    ...(said && { feedback: feedbackOnCall(call, said) }),
  };
}

/** The sizes of the calls of a chunk, as far as they were asked for. */
async function sizesOfChunk(
  traceSizes: TraceSizes,
  chunk: readonly StoredCall[],
  request: PageRequest,
): Promise<(call: StoredCall) => CallSizes> {
  const withOwn = request.include_storage_size === true;
  if (!withOwn && request.include_total_storage_size !== true) return () => NO_SIZES;
  const roots = request.include_total_storage_size === true ? chunk.filter(isRoot) : [];
  const totals = await traceSizes.of(new Set(roots.map(({ trace_id }) => trace_id)));
  return (call) => ({
    own: withOwn ? storedBytes(call) : null,
    total: isRoot(call) ? (totals.get(call.trace_id) ?? null) : null,
  });
}

export function readOptions({ limits, signal }: ReadContext): ReadOptions {
  return { deadlineMs: limits.read_ms, signal };
}

function isRoot(call: StoredCall): boolean {
  return call.parent_id === null;
}
