import { callTraceName } from '../../../protocol/call-summary.ts';
import { SkeletonEncoder } from '../../../protocol/page/encode-skeleton.ts';
import { SKELETON_STATES, type SkeletonBlock } from '../../../protocol/page/skeleton.ts';
import type { TraceSkeletonRequest } from '../../../protocol/page/trace.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import type { ShownState } from '../../../protocol/shown-state.ts';
import { TRACE_STATUSES, type TraceColumns } from '../../../storage/contract/trace-columns.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { openPrices } from '../read/call-costs.ts';
import { shownKind } from './call-rows.ts';
import type { RowSources } from './row-sources.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { shownStates } from '../read/shown-states.ts';
import { usedByCalls } from '../read/trace-usage.ts';

/** A whole trace without its contents, as bytes for `decodeSkeleton`. A trace that nobody knows has no calls. */
export async function* traceSkeleton(
  sources: RowSources,
  { project_id: projectId, trace_id: traceId }: TraceSkeletonRequest,
  context: ReadContext,
): AsyncGenerator<Uint8Array> {
  checkProject(context.caller, projectId);
  const findPrice = await openPrices(sources.costs, projectId, sources.defaultPrices);
  const running = new RunningCalls(sources, { projectId, traceId }, context);
  const encoder = new SkeletonEncoder();
  for await (const columns of overviewsIn(sources).trace({ projectId, traceId }, readOptions(context))) {
    const states = await running.statesOf(columns);
    yield encoder.encode({ ...blockOf(columns), states, ...usedByCalls(columns, findPrice) });
  }
  yield encoder.end();
}

function blockOf(columns: TraceColumns) {
  const { ids, parents, namedParents, startedAt, endedAt, op, errors, firstChunkMs } = columns;
  const ops = columns.ops.map(({ name, kind }) => ({ name: opNameOf(name), kind: shownKind(kind) }));
  const names = namesOf(columns, ops);
  return { ids, parents, namedParents, startedAt, endedAt, op, ops, names, errors, firstChunkMs };
}

/** Display names where they differ from the op. */
function namesOf({ displayNames, op }: TraceColumns, ops: SkeletonBlock['ops']): Map<number, string> {
  const names = new Map<number, string>();
  for (const [index, displayName] of displayNames) {
    const { name: opName = '' } = ops[op[index] ?? 0] ?? {};
    const name = callTraceName(displayName, opName);
    if (name !== opName) names.set(index, name);
  }
  return names;
}

/** Whether calls without an end still run: where the process of a trace is gone, none of its calls does. */
class RunningCalls {
  readonly #ask: (running: readonly RunningCall[]) => Promise<(call: RunningCall) => ShownState>;
  readonly #traceId: string;
  #stateOf: ((call: RunningCall) => ShownState) | undefined;

  constructor(sources: RowSources, { projectId, traceId }: TraceKey, context: ReadContext) {
    this.#ask = (running) => shownStates(sources, projectId, running, readOptions(context));
    this.#traceId = traceId;
  }

  async statesOf({ statuses, startedAt }: TraceColumns): Promise<Uint8Array> {
    const states = new Uint8Array(statuses.length);
    for (const [index, place] of statuses.entries()) {
      const status = TRACE_STATUSES[place] ?? 'running';
      const call = { status, trace_id: this.#traceId, started_at: startedAt[index] ?? 0 };
      if (status === 'running') this.#stateOf ??= await this.#ask([call]);
      states[index] = SKELETON_STATES.indexOf(status === 'running' ? (this.#stateOf?.(call) ?? status) : status);
    }
    return states;
  }
}

interface TraceKey {
  readonly projectId: string;
  readonly traceId: string;
}

type RunningCall = Parameters<Awaited<ReturnType<typeof shownStates>>>[0];
