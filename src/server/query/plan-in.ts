import { type JsonValue, NumberToken } from '../../protocol/canonical-json.ts';
import type { AnyCondition, AnyOperand } from '../../storage/plan.ts';
import { literalFor, planOneComparison } from './plan-comparison.ts';
import { feedbackTypes, forSomeFeedback } from './plan-feedback.ts';
import type { Location } from './query-error.ts';

/**
 * Membership is "equal to one of them". Engines get one list of literals in the type of the operand, and
 * everything else as comparisons of its own beside it.
 */
export function planIn(operand: AnyOperand, items: readonly AnyOperand[], loc: Location): AnyCondition {
  // An item that is a literal null is skipped, unlike in `$eq`.
  const present = items.filter((item) => item.kind !== 'literal' || item.value !== null);
  const literals = operand.kind === 'literal' ? [] : present.filter((item) => item.kind === 'literal');
  const others = operand.kind === 'literal' ? present : present.filter((item) => item.kind !== 'literal');
  const comparisons = others.map((item) => planItem(operand, item, loc));
  return forSomeFeedback(anyOf([...membership(operand, literals, loc), ...comparisons]), feedbackTypes(operand));
}

/** An item that has no value in a record is skipped there; of feedback each one is an item. */
function planItem(operand: AnyOperand, item: AnyOperand, loc: Location): AnyCondition {
  if (item.kind === 'literal') return planEquality(operand, item, loc);
  // It is computed once: printed twice, nested ones would double at every level.
  if (holdsCondition(item)) return { kind: 'equalsItem', operand: unlessNullLiteral(operand), item };
  const isThere: AnyCondition = { kind: 'not', condition: { kind: 'isNull', operand: item } };
  const equality: AnyCondition = { kind: 'and', conditions: [isThere, planEquality(operand, item, loc)] };
  const types = feedbackTypes(item);
  for (const type of feedbackTypes(operand)) types.delete(type);
  return forSomeFeedback(equality, types, false);
}

/** A null operand makes the comparison NULL. */
function unlessNullLiteral(operand: AnyOperand): AnyOperand {
  const isNull = operand.kind === 'literal' && operand.value === null;
  return isNull ? { kind: 'condition', condition: { kind: 'constant', value: null } } : operand;
}

function holdsCondition(operand: AnyOperand): boolean {
  return operand.kind === 'condition' || (operand.kind === 'convert' && holdsCondition(operand.input));
}

function planEquality(operand: AnyOperand, item: AnyOperand, loc: Location): AnyCondition {
  // A null operand makes the comparison NULL; only a literal null written into `$eq` asks for absence.
  if (operand.kind === 'literal' && operand.value === null) return { kind: 'constant', value: null };
  return planOneComparison('eq', operand, item, loc);
}

function membership(
  operand: AnyOperand,
  literals: readonly (AnyOperand & { kind: 'literal' })[],
  loc: Location,
): AnyCondition[] {
  if (literals.length === 0) return [];
  const values = literals.map(({ value }) => literalFor(operand, value, loc));
  const comparable = unique(values.filter((value) => value !== null));
  const conditions: AnyCondition[] = [];
  if (comparable.length > 0) {
    conditions.push({ kind: 'in', operand, items: comparable.map((value) => ({ kind: 'literal', value })) });
  }
  if (values.includes(null)) conditions.push({ kind: 'constant', value: null });
  return conditions;
}

function unique(values: readonly JsonValue[]): JsonValue[] {
  const byText = new Map(values.map((value) => [keyOf(value), value]));
  return [...byText.values()];
}

function keyOf(value: JsonValue): JsonValue {
  return value instanceof NumberToken ? `number ${value.text}` : typeof value === 'string' ? `text ${value}` : value;
}

function anyOf(conditions: readonly AnyCondition[]): AnyCondition {
  const [only] = conditions;
  if (only === undefined) return { kind: 'constant', value: false };
  return conditions.length === 1 ? only : { kind: 'or', conditions };
}
