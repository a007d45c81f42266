import { type ShownState, shownState } from '../../../protocol/shown-state.ts';
import type { CallOutline } from '../../../storage/contract/overviews.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import { goneTraces } from './gone-traces.ts';
import type { OverviewSources } from './overviews-in.ts';

type ShownCall = Pick<CallOutline, 'status' | 'trace_id' | 'started_at'>;

/**
 * Shown states of calls. Of those without an end it is looked up if the process of their trace is still there, which
 * can be seen on this machine only; the first call of a trace tells it.
 */
export async function shownStates(
  sources: OverviewSources,
  projectId: string,
  outlines: readonly ShownCall[],
  options?: ReadOptions,
): Promise<(outline: ShownCall) => ShownState> {
  const now = Date.now();
  const running = outlines.filter(({ status }) => status === 'running');
  const traceIds = [...new Set(running.map(({ trace_id: id }) => id))];
  const gone = await goneTraces(sources, projectId, traceIds, options);
  return ({ status, trace_id: traceId, started_at: startedAt }) =>
    shownState(status, { now, startedAt: startedAt / 1000, isGone: gone.has(traceId) });
}
