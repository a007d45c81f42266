import type { Call } from '../protocol/call.ts';
import type { Expression } from '../protocol/query.ts';
import { isId } from '../protocol/values/id.ts';
import type { Reader } from '../reader/reader.ts';
import { type ProjectReader, connect, type ServiceOptions } from './known-service.ts';
import { toLine } from './output/plain-text.ts';

/** A whole trace, or the part of it below one call. */
export interface TraceTarget {
  readonly traceId: string;
  readonly callId?: string;
}

/** Ids of one machine begin alike, so a shorter part would match nearly everything. */
const MIN_PART_LENGTH = 4;
const MAX_NAMED = 5;

/** A trace and the project that it is in. */
export interface FoundTrace extends ProjectReader {
  readonly target: TraceTarget;
}

/**
 * The trace or call with this id, or the only one whose id begins or ends so; a trace goes before a call. It is looked
 * for in the project that the options mean, then in all others that the key may read, the one that was used last first.
 */
export async function findTrace(text: string, options: ServiceOptions): Promise<FoundTrace> {
  const asked = connect(options);
  if (!isId(text)) throw notFound(text);
  if (text.length < MIN_PART_LENGTH && !(await findWhole(asked.reader, text))) throw tooShort(text);
  for await (const connection of projectsFrom(asked, options)) {
    const target = (await findWhole(connection.reader, text)) ?? (await findByPart(connection.reader, text));
    if (target !== undefined) return { ...connection, target };
  }
  throw notFound(text);
}

/** The project that is asked for, and then the others that have calls. */
async function* projectsFrom(asked: ProjectReader, options: ServiceOptions): AsyncGenerator<ProjectReader> {
  yield asked;
  for (const { project_id: project } of await asked.reader.page.projects()) {
    if (project !== asked.project) yield connect({ ...options, project });
  }
}

async function findWhole(reader: Reader, text: string): Promise<TraceTarget | undefined> {
  const [call, count] = await Promise.all([
    reader.calls.get(text),
    reader.calls.stats({ filter: { trace_ids: [text] }, limit: 1 }),
  ]);
  if (count.count > 0) return { traceId: text };
  return call && { traceId: call.trace_id, callId: call.id };
}

function tooShort(part: string): Error {
  return new Error(`Cannot find "${part}": give at least ${MIN_PART_LENGTH} characters of the id`);
}

async function findByPart(reader: Reader, part: string): Promise<TraceTarget | undefined> {
  const traces = await firstMatches(reader, 'trace_id', part);
  if (traces.length > 0) return { traceId: theOnly(traces, part, 'traces').trace_id };
  const calls = await firstMatches(reader, 'id', part);
  if (calls.length === 0) return undefined;
  const { trace_id: traceId, id: callId } = theOnly(calls, part, 'calls');
  return { traceId, callId };
}

/** One call for each different id that begins or ends with `part`, a few at most. */
async function firstMatches(reader: Reader, field: 'id' | 'trace_id', part: string): Promise<Call[]> {
  const matches = new Map<string, Call>();
  const query = { $expr: contains(field, part) };
  for await (const call of reader.calls.query({ query, columns: ['id'] })) {
    const id = call[field];
    if (id.startsWith(part) || id.endsWith(part)) matches.set(id, call);
    if (matches.size > MAX_NAMED) break;
  }
  return [...matches.values()];
}

function contains(field: string, part: string): Expression {
  return { $contains: { input: { $getField: field }, substr: { $literal: part } } };
}

function theOnly(calls: readonly Call[], part: string, things: 'traces' | 'calls'): Call {
  const [first, second] = calls;
  if (!first) throw notFound(part);
  if (second === undefined) return first;
  const ids = calls.slice(0, MAX_NAMED).map((call) => (things === 'traces' ? call.trace_id : call.id));
  const more = calls.length > MAX_NAMED ? ' and others' : '';
  throw new Error(`More than one of the ${things} begins or ends with "${part}": ${ids.join(', ')}${more}`);
}

function notFound(text: string): Error {
  return new Error(`There is no trace or call "${toLine(text, 200)}" in any project`);
}
