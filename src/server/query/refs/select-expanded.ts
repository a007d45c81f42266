import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { formatCallRef } from '../../../protocol/ref.ts';
import { valuesOfCall } from '../../../storage/values/call-values.ts';
import { fieldsOf } from '../../../storage/values/condition-parts.ts';
import { evaluate } from '../../../storage/values/evaluate.ts';
import { feedbackByType } from '../../../storage/values/feedback-values.ts';
import { startPatience } from '../../../storage/values/patience.ts';
import type { CallPlan, JsonColumn } from '../../../storage/contract/plan.ts';
import type { RecordValues } from '../../../storage/values/record-values.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import { type FeedbackByRef, feedbackOfCalls } from '../read/call-feedback.ts';
import { shownBody, expandedValue } from './expand-call.ts';
import { expandedBodies, expandedColumn, type ExpandedPart } from '../plan/plan-expansion.ts';
import type { RefExpander } from './ref-expander.ts';
import { SortedCalls } from './sorted-calls.ts';

/** The context that selecting here needs besides the plans. */
export interface SelectContext {
  readonly storage: Pick<Storage, 'calls' | 'feedback'>;
  readonly expander: RefExpander;
  readonly options: ReadOptions;
  /** Throws when the first record is late. */
  readonly checkTime: () => void;
  readonly sortedBytes: number;
}

/** Calls whose references are read at once. */
const AT_ONCE = 8;

/** Calls in a chunk of sorted ones. */
const CHUNK_CALLS = 100;

/**
 * The calls of a request that asks about values behind references: what the storage can answer has narrowed them,
 * the rest is asked here, of one call after the other. Only a sort by such a value keeps calls.
 */
export async function* selectExpanded(
  plan: CallPlan,
  expanded: ExpandedPart,
  context: SelectContext,
): AsyncGenerator<readonly StoredCall[]> {
  const end = expanded.limit === undefined ? undefined : expanded.offset + expanded.limit;
  if (expanded.limit === 0) return;
  const matches = matching(plan, expanded, context);
  yield* expanded.sort ? sorted(matches, expanded, end, context) : page(matches, expanded.offset, end);
}

interface Match {
  readonly call: StoredCall;
  readonly values: RecordValues;
}

async function* matching(
  plan: CallPlan,
  expanded: ExpandedPart,
  context: SelectContext,
): AsyncGenerator<readonly Match[]> {
  const { condition } = expanded;
  const needed: CallPlan = { ...plan, bodies: new Set([...plan.bodies, ...expandedBodies(expanded)]) };
  const asksFeedback = condition ? fieldsOf(condition).some(isFeedback) : false;
  const { check, rest } = startPatience(context.options);
  const isSelected = ({ values }: Match) => condition === undefined || evaluate(condition, values, check) === true;
  const sortsByFeedback = expanded.sort?.some(({ field }) => isFeedback(field)) === true;
  for await (const chunk of context.storage.calls.query(needed, context.options)) {
    context.checkTime();
    const said =
      asksFeedback || sortsByFeedback
        ? await feedbackOfCalls(context.storage.feedback, plan.projectId, chunk)
        : undefined;
    for (let index = 0; index < chunk.length; index += AT_ONCE) {
      const some = chunk.slice(index, index + AT_ONCE);
      const matches = await Promise.all(some.map((call) => matchOf(call, expanded, said, context.expander)));
      yield matches.filter(isSelected);
      await rest();
    }
  }
}

async function matchOf(
  call: StoredCall,
  { fields }: ExpandedPart,
  said: FeedbackByRef | undefined,
  expander: RefExpander,
): Promise<Match> {
  const bodies = new Map<string, JsonValue>();
  const bodyOf = (column: JsonColumn) => {
    const known = bodies.get(column);
    if (known !== undefined) return known;
    const body = parseJson(shownBody(call, column) ?? 'null');
    bodies.set(column, body);
    return body;
  };
  for (const [index, field] of fields.entries()) {
    bodies.set(expandedColumn(index), await expandedValue(bodyOf(field.column), field, expander));
  }
  const onCall = said?.get(formatCallRef(call.project_id, call.id)) ?? [];
  const feedback = feedbackByType(onCall);
  return { call, values: valuesOfCall(call, { json: bodyOf, feedback }) };
}

async function* page(
  matches: AsyncIterable<readonly Match[]>,
  offset: number,
  end: number | undefined,
): AsyncGenerator<readonly StoredCall[]> {
  let position = 0;
  for await (const some of matches) {
    const from = Math.max(0, offset - position);
    const to = end === undefined ? some.length : Math.min(some.length, end - position);
    position += some.length;
    if (from < to) yield some.slice(from, to).map(({ call }) => call);
    if (end !== undefined && position >= end) return;
  }
}

async function* sorted(
  matches: AsyncIterable<readonly Match[]>,
  { sort = [], offset }: ExpandedPart,
  end: number | undefined,
  { sortedBytes }: SelectContext,
): AsyncGenerator<readonly StoredCall[]> {
  const calls = new SortedCalls(sort, end, sortedBytes);
  for await (const some of matches) for (const { call, values } of some) calls.add(call, values);
  const inOrder = calls.inOrder();
  for (let index = offset; index < inOrder.length; index += CHUNK_CALLS) {
    yield inOrder.slice(index, index + CHUNK_CALLS);
  }
}

function isFeedback({ kind }: { readonly kind: string }): boolean {
  return kind === 'feedback';
}
