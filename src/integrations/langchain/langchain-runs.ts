// docs/decisions/0026-the-model-run-tells-the-request.md says why.
import {
  beginOwnCall,
  captureOutput,
  captures,
  clock,
  currentFrame,
  endCall,
  failCall,
  type Frame,
  type ModelUsage,
  type RecordedCall,
  recordUsage,
  registry,
  type StreamEndReason,
  type UntypedOptions,
} from '../../tracing/instrument.ts';
import { type Streamed, streamsAt } from './langchain-streamed.ts';

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
  /** The frame of what runs inside; it has no call where the run is not sampled. */
  readonly frame: Frame;
  readonly model: string;
  /** Not shown: what is below hangs below its parent. */
  readonly isHidden: boolean;
  /** The streams whose work this is. */
  readonly within: readonly Streamed[];
  chunks: number;
  firstChunkMs: number | null;
  /** The part of the answer that has come. */
  soFar?: () => SoFar;
}

/** Of a stream that goes on. */
export interface SoFar {
  readonly output: unknown;
  readonly chunks: number;
}

/** A run whose call is to end. */
type Ending = Pick<Run, 'model'> & { readonly call: RecordedCall };

/** Runs that have begun and not ended, of all handlers: a run that two of them are told of is one. */
const runs = new Map<string, Run>();

/** Where the work of a run that has not ended runs. */
export function frameOfRun(runId: unknown): Frame | undefined {
  return typeof runId === 'string' ? runs.get(runId)?.frame : undefined;
}

export function startRun({ runId, parentRunId, name, inputs, options, model = 'unknown' }: RunStart): void {
  if (runs.has(runId)) return;
  const parent = parentOf(parentRunId);
  const begin = () => beginOwnCall(`langchain.${name}`, inputs, options);
  const own = parent === undefined ? begin() : registry.context.run(parent, begin);
  // Where nothing is recorded, nothing below is either.
  const frame = own ?? parent ?? currentFrame();
  if (frame === undefined) return;
  if (options.kind === 'llm' && own?.call !== undefined) captures.requests.add(own.call);
  const within = streamsAround(runId, parentRunId);
  runs.set(runId, { frame, model, isHidden: own === undefined, within, chunks: 0, firstChunkMs: null });
}

/** A run that LangChain itself hides from traces. */
export function hideRun(runId: string, parentRunId: string | undefined): void {
  const frame = frameOfRun(parentRunId);
  if (frame === undefined) return;
  const within = streamsAround(runId, parentRunId);
  runs.set(runId, { frame, model: '', isHidden: true, within, chunks: 0, firstChunkMs: null });
}

/** Those of its parent, and those that are being made here. */
function streamsAround(runId: string, parentRunId: string | undefined): readonly Streamed[] {
  const told = parentRunId === undefined ? [] : (runs.get(parentRunId)?.within ?? []);
  const made = streamsAt(currentFrame()).filter((streamed) => !told.includes(streamed));
  for (const streamed of made) streamed.rootId ??= runId;
  return made.length === 0 ? told : [...told, ...made];
}

/** The parent run; `undefined` where what runs here is the work of it, or where there is none. */
function parentOf(parentRunId: string | undefined): Frame | undefined {
  const told = frameOfRun(parentRunId);
  return told?.call !== undefined && isAtOrBelow(currentFrame()?.call, told.call) ? undefined : told;
}

/** A piece of an answer has come; `count` is 0 where somebody else counts. */
export function noteChunk(runId: string, count = 1): void {
  const run = runs.get(runId);
  if (run === undefined) return;
  run.chunks += count;
  if (run.frame.call !== undefined) run.firstChunkMs ??= (clock.now() - run.frame.call.startedAt) / 1000;
}

/** Of a run whose answer comes as a stream that is watched. */
export function noteStream(runId: string, soFar: () => SoFar): void {
  const run = runs.get(runId);
  if (run !== undefined) run.soFar = soFar;
}

export function endRun(runId: string, output: unknown, usage?: (model: string) => ModelUsage | undefined): void {
  const run = take(runId, 'end');
  if (run === undefined) return;
  const told = usage?.(run.model);
  if (told !== undefined) recordUsage(run.call, told.model, told);
  endCall(run.call, {}, output);
}

export function failRun(runId: string, error: unknown): void {
  const come = comeSoFar(runId);
  const run = take(runId, 'error');
  if (run === undefined) return;
  const hasCome = come !== undefined && come.chunks > 0;
  failCall(run.call, error, hasCome ? captureOutput(run.call, {}, come.output) : undefined);
}

/** The program has left the stream of a run, of which LangChain tells nothing. */
export function leaveRun(runId: string): void {
  const come = comeSoFar(runId);
  const run = take(runId, 'break');
  if (run !== undefined) endCall(run.call, {}, come?.output);
}

/** Its chunks are those that were seen here: of some models LangChain does not tell each. */
function comeSoFar(runId: string): SoFar | undefined {
  const run = runs.get(runId);
  const come = run?.soFar?.();
  if (run !== undefined && come !== undefined) run.chunks = come.chunks;
  return come;
}

/** The same for all runs of a stream that have not ended by themselves. What is below ends first. */
export function leaveRunsOf(streamed: Streamed): void {
  for (const runId of openRunsOf(streamed)) leaveRun(runId);
}

/** The same for runs that are still at work: what begins below them has its place there. */
export function leaveRunsAtWork(streamed: Streamed): void {
  for (const runId of openRunsOf(streamed)) {
    const run = runs.get(runId);
    leaveRun(runId);
    if (run !== undefined) runs.set(runId, { ...run, isHidden: true });
  }
}

/** All of them stop with the error that the program gets. */
export function failRunsOf(streamed: Streamed, error: unknown): void {
  for (const runId of openRunsOf(streamed)) failRun(runId, error);
}

/** Also those of which only what runs tells that they are below. */
function openRunsOf(streamed: Streamed): string[] {
  const { call } = streamed;
  const isOf = ({ within, frame }: Run) =>
    within.includes(streamed) || (call !== undefined && isAtOrBelow(frame.call, call));
  return [...runs].flatMap(([runId, run]) => (isOf(run) ? [runId] : [])).reverse();
}

function isAtOrBelow(call: RecordedCall | undefined, root: RecordedCall): boolean {
  for (let at = call; at !== undefined; at = at.parent) if (at === root) return true;
  return false;
}

function take(runId: string, reason: StreamEndReason): Ending | undefined {
  const run = runs.get(runId);
  runs.delete(runId);
  const call = run?.frame.call;
  if (run === undefined || run.isHidden || call === undefined) return undefined;
  const { model, chunks, firstChunkMs } = run;
  if (chunks > 0 || reason === 'break') call.stream = { chunks, first_chunk_ms: firstChunkMs, reason };
  return { call, model };
}
