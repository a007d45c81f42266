import type { StoredCall } from '../../contract/calls.ts';
import type { StoredFeedback } from '../../contract/feedback.ts';
import type { Condition, JsonColumn, SortKey } from '../../contract/plan.ts';
import { formatCallRef } from '../../../protocol/ref.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { valuesOfCall } from '../../values/call-values.ts';
import { countSome, fieldsOf } from '../../values/condition-parts.ts';
import { evaluate } from '../../values/evaluate.ts';
import { feedbackByType } from '../../values/feedback-values.ts';
import { parsedBody } from '../../values/overviews/read-overviews.ts';
import type { RecordValues } from '../../values/record-values.ts';

/** Feedback on what a reference names, oldest first. */
export type FeedbackByRef = ReadonlyMap<string, readonly StoredFeedback[]>;

/** Values of a call that was read with the bodies that they are looked for in. Each body is parsed once. */
export function valuesOf(call: StoredCall, feedback: FeedbackByRef): RecordValues {
  const bodies = new Map<JsonColumn, JsonValue>();
  let said: ReturnType<typeof feedbackByType> | undefined;
  return valuesOfCall(call, {
    json: (column) => {
      const known = bodies.get(column);
      if (known !== undefined) return known;
      const value = parsedBody(call, column);
      bodies.set(column, value);
      return value;
    },
    feedback: (type) => {
      said ??= feedbackByType(feedback.get(formatCallRef(call.project_id, call.id)) ?? []);
      return said(type);
    },
  });
}

export function isTrue(conditions: readonly Condition[], values: RecordValues, check: () => void): boolean {
  return conditions.every((condition) => evaluate(condition, values, check) === true);
}

/** The bodies and feedback that conditions and orders look at beside columns. */
export function neededOf(conditions: readonly Condition[], sort: readonly SortKey[]) {
  const fields = [...conditions.flatMap((condition) => fieldsOf(condition)), ...sort.map(({ field }) => field)];
  const bodies = new Set<JsonColumn>(fields.flatMap((field) => (field.kind === 'json' ? [field.column] : [])));
  // The status of a call is computed from its summary.
  if (fields.some((field) => field.kind === 'text' && field.column === 'status')) bodies.add('summary');
  return {
    bodies,
    hasFeedback:
      fields.some(({ kind }) => kind === 'feedback') || conditions.some((condition) => countSome(condition) > 0),
  };
}
