import type { CallPlan, CallSelection } from '../../../storage/contract/plan.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { CallsQuery, CountQuery } from '../plan/calls-query.ts';
import type { ExpandedPlan } from '../plan/plan-expansion.ts';
import { expandCall } from './expand-call.ts';
import { openExpander, type RefExpander } from './ref-expander.ts';
import { openRefSource, type ReadClock, type RefStorage, startClock } from './ref-source.ts';
import { selectExpanded } from './select-expanded.ts';
import { openTraceSizes, type TraceSizes } from '../read/call-sizes.ts';
import { openPage, type ReadContext, readOptions, toLines } from '../read/read-calls.ts';

/** Calls of which one slice is expanded at once. */
const SLICE_CALLS = 8;

/** The calls of a query as lines of JSON, in chunks of bounded size. */
export async function* queryCalls(
  storage: RefStorage,
  query: CallsQuery,
  context: ReadContext,
): AsyncGenerator<readonly JsonText[]> {
  const { calls, expanded } = query;
  const page = await openPage(storage, query, context);
  const read = openRead(storage, query, context);
  const maxBytes = context.limits.ref_value_bytes;
  const expand = (call: StoredCall) => expandCall(call, expanded, read.expander, maxBytes);
  for await (const chunk of callsOf(read, calls)) {
    const length = expanded.length === 0 ? chunk.length : SLICE_CALLS;
    for (let index = 0; index < chunk.length; index += length) {
      const slice = chunk.slice(index, index + length);
      yield await toLines(page, slice, expanded.length === 0 ? undefined : expand);
      read.clock.stop();
    }
  }
}

/** How many calls a query has and, when asked for, how many bytes their traces take. */
export async function countCalls(
  storage: RefStorage,
  query: CountQuery,
  context: ReadContext,
): Promise<{ count: number; total_storage_size_bytes: number | null }> {
  const { calls, limit, withTraceSizes } = query;
  const read = openRead(storage, query, context);
  const count = await countOf(read, calls, limit);
  if (!withTraceSizes) return { count, total_storage_size_bytes: null };
  const roots = { ...calls.plan, filter: { ...calls.plan.filter, rootsOnly: true as const } };
  const chunks = callsOf(read, { ...calls, plan: inAnyOrder(roots) });
  const sizes = openTraceSizes(storage.calls, query.projectId, readOptions(context));
  return { count, total_storage_size_bytes: await totalBytes(sizes, chunks) };
}

/** One request in the middle of its work. */
interface CallsRead {
  readonly storage: RefStorage;
  readonly context: ReadContext;
  readonly expander: RefExpander;
  readonly clock: ReadClock;
}

function openRead(storage: RefStorage, { projectId }: { readonly projectId: string }, context: ReadContext): CallsRead {
  const clock = startClock(context);
  const source = openRefSource(storage, context, { checkTime: clock.check });
  return { storage, context, clock, expander: openExpander(source, projectId) };
}

function callsOf(
  { storage, context, expander, clock }: CallsRead,
  { plan, expanded }: ExpandedPlan<CallPlan>,
): AsyncIterable<readonly StoredCall[]> {
  const options = readOptions(context);
  if (!expanded) return storage.calls.query(plan, options);
  const sortedBytes = context.limits.sorted_bytes;
  return selectExpanded(plan, expanded, { storage, expander, options, checkTime: clock.check, sortedBytes });
}

async function countOf(
  read: CallsRead,
  { plan, expanded }: ExpandedPlan<CallSelection>,
  limit: number | undefined,
): Promise<number> {
  if (!expanded) return await read.storage.calls.count(plan, limit, readOptions(read.context));
  let count = 0;
  for await (const chunk of callsOf(read, { plan: inAnyOrder(plan), expanded: { ...expanded, limit } })) {
    count += chunk.length;
  }
  return count;
}

async function totalBytes(traceSizes: TraceSizes, roots: AsyncIterable<readonly StoredCall[]>): Promise<number> {
  let total = 0;
  for await (const chunk of roots) {
    const sums = await traceSizes.of(new Set(chunk.map(({ trace_id }) => trace_id)));
    for (const { trace_id } of chunk) total += sums.get(trace_id) ?? 0;
  }
  return total;
}

function inAnyOrder(selection: CallSelection): CallPlan {
  const sort = [{ field: { kind: 'text', column: 'id' }, isDescending: false }] as const;
  return { ...selection, sort, offset: 0, bodies: new Set() };
}
