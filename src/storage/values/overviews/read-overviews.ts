import { shownAttributes } from '../../../protocol/call-attributes.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { CallReader, StoredCall } from '../../contract/calls.ts';
import type {
  AggregatePlan,
  CallAggregate,
  CallOutline,
  OutlinePlan,
  OverviewReader,
  TracePlan,
} from '../../contract/overviews.ts';
import type { CallPlan, CallSelection, JsonColumn } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import { MAX_PARSED_BYTES, kindIn, outlineOf, previewsOf, type ShownBody } from './call-outline.ts';
import { CallTally, type TalliedCall } from './call-tally.ts';
import { usagesOf } from './call-usage.ts';
import { valuesOfCall } from '../call-values.ts';
import { facetValue } from './facet-value.ts';
import { outlinePlanOf, selectionOfRest, selectionOfTimes } from './overview-plan.ts';
import { readTraits } from './read-traits.ts';
import { TraceColumnsMaker } from './trace-columns.ts';
import type { Parents, UsageTally } from './usage-tally.ts';

const BY_ID: CallPlan['sort'] = [{ field: { kind: 'text', column: 'id' }, isDescending: false }];
const ALL_BODIES: CallPlan['bodies'] = new Set(['attributes', 'inputs', 'output', 'summary']);
const NO_BODIES: CallPlan['bodies'] = new Set();
const TRAIT_BODIES: CallPlan['bodies'] = new Set(['attributes', 'inputs', 'summary']);

/**
 * Overviews over any reader of calls, which read every call whole: what they mean, and what an engine without better ones
 * can have.
 */
export function overviewsOf(calls: CallReader): OverviewReader {
  return {
    aggregate: (plan, options) => aggregate(calls, plan, options),
    outlines: (plan, options) => outlines(calls, plan, options),
    trace: (plan, options) => traceColumns(calls, plan, options),
    traits: async (plan, options = {}) =>
      await readTraits(
        {
          ids: (selection) => idsOf(calls, selection, options),
          calls: (selection) => calls.query({ ...selection, sort: BY_ID, offset: 0, bodies: TRAIT_BODIES }, options),
        },
        plan,
        options,
      ),
  };
}

async function aggregate(calls: CallReader, plan: AggregatePlan, options?: ReadOptions): Promise<CallAggregate> {
  const tally = new CallTally(plan);
  const query = { ...selectionOfTimes(plan), sort: BY_ID, offset: 0, bodies: ALL_BODIES };
  for await (const chunk of calls.query(query, options)) {
    for (const call of chunk) tally.add(talliedCall(call, plan));
  }
  await tellParents(tally.usage, calls, plan.projectId, options);
  return tally.finish();
}

/** Answers what a tally asks of the tree before it can add up usage. */
export async function tellParents(
  usage: UsageTally,
  calls: CallReader,
  projectId: string,
  options?: ReadOptions,
): Promise<void> {
  const questions = usage.ask();
  for (let asked = questions.next(); asked.done !== true;) {
    asked = questions.next(await parentsOf(calls, projectId, asked.value, options));
  }
}

export function talliedCall(call: StoredCall, plan: AggregatePlan): TalliedCall {
  const json = (column: JsonColumn) => parsedBody(call, column);
  const usages = usagesOf(json('attributes'), json('summary'));
  const values = valuesOfCall(call, { json, feedback: () => [] });
  return {
    id: call.id,
    parentId: call.parent_id,
    startedAt: call.started_at,
    endedAt: call.ended_at,
    isError: call.exception !== null,
    usages,
    values: (plan.facets ?? []).map(({ field }) => facetValue(field, values, usages)),
  };
}

async function* idsOf(
  calls: CallReader,
  selection: CallSelection,
  options: ReadOptions,
): AsyncGenerator<readonly string[]> {
  const query = { ...selection, sort: BY_ID, offset: 0, bodies: NO_BODIES };
  for await (const chunk of calls.query(query, options)) yield chunk.map(({ id }) => id);
}

/** A body of a call as it is shown. */
export function parsedBody(call: StoredCall, column: JsonColumn) {
  const text = call[column];
  if (text === null) return null;
  return parseJson(column === 'attributes' ? shownAttributes(text, call.otel_dump) : text);
}

async function parentsOf(
  calls: CallReader,
  projectId: string,
  ids: readonly string[],
  options?: ReadOptions,
): Promise<Parents> {
  const parents = new Map<string, string | null>();
  const plan = { projectId, filter: { callIds: ids }, sort: BY_ID, offset: 0, bodies: NO_BODIES };
  for await (const chunk of calls.query(plan, options))
    for (const { id, parent_id } of chunk) parents.set(id, parent_id);
  return parents;
}

async function* outlines(
  calls: CallReader,
  plan: OutlinePlan,
  options?: ReadOptions,
): AsyncGenerator<readonly CallOutline[]> {
  const { sort, limit, offset, hasPreviews } = plan;
  const bodies: CallPlan['bodies'] = hasPreviews ? ALL_BODIES : new Set(['attributes', 'summary']);
  const page = { sort, offset, bodies, ...(limit !== undefined && { limit }) };
  for await (const chunk of calls.query({ ...selectionOfRest(plan), ...page }, options)) {
    yield chunk.map((call) => {
      const previews = previewsOf(shownBody(call.inputs), shownBody(call.output));
      return outlineOf({ ...call, kind: kindIn(call.attributes) }, previews);
    });
  }
}

async function* traceColumns(calls: CallReader, plan: TracePlan, options?: ReadOptions): AsyncGenerator<TraceColumns> {
  const maker = new TraceColumnsMaker();
  for await (const chunk of outlines(calls, outlinePlanOf(plan), options)) yield maker.take(chunk);
}

/** A body as previews are made of it. */
export function shownBody(text: string | null): ShownBody {
  return { text, isLong: text !== null && Buffer.byteLength(text) > MAX_PARSED_BYTES };
}
