import { formatCallRef } from '../../protocol/ref.ts';
import type { CallSelection, JsonColumn, SortKey } from '../contract/plan.ts';
import type { StoredFeedback } from '../contract/feedback.ts';
import type { ReadOptions } from '../contract/reads.ts';
import { bodyOf, storedCall, type VisibleCall } from './call-record.ts';
import { valuesOfCall } from './call-values.ts';
import { evaluate } from './evaluate.ts';
import { feedbackByType } from './feedback-values.ts';
import { matchesFilter } from './match-filter.ts';
import { startPatience } from './patience.ts';
import type { RecordValues } from './record-values.ts';
import { sortRecords } from './sort-records.ts';

/** Feedback on the subject of a reference, oldest first. */
export type FeedbackOn = (projectId: string, ref: string) => readonly StoredFeedback[];

/** The calls of a selection among those of its project, in the order they come in. */
export async function selectCalls(
  calls: readonly VisibleCall[],
  { filter, condition }: CallSelection,
  { feedbackOn, ...options }: ReadOptions & { readonly feedbackOn: FeedbackOn },
): Promise<VisibleCall[]> {
  const { check, rest } = startPatience(options);
  const found = calls.filter((call) => {
    check();
    return matchesFilter(call, filter);
  });
  if (condition === undefined) return found;
  const selected: VisibleCall[] = [];
  for (const call of found) {
    if (evaluate(condition, valuesOf(call, feedbackOn), check) === true) selected.push(call);
    await rest();
  }
  return selected;
}

/** Calls in the order of a plan. */
export function sortCalls(
  calls: readonly VisibleCall[],
  sort: readonly SortKey[],
  feedbackOn: FeedbackOn,
): VisibleCall[] {
  return sortRecords(calls, sort, (call) => valuesOf(call, feedbackOn));
}

const NO_BODIES: ReadonlySet<JsonColumn> = new Set();

function valuesOf(record: VisibleCall, feedbackOn: FeedbackOn): RecordValues {
  const call = storedCall(record, NO_BODIES);
  let said: ReturnType<typeof feedbackByType> | undefined;
  return valuesOfCall(call, {
    json: (column) => bodyOf(record, column),
    feedback: (type) => {
      said ??= feedbackByType(feedbackOn(call.project_id, formatCallRef(call.project_id, call.id)));
      return said(type);
    },
  });
}
