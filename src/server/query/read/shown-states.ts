import { parseJson } from '../../../protocol/values/json.ts';
import { type ShownState, shownState } from '../../../protocol/shown-state.ts';
import type { CallReader, StoredCall } from '../../../storage/contract/calls.ts';
import type { CallOutline } from '../../../storage/contract/overviews.ts';
import type { CallPlan } from '../../../storage/contract/plan.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';
import { isRunningHere, senderIn } from '../../process-here.ts';

/** Traces with running calls that are asked for their processes at once. */
const TRACES_AT_ONCE = 200;

type ShownCall = Pick<CallOutline, 'status' | 'trace_id' | 'started_at'>;

/**
 * What calls are shown as. Of those without an end it is looked up whether the process of their trace is still there, which
 * can be seen on this machine only; the first call of a trace tells it.
 */
export async function shownStates(
  calls: CallReader,
  projectId: string,
  outlines: readonly ShownCall[],
  options?: ReadOptions,
): Promise<(outline: ShownCall) => ShownState> {
  const now = Date.now();
  const running = outlines.filter(({ status }) => status === 'running');
  const traceIds = [...new Set(running.map(({ trace_id: id }) => id))];
  const gone = await goneTraces(calls, projectId, traceIds, options);
  return ({ status, trace_id: traceId, started_at: startedAt }) =>
    shownState(status, { now, startedAt: startedAt / 1000, isGone: gone.has(traceId) });
}

/** Those of traces whose process has ended, as far as that can be seen from here. */
export async function goneTraces(
  calls: CallReader,
  projectId: string,
  traceIds: readonly string[],
  options?: ReadOptions,
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (let from = 0; from < traceIds.length; from += TRACES_AT_ONCE) {
    const plan = planRoots(projectId, traceIds.slice(from, from + TRACES_AT_ONCE));
    for await (const chunk of calls.query(plan, options)) {
      for (const call of chunk) if (isProcessGone(call)) gone.add(call.trace_id);
    }
  }
  return gone;
}

function planRoots(projectId: string, traceIds: readonly string[]): CallPlan {
  const sort = [{ field: { kind: 'text', column: 'id' }, isDescending: false }] as const;
  return { projectId, filter: { traceIds, rootsOnly: true }, sort, offset: 0, bodies: ATTRIBUTES };
}

const ATTRIBUTES = new Set(['attributes'] as const);

function isProcessGone({ attributes }: StoredCall): boolean {
  if (attributes === null || !attributes.includes('"pid"')) return false;
  const parsed: unknown = parseJson(attributes);
  const recorder = isJsonObject(parsed) ? parsed['svc'] : undefined;
  const sender = isJsonObject(recorder) ? senderIn(recorder) : undefined;
  return sender !== undefined && isRunningHere(sender) === false;
}
