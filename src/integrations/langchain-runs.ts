import { captures } from '../tracing/captures.ts';
import { clock } from '../tracing/clock.ts';
import { endCall, failCall, recordUsage } from '../tracing/end-call.ts';
import type { UntypedOptions } from '../tracing/op-spec.ts';
import { currentFrame } from '../tracing/outermost.ts';
import type { RecordedCall, StreamEndReason } from '../tracing/recorded-call.ts';
import { registry } from '../tracing/registry.ts';
import { beginOwnCall } from '../tracing/trace.ts';
import type { ModelUsage } from '../tracing/usage.ts';

/** A run of LangChain as it tells of it. */
export interface RunStart {
  readonly runId: string;
  readonly parentRunId: string | undefined;
  readonly name: string;
  readonly inputs: unknown;
  readonly options: UntypedOptions;
  /** The model that a request names. */
  readonly model?: string;
}

interface Run {
  readonly call: RecordedCall;
  readonly model: string;
  /** Not shown: what is below hangs below its parent. */
  readonly isHidden: boolean;
  chunks: number;
  firstChunkMs: number | null;
}

/** Runs that have begun and not ended, of all handlers: a run that two of them are told of is one. */
const runs = new Map<string, Run>();

/** The call of a run that has not ended. */
export function callOfRun(runId: unknown): RecordedCall | undefined {
  return typeof runId === 'string' ? runs.get(runId)?.call : undefined;
}

export function startRun({ runId, parentRunId, name, inputs, options, model = 'unknown' }: RunStart): void {
  if (runs.has(runId)) return;
  const parent = parentOf(parentRunId);
  const begin = () => beginOwnCall(`langchain.${name}`, inputs, options);
  const frame = parent === undefined ? begin() : registry.context.run(parent, begin);
  const call = frame?.call;
  if (call === undefined) return;
  if (options.kind === 'llm') captures.requests.add(call);
  runs.set(runId, { call, model, isHidden: false, chunks: 0, firstChunkMs: null });
}

/** A run that LangChain itself hides from traces. */
export function hideRun(runId: string, parentRunId: string | undefined): void {
  const parent = callOfRun(parentRunId);
  if (parent !== undefined) runs.set(runId, { call: parent, model: '', isHidden: true, chunks: 0, firstChunkMs: null });
}

/** The parent run; `undefined` where what runs here is the work of it, or where there is none. */
function parentOf(parentRunId: string | undefined): RecordedCall | undefined {
  const told = callOfRun(parentRunId);
  return told === undefined || isAtOrBelow(currentFrame()?.call, told) ? undefined : told;
}

/** A piece of an answer has come; `count` is 0 where somebody else counts. */
export function noteChunk(runId: string, count = 1): void {
  const run = runs.get(runId);
  if (run === undefined) return;
  run.chunks += count;
  run.firstChunkMs ??= (clock.now() - run.call.startedAt) / 1000;
}

export function endRun(runId: string, output: unknown, usage?: (model: string) => ModelUsage | undefined): void {
  const run = take(runId, 'end');
  if (run === undefined) return;
  const told = usage?.(run.model);
  if (told !== undefined) recordUsage(run.call, told.model, told);
  endCall(run.call, {}, output);
}

export function failRun(runId: string, error: unknown): void {
  const run = take(runId, 'error');
  if (run !== undefined) failCall(run.call, error);
}

/** The program has left the stream of a run after so many chunks, of which LangChain tells nothing. */
export function leaveRun(runId: string, output: unknown, chunks: number): void {
  const open = runs.get(runId);
  if (open !== undefined) open.chunks = chunks;
  const run = take(runId, 'break');
  if (run !== undefined) endCall(run.call, {}, output);
}

/** The same for all runs of a stream that have not ended by themselves. */
export function leaveRunsBelow(root: RecordedCall): void {
  for (const [runId, { call }] of [...runs].toReversed()) {
    if (isAtOrBelow(call, root)) leaveRun(runId, undefined, 0);
  }
}

function isAtOrBelow(call: RecordedCall | undefined, root: RecordedCall): boolean {
  for (let at = call; at !== undefined; at = at.parent) if (at === root) return true;
  return false;
}

function take(runId: string, reason: StreamEndReason): Run | undefined {
  const run = runs.get(runId);
  runs.delete(runId);
  if (run === undefined || run.isHidden) return undefined;
  const { call, chunks, firstChunkMs } = run;
  if (chunks > 0 || reason === 'break') call.stream = { chunks, first_chunk_ms: firstChunkMs, reason };
  return run;
}
