import type { Call, CallFilter } from '../protocol/call.ts';
import type { QueryObject } from '../protocol/query.ts';
import { allOf, field, Operand, type Reader } from '../reader/reader.ts';

/** The traces that are wanted; the conditions are those on their first calls. */
export interface WantedTraces {
  readonly filter: Omit<CallFilter, 'trace_roots_only' | 'call_ids'>;
  readonly query: QueryObject | undefined;
  readonly limit: number;
  /** Those of some calls that are wanted too, where the service cannot be asked for all that makes them so. */
  readonly pick?: (calls: readonly Call[]) => Promise<Call[]>;
}

const SHOWN = {
  columns: ['display_name', 'thread_id', 'ended_at', 'exception', 'attributes', 'summary'],
  include_costs: true,
};
const NEWEST_FIRST = [{ field: 'started_at', direction: 'desc' as const }];

/** How many calls are looked at together. */
const STEP = 200;
/** Of so many traces without a root the first calls are looked for, those with the newest calls. */
const MAX_LOOKED_AT = 2000;

/**
 * The first calls of the newest traces, newest first: their roots, and where the parent of the first call was recorded
 * somewhere else, as happens to services that are called by others, that call.
 */
export async function newestTraces(reader: Reader, wanted: WantedTraces): Promise<Call[]> {
  const { filter, query, limit, pick } = wanted;
  const request = { filter: { ...filter, trace_roots_only: true }, ...(query && { query }), ...(!pick && { limit }) };
  let newest = await take(reader.calls.query({ ...request, ...SHOWN, sort_by: NEWEST_FIRST }), limit, pick);
  const seen = new Set(newest.map((call) => call.trace_id));
  while (seen.size < MAX_LOOKED_AT) {
    const unseen = await newTraces(reader, wanted, seen, newest.length < limit ? undefined : newest.at(-1));
    if (unseen.length === 0) break;
    for (const traceId of unseen) seen.add(traceId);
    newest = newestOf([...newest, ...(await firstCalls(reader, wanted, unseen))], limit);
  }
  return newest;
}

/**
 * Traces that were not seen and have a call that could come before the last one of the list. It must meet the conditions
 * itself: only then could the first call be one of the wanted.
 */
async function newTraces(
  reader: Reader,
  { filter, query }: WantedTraces,
  seen: ReadonlySet<string>,
  last: Call | undefined,
): Promise<string[]> {
  const conditions: Operand[] = [
    field('parent_id').isNull().not(),
    field('trace_id')
      .in([...seen])
      .not(),
  ];
  if (last !== undefined) conditions.push(field('started_at').gte(last.started_at));
  if (query !== undefined) conditions.push(new Operand(query.$expr));
  const request = { filter, query: allOf(conditions), sort_by: NEWEST_FIRST, limit: STEP, columns: ['id'] };
  const calls = await collect(reader.calls.query(request));
  return [...new Set(calls.map((call) => call.trace_id))];
}

/** Of the traces without a root the first calls, as far as they are wanted. */
async function firstCalls(
  reader: Reader,
  { filter, query, pick = async (calls) => [...calls] }: WantedTraces,
  traceIds: readonly string[],
): Promise<Call[]> {
  const roots = { filter: { trace_roots_only: true, trace_ids: [...traceIds] }, columns: ['id'] };
  const rooted = new Set((await collect(reader.calls.query(roots))).map((call) => call.trace_id));
  const ids: string[] = [];
  // One after another: a key has only so many streams at a time.
  for (const traceId of traceIds) if (!rooted.has(traceId)) ids.push(...(await firstCallOf(reader, traceId)));
  if (ids.length === 0) return [];
  const request = { filter: { ...filter, call_ids: ids }, ...(query && { query }), ...SHOWN };
  return pick(await collect(reader.calls.query(request)));
}

/** Id of the first call whose parent is not there; the clock of another machine may be behind. */
async function firstCallOf(reader: Reader, traceId: string): Promise<string[]> {
  const request = { filter: { trace_ids: [traceId] }, limit: STEP, columns: ['parent_id'] };
  const calls = await collect(reader.calls.query(request));
  const ids = new Set(calls.map((call) => call.id));
  const first = calls.find(({ parent_id: parentId }) => parentId === null || !ids.has(parentId)) ?? calls[0];
  return first === undefined ? [] : [first.id];
}

function newestOf(calls: readonly Call[], limit: number): Call[] {
  return calls.toSorted((a, b) => compare(b.started_at, a.started_at) || compare(b.id, a.id)).slice(0, limit);
}

/** Times of the service differ in length only by their fraction: without its `Z` a whole second sorts first. */
function compare(a: string, b: string): number {
  const [left, right] = [a.replace('Z', ''), b.replace('Z', '')];
  return left < right ? -1 : Number(left > right);
}

/** The first ones that are picked, of which there may be few among many. */
async function take(calls: AsyncIterable<Call>, limit: number, pick: WantedTraces['pick']): Promise<Call[]> {
  if (pick === undefined) return collect(calls);
  const taken: Call[] = [];
  let waiting: Call[] = [];
  for await (const call of calls) {
    waiting.push(call);
    if (waiting.length < STEP) continue;
    taken.push(...(await pick(waiting)));
    waiting = [];
    if (taken.length >= limit) break;
  }
  return [...taken, ...(await pick(waiting))].slice(0, limit);
}

async function collect(calls: AsyncIterable<Call>): Promise<Call[]> {
  const all: Call[] = [];
  for await (const call of calls) all.push(call);
  return all;
}
