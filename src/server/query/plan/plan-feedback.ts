// docs/decisions/0008-feedback-in-queries.md says why.
import type { FeedbackType } from '../../../storage/contract/plan.ts';
import type { AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';
import { type BindingNames, bindOnce } from './bind-values.ts';

/**
 * A condition on operands of which some are feedback: it asks about each feedback of a type on the call, and once for
 * each pair when the operands are of two types.
 */
export function forSomeFeedback(
  condition: AnyCondition,
  types: ReadonlySet<FeedbackType>,
  whenNone: null | false = null,
): AnyCondition {
  let planned = condition;
  for (const type of types) planned = { kind: 'some', type, condition: planned, whenNone };
  return planned;
}

/**
 * A condition on operands, for some feedback where they are values of it. What stands beside feedback is computed
 * before that is looked at: for each one of it, conditions inside of each other would take a time without end.
 */
export function planBesideFeedback(
  operands: readonly AnyOperand[],
  names: BindingNames,
  plan: (operands: readonly AnyOperand[]) => AnyCondition,
): AnyCondition {
  const types = feedbackTypes(...operands);
  if (types.size === 0) return plan(operands);
  const others = operands.filter((operand) => feedbackTypes(operand).size === 0);
  return bindOnce(others, names, (bound) => {
    let next = 0;
    const condition = plan(
      operands.map((operand) => (others.includes(operand) ? (bound[next++] ?? operand) : operand)),
    );
    return isOfRecord(condition) ? condition : forSomeFeedback(condition, types);
  });
}

/** Has it one truth for a record, whatever is said about that? */
function isOfRecord({ kind }: AnyCondition): boolean {
  return kind === 'constant' || kind === 'some' || kind === 'not';
}

/** Has the operand no value? Feedback has one when any feedback of its type has one. */
export function absenceOf(operand: AnyOperand): AnyCondition {
  const types = feedbackTypes(operand);
  if (types.size === 0) return { kind: 'isNull', operand };
  return { kind: 'not', condition: presenceOfFeedback(operand, types) };
}

/** Is there feedback whose value is there? TRUE or FALSE, never NULL. */
export function presenceOfFeedback(operand: AnyOperand, types: ReadonlySet<FeedbackType>): AnyCondition {
  return forSomeFeedback({ kind: 'not', condition: { kind: 'isNull', operand } }, types, false);
}

/** The types of feedback that operands are values of. A condition inside of an operand has one value. */
export function feedbackTypes(...operands: readonly AnyOperand[]): Set<FeedbackType> {
  return new Set(operands.flatMap(typesOf));
}

function typesOf(operand: AnyOperand): FeedbackType[] {
  if (operand.kind === 'feedback') return [operand.type];
  return operand.kind === 'convert' ? typesOf(operand.input) : [];
}
