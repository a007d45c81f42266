import type { Call, CallStatus } from '../../protocol/call.ts';
import { callTraceName } from '../../protocol/call-summary.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { opNameOf } from '../../protocol/ref.ts';
import { traceText } from './trace-text.ts';

/** Tokens of one model. */
export interface TraceUsage {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  readonly total: number;
}

/** How a stream was read. */
export interface TraceStream {
  readonly chunks: number;
  readonly firstChunkMs: number | null;
  readonly reason: string;
}

/** A call as tests look at it. */
export interface TraceCall {
  /** The display name, else the name of the op. */
  readonly name: string;
  /** Name of the op without project and version. */
  readonly op: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** `null` without one. */
  readonly output: unknown;
  /** Text of the exception with its stack; `undefined` when the call did not fail. */
  readonly error: string | undefined;
  readonly status: CallStatus;
  /** Attributes that were given to `traced`, inherited, or set later. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** By model: tokens of the call and of all below it. */
  readonly usage: Readonly<Record<string, TraceUsage>>;
  readonly stream: TraceStream | undefined;
  readonly threadId: string | undefined;
  readonly turnId: string | undefined;
  /** `undefined` while the call runs. */
  readonly durationMs: number | undefined;
  readonly id: string;
  readonly traceId: string;
  /** In the order of their starts. */
  readonly children: readonly TraceCall[];
  /** The call as the service keeps it. */
  readonly record: Call;
}

/** Calls of a trace, or of several. */
export interface Trace {
  /** Calls whose parent is not among them. */
  readonly roots: readonly TraceCall[];
  /** All calls, parents before children. */
  readonly calls: readonly TraceCall[];
  /** The tree, a line for each call. */
  toString(): string;
}

/** Makes a tree of calls that were read in the order of their starts, which is the usual one. */
export function toTrace(records: readonly Call[]): Trace {
  const children = new Map<string, TraceCall[]>();
  const known = new Set(records.map(({ id }) => id));
  const roots: TraceCall[] = [];
  for (const record of records) {
    const own: TraceCall[] = [];
    children.set(record.id, own);
  }
  for (const record of records) {
    const call = toTraceCall(record, children.get(record.id) ?? []);
    const siblings = record.parent_id !== null && known.has(record.parent_id) && children.get(record.parent_id);
    (siblings || roots).push(call);
  }
  const calls = roots.flatMap(withDescendants);
  return { roots, calls, toString: () => traceText(roots) };
}

function withDescendants(call: TraceCall): TraceCall[] {
  return [call, ...call.children.flatMap(withDescendants)];
}

function toTraceCall(record: Call, children: readonly TraceCall[]): TraceCall {
  const { svc: _process, ...attributes } = record.attributes;
  const summary = record.summary ?? {};
  return {
    name: callTraceName(record.display_name, record.op_name),
    op: opNameOf(record.op_name),
    inputs: record.inputs,
    output: record.output ?? null,
    error: record.exception ?? undefined,
    status: memberOf(memberOf(summary, 'svc'), 'status') as CallStatus,
    attributes: { ...attributes, ...objectOf(summary['attributes']) },
    usage: Object.fromEntries(
      Object.entries(objectOf(summary['usage'])).map(([model, usage]) => [model, toUsage(usage)]),
    ),
    stream: toStream(summary['stream']),
    threadId: record.thread_id ?? undefined,
    turnId: record.turn_id ?? undefined,
    durationMs: durationOf(record),
    id: record.id,
    traceId: record.trace_id,
    children,
    record,
  };
}

function toUsage(usage: unknown): TraceUsage {
  const count = (key: string) => Number(memberOf(usage, key) ?? 0);
  return {
    requests: count('requests'),
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_tokens'),
    cacheWrite: count('cache_write_tokens'),
    reasoning: count('reasoning_tokens'),
    total: count('total_tokens'),
  };
}

function toStream(stream: unknown): TraceStream | undefined {
  if (stream === undefined) return undefined;
  const firstChunkMs = memberOf(stream, 'first_chunk_ms');
  return {
    chunks: Number(memberOf(stream, 'chunks')),
    firstChunkMs: typeof firstChunkMs === 'number' ? firstChunkMs : null,
    reason: String(memberOf(stream, 'reason')),
  };
}

function durationOf({ started_at, ended_at }: Call): number | undefined {
  const [start, end] = [parseDateTime(started_at), ended_at === null ? undefined : parseDateTime(ended_at)];
  return start === undefined || end === undefined ? undefined : (end - start) / 1000;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function memberOf(value: unknown, key: string): unknown {
  return objectOf(value)[key];
}
