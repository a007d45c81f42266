import type { Limits } from '../../../protocol/limits.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { Caller } from '../../keys/authenticate.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import type { CallQuery } from '../plan/calls-query.ts';
import type { CallView } from '../plan/call-view.ts';
import { feedbackOfCalls, type FeedbackByRef, feedbackOnCall } from './call-feedback.ts';
import { costsOfCall, openPrices, type PriceFinder } from './call-costs.ts';
import { type CallFindings, callLine, type CallSizes } from './call-line.ts';
import { openTraceSizes, storedBytes, type TraceSizes } from './call-sizes.ts';
import type { DefaultPrices } from './price.ts';

/** The context that reading needs besides the request. */
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
  query: CallQuery,
  context: ReadContext,
): Promise<JsonText | undefined> {
  const call = await sources.calls.get(query.projectId, query.id);
  if (!call) return undefined;
  const [line] = await toLines(await openPage(sources, query, context), [call]);
  return line;
}

/** Calls of one request on their way out: what of them is shown, and what is read once, however many parts there are. */
export interface Page extends CallSources {
  readonly projectId: string;
  readonly view: CallView;
  readonly prices: PriceFinder | undefined;
  readonly traceSizes: TraceSizes;
}

export async function openPage(
  sources: CallSources,
  { projectId, view }: Pick<Page, 'projectId' | 'view'>,
  context: ReadContext,
): Promise<Page> {
  const { costs, defaultPrices } = sources;
  const prices = view.withCosts ? await openPrices(costs, projectId, defaultPrices) : undefined;
  const traceSizes = openTraceSizes(sources.calls, projectId, readOptions(context));
  return { ...sources, projectId, view, prices, traceSizes };
}

/** The JSON of calls; `shownAs` gives what is shown of their bodies. */
export async function toLines(
  page: Page,
  chunk: readonly StoredCall[],
  shownAs: (call: StoredCall) => Promise<StoredCall> = async (call) => call,
): Promise<JsonText[]> {
  const { feedback, projectId, view, prices } = page;
  const sizesOf = await sizesOfChunk(page, chunk);
  const said = view.withFeedback ? await feedbackOfCalls(feedback, projectId, chunk) : undefined;
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
  { traceSizes, view: { withOwnSize, withTraceSize } }: Page,
  chunk: readonly StoredCall[],
): Promise<(call: StoredCall) => CallSizes> {
  if (!withOwnSize && !withTraceSize) return () => NO_SIZES;
  const roots = withTraceSize ? chunk.filter(isRoot) : [];
  const totals = await traceSizes.of(new Set(roots.map(({ trace_id }) => trace_id)));
  return (call) => ({
    own: withOwnSize ? storedBytes(call) : null,
    total: isRoot(call) ? (totals.get(call.trace_id) ?? null) : null,
  });
}

export function readOptions({ limits, signal }: ReadContext): ReadOptions {
  return { deadlineMs: limits.read_ms, signal };
}

function isRoot(call: StoredCall): boolean {
  return call.parent_id === null;
}
