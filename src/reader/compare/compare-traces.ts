import { TracingError } from '../../protocol/error.ts';
import type { Call } from '../../protocol/call.ts';
import type { Run } from '../../protocol/page/run.ts';
import { formatObjectRef, opNameOf } from '../../protocol/ref.ts';
import { isObjectId } from '../../protocol/values/id.ts';
import type { CallsApi } from '../calls.ts';
import type { PageApi } from '../page.ts';
import { field } from '../expression.ts';
import { firstOf } from '../first-of.ts';
import type { RequestOptions } from '../request.ts';
import { compareCalls } from './compare-calls.ts';
import type { Comparison } from './comparison.ts';
import { forestOf } from './forest.ts';

/** One side of a comparison: a whole trace, or the part of it below one call, that call included. */
export interface ComparedTrace {
  readonly trace_id: string;
  readonly call_id?: string | undefined;
  /** @default the project of the reader */
  readonly project_id?: string | undefined;
}

/** The part of a reader that is needed. */
interface TraceReader {
  readonly calls: Pick<CallsApi, 'get' | 'query'>;
  /** Without it runs of programs are not known. */
  readonly page?: Pick<PageApi, 'runs'>;
}

/**
 * Reads two traces, or parts of them, and compares them call by call.
 *
 * @example
 * const before = await previousTrace(reader, { trace_id });
 * const { isSame, origins } = await compareTraces(reader, [before, { trace_id }]);
 */
export async function compareTraces(
  reader: TraceReader,
  sides: readonly [ComparedTrace, ComparedTrace],
  options: RequestOptions = {},
): Promise<Comparison> {
  const { partA, partB, wholeA, wholeB } = await readCompared(reader, sides, options);
  return compareCalls(partA, partB, { wholeA, wholeB });
}

/** The calls of both sides that are meant, and all calls of the traces that they are of. */
export interface ReadTraces {
  readonly partA: readonly Call[];
  readonly partB: readonly Call[];
  readonly wholeA: readonly Call[];
  readonly wholeB: readonly Call[];
}

/** Reads both; rejects with `not_found` where one of them is none. */
export async function readCompared(
  reader: TraceReader,
  [a, b]: readonly [ComparedTrace, ComparedTrace],
  options: RequestOptions = {},
): Promise<ReadTraces> {
  const [wholeA, wholeB] = await Promise.all([readTrace(reader, a, options), readTrace(reader, b, options)]);
  const [partA, partB] = [partOf(wholeA, a), partOf(wholeB, b)];
  // Nothing is the same as nothing: who mistyped an id would never hear of a difference.
  if (partA.length === 0) throw nothingOf(a);
  if (partB.length === 0) throw nothingOf(b);
  return { partA, partB, wholeA, wholeB };
}

function nothingOf({ trace_id: traceId, call_id: callId }: ComparedTrace): TracingError {
  const call = callId === undefined ? '' : ` with the call ${callId}`;
  return new TracingError('not_found', `Cannot compare the trace ${traceId}: there is none${call}`);
}

async function readTrace(reader: TraceReader, compared: ComparedTrace, options: RequestOptions): Promise<Call[]> {
  const request = { ...inProject(compared), filter: { trace_ids: [compared.trace_id] }, include_costs: true };
  const calls: Call[] = [];
  for await (const call of reader.calls.query(request, options)) calls.push(call);
  return calls;
}

function partOf(calls: readonly Call[], { call_id: callId }: ComparedTrace): readonly Call[] {
  if (callId === undefined) return calls;
  const { childrenOf } = forestOf(calls);
  const within = new Set<Call>();
  const open = calls.filter(({ id }) => id === callId);
  for (let call = open.pop(); call; call = open.pop()) {
    if (within.has(call)) continue;
    within.add(call);
    for (const child of childrenOf(call)) open.push(child);
  }
  return calls.filter((call) => within.has(call));
}

/**
 * The newest trace that began before the run of a trace did, and whose first call is one of the same op, in any version of it: what
 * the program did last time. Before a call that is compared, the part of that trace below its newest call of that op. Where the run is
 * not known, or there is no trace before it, the newest before the trace, of any run. `undefined` where there is none.
 */
export async function previousTrace(
  reader: TraceReader,
  { trace_id: traceId, call_id: callId, project_id: project }: ComparedTrace,
  options: RequestOptions = {},
): Promise<ComparedTrace | undefined> {
  const place = project === undefined ? {} : { project_id: project };
  const ids = callId === undefined ? {} : { call_ids: [callId] };
  const request = { ...place, filter: { trace_ids: [traceId], ...ids }, limit: 1, columns: ['parent_id'] };
  const first = await firstOf(reader.calls.query(request, options));
  if (first === undefined) return undefined;
  const earlier = async (time: string) => {
    return await firstOf(reader.calls.query({ ...place, ...earlierThan(first, time), limit: 1 }, options));
  };
  const run = await runOf(reader, first, options);
  const found = (run && (await earlier(beginOf(run)))) ?? (await earlier(first.started_at));
  if (found === undefined) return undefined;
  return { ...place, trace_id: found.trace_id, ...(callId === undefined ? {} : { call_id: found.id }) };
}

/** Calls of the same op in other traces, the newest one first; for one without a parent, others without a parent. */
function earlierThan(call: Call, time: string) {
  return {
    filter: { op_names: anyVersionOf(call), ...(call.parent_id === null ? { trace_roots_only: true } : {}) },
    query: field('started_at').lt(time).and(field('trace_id').eq(call.trace_id).not()),
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    columns: ['parent_id'],
  };
}

/** The run that a call belongs to; `undefined` where that is not known, or cannot be told: there are traces without it. */
async function runOf(
  { page }: TraceReader,
  { id, project_id }: Call,
  options: RequestOptions,
): Promise<Run | undefined> {
  try {
    return (await page?.runs({ call_id: id, project_id, sums: false }, options))?.runs[0];
  } catch (error) {
    // An older service does not know the question. One that does not answer this time would have another trace compared.
    if (error instanceof TracingError && error.code === 'unknown_path') return undefined;
    throw error;
  }
}

/** Processes that run beside this one, and have begun with it, have no calls before that. As texts: a part of a second more or less is no matter. */
function beginOf({ started_at: start, first_call_at: first }: Run): string {
  return start !== null && start < first ? start : first;
}

/** An op is recorded under its plain name, or as a reference to any of its versions. */
function anyVersionOf({ op_name: name, project_id: project }: Call): string[] {
  const op = opNameOf(name);
  return isObjectId(op) ? [op, formatObjectRef(project, 'op', op, '*')] : [op];
}

function inProject({ project_id: project }: ComparedTrace): { readonly project_id?: string } {
  return project === undefined ? {} : { project_id: project };
}
