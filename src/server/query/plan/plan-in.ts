import { type JsonValue, NumberToken } from '../../../protocol/values/canonical-json.ts';
import type { FeedbackType } from '../../../storage/contract/plan.ts';
import type { AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';
import { type BindingNames, bindOnce, isComputed } from './bind-values.ts';
import { literalFor, planOneComparison } from './plan-comparison.ts';
import { feedbackTypes, forSomeFeedback } from './plan-feedback.ts';
import type { Location } from './query-error.ts';

/** A row of one statement may have 2,000 values. */
const MAX_BOUND_ITEMS = 500;

/** The operand that an item is compared with. */
interface Sought {
  readonly operand: AnyOperand;
  /** The types of feedback that the conditions around are at. */
  readonly types: ReadonlySet<FeedbackType>;
  readonly loc: Location;
}

/**
 * Membership is "equal to one of them". Engines get one list of literals in the type of the operand, and everything
 * else as comparisons of its own beside it. Whatever is computed is so once: the operand for all items, and items for
 * all feedback that the operand is a value of.
 */
export function planIn(
  operand: AnyOperand,
  items: readonly AnyOperand[],
  loc: Location,
  names: BindingNames,
): AnyCondition {
  // An item that is a literal null is skipped, unlike in `$eq`.
  const present = items.filter((item) => item.kind !== 'literal' || item.value !== null);
  const types = feedbackTypes(operand);
  // Feedback that is converted is computed for each of them, in its place.
  if (types.size === 0 && present.some(({ kind }) => kind !== 'literal')) {
    return bindOnce([operand], names, ([bound = operand]) => planItems({ operand: bound, types, loc }, present, names));
  }
  return planItems({ operand, types, loc }, present, names);
}

/** A condition for what stands in the record, and one for each group of items that are computed. */
function planItems(sought: Sought, items: readonly AnyOperand[], names: BindingNames): AnyCondition {
  const computed = items.filter(isBeforehand);
  const plain = items.filter((item) => !isBeforehand(item));
  const groups = groupsOf(computed).map((group) => bindOnce(group, names, (bound) => planGroup(sought, bound, names)));
  return anyOf(plain.length === 0 && groups.length > 0 ? groups : [planGroup(sought, plain, names), ...groups]);
}

/** Can the item be computed before feedback is looked at? */
function isBeforehand(item: AnyOperand): boolean {
  return isComputed(item) && feedbackTypes(item).size === 0;
}

function planGroup({ operand, types, loc }: Sought, items: readonly AnyOperand[], names: BindingNames): AnyCondition {
  const literals = operand.kind === 'literal' ? [] : items.filter((item) => item.kind === 'literal');
  const others = operand.kind === 'literal' ? items : items.filter((item) => item.kind !== 'literal');
  const plan = (inner: AnyOperand) => {
    const sought = { operand: inner, types, loc };
    return anyOf([...membership(inner, literals, loc), ...others.map((item) => planItem(sought, item))]);
  };
  const condition =
    others.length === 0 ? plan(operand) : bindOnce([operand], names, ([bound = operand]) => plan(bound));
  return forSomeFeedback(condition, types);
}

/** An item that has no value in a record is skipped there; of feedback each one is an item. */
function planItem(sought: Sought, item: AnyOperand): AnyCondition {
  if (item.kind === 'literal') return planEquality(sought, item);
  const isThere: AnyCondition = { kind: 'not', condition: { kind: 'isNull', operand: item } };
  const equality: AnyCondition = { kind: 'and', conditions: [isThere, planEquality(sought, item)] };
  const types = feedbackTypes(item);
  for (const type of sought.types) types.delete(type);
  return forSomeFeedback(equality, types, false);
}

function planEquality({ operand, loc }: Sought, item: AnyOperand): AnyCondition {
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
  const [numbers, others] = [new Set<JsonValue>(), new Set<JsonValue>()];
  const isNew = (known: Set<JsonValue>, value: JsonValue) => known.size < known.add(value).size;
  return values.filter((value) => (value instanceof NumberToken ? isNew(numbers, value.text) : isNew(others, value)));
}

function groupsOf(items: readonly AnyOperand[]): AnyOperand[][] {
  const groups: AnyOperand[][] = [];
  for (let index = 0; index < items.length; index += MAX_BOUND_ITEMS) {
    groups.push(items.slice(index, index + MAX_BOUND_ITEMS));
  }
  return groups;
}

function anyOf(conditions: readonly AnyCondition[]): AnyCondition {
  const [only] = conditions;
  if (only === undefined) return { kind: 'constant', value: false };
  return conditions.length === 1 ? only : { kind: 'or', conditions };
}
