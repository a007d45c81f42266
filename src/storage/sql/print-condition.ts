import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { NumberToken } from '../../protocol/values/canonical-json.ts';
import { numericOfNumber } from '../values/numeric.ts';
import type { ComparisonOperator, Condition, Operand } from '../contract/plan.ts';
import { SHORT_PATTERN } from '../values/text-search.ts';
import { isContainer, textOfValue } from '../values/value.ts';
import type { Dialect } from './dialect.ts';
import { KeptFields } from './kept-fields.ts';
import { printWithValues, readOnce, readOperand, type Reading } from './reading.ts';
import { type Scope, withFeedback, withKept } from './scope.ts';
import { junction, raw, type Sql, sql } from './sql.ts';

/** Conditions that must all hold, each as SQL that is 1, 0 or NULL; those that look into the same bodies again and again as one. */
export function printConjuncts(conditions: readonly Condition[], scope: Scope): readonly Sql[] {
  const kept = KeptFields.of({ conditions, depth: scope.depth }, scope.dialect);
  if (kept === undefined) return conditions.map((part) => printCondition(part, scope));
  const inner = withKept(scope, undefined, kept);
  const together = conditions.filter((part) => kept.isNamedIn(part));
  const alone = conditions.filter((part) => !together.includes(part));
  const printed = together.map((part) => sql`(${printCondition(part, inner)})`);
  return [...alone.map((part) => printCondition(part, scope)), kept.around(junction(printed, 'AND'))];
}

/** A condition as SQL that is 1, 0 or NULL. */
export function printCondition(condition: Condition, scope: Scope): Sql {
  const printed = printUnguarded(condition, scope);
  return isComparison(condition) ? guarded(printed, scope) : printed;
}

/** A row may be compared thousands of times, and each time with a long text: within a row too a read must end. */
const COMPARISONS_BETWEEN_CHECKS = 16;

function guarded(comparison: Sql, { printed, dialect }: Scope): Sql {
  printed.comparisons += 1;
  if (printed.comparisons % COMPARISONS_BETWEEN_CHECKS !== 0) return comparison;
  return sql`CASE WHEN ${dialect.goOn} THEN (${comparison}) END`;
}

function isComparison({ kind }: Condition): boolean {
  return kind !== 'and' && kind !== 'or' && kind !== 'not' && kind !== 'some' && kind !== 'let' && kind !== 'constant';
}

function printUnguarded(condition: Condition, scope: Scope): Sql {
  const { dialect } = scope;
  const print = (part: Condition) => printCondition(part, scope);
  const read = (operand: Operand) => readOperand(operand, scope, print);
  switch (condition.kind) {
    case 'constant':
      return raw(condition.value === null ? 'NULL' : condition.value ? '1' : '0');
    case 'and':
      return junction(
        condition.conditions.map((part) => sql`(${print(part)})`),
        'AND',
      );
    case 'or':
      return junction(
        condition.conditions.map((part) => sql`(${print(part)})`),
        'OR',
      );
    case 'not':
      return dialect.not(sql`(${print(condition.condition)})`);
    case 'some':
      return printSome(condition, scope);
    case 'isNull':
      return read(condition.operand).isNull();
    case 'truth':
      return read(condition.operand).truth();
    case 'compare':
      return printComparison(condition, dialect, read);
    case 'in':
      return readOnce(condition.operand, scope, print, (reading) => printMembership(condition, dialect, reading));
    case 'let':
      return printWithValues(condition.values, scope, print, (inner) => printCondition(condition.condition, inner));
    case 'contains':
      return dialect.contains(read(condition.input).text(), read(condition.substr).text(), {
        isCaseSensitive: condition.isCaseSensitive,
        isShort: isShortLiteral(condition.substr),
      });
    case 'containsToken':
      return dialect.containsToken(
        read(condition.input).text(),
        read(condition.substr).text(),
        condition.isCaseSensitive,
      );
  }
}

type Read = (operand: Operand) => Reading;

/** A Kleene or over rows: TRUE if one is, else NULL if one is, else FALSE. A condition inside looks for rows of its own. */
function printSome({ type, condition, whenNone }: Condition & { kind: 'some' }, scope: Scope): Sql {
  const name = `f${scope.depth}`;
  const kept = KeptFields.of({ conditions: [condition], type, depth: scope.depth + 1 }, scope.dialect);
  const printed = printCondition(condition, withKept(withFeedback(scope, type, name), type, kept));
  const truths = sql`SELECT (${kept?.around(printed) ?? printed}) AS truth FROM feedback ${raw(name)}
    WHERE ${scope.dialect.isAboutCall(name, type, scope.projectId)} AND ${scope.dialect.goOnAtTimes}`;
  const unlessNull = whenNone === null ? raw('max(truth)') : raw('coalesce(max(truth), 0)');
  return sql`(SELECT CASE WHEN max(truth) = 1 THEN 1 WHEN count(truth) = count(*) THEN ${unlessNull} END FROM (${truths}))`;
}

function printComparison(
  { operator, left, right }: Condition & { kind: 'compare' },
  dialect: Dialect,
  read: Read,
): Sql {
  const sign = raw(dialect.operators[operator]);
  if (right.kind === 'literal') return compareToLiteral(operator, left, right.value, dialect, read);
  if (left.kind === 'time' && right.kind === 'time') {
    return sql`${dialect.time(left.column)} ${sign} ${dialect.time(right.column)}`;
  }
  return sql`${dialect.compareTokens(read(left).token(), read(right).token())} ${sign} 0`;
}

function isShortLiteral(operand: Operand): boolean {
  return operand.kind === 'literal' && (textOfValue(operand.value) ?? '').length <= SHORT_PATTERN;
}

/** The planner left literals in the type of a column; elsewhere the literal decides how a value is read. */
function compareToLiteral(
  operator: ComparisonOperator,
  left: Operand,
  literal: JsonValue,
  dialect: Dialect,
  read: Read,
): Sql {
  const indexed = operator === 'eq' && typeof literal === 'string' ? printIndexed(left, literal, dialect) : undefined;
  if (indexed !== undefined) return indexed;
  const reading = left.kind === 'time' ? readingOfTime(dialect.time(left.column), read(left)) : read(left);
  return readingToLiteral(operator, reading, literal, dialect);
}

/** A column that is equal to a text, said otherwise, where an index asks for that. */
function printIndexed(left: Operand, literal: string, dialect: Dialect): Sql | undefined {
  if (left.kind !== 'text') return undefined;
  if (left.column === 'op_name') return dialect.isOpName?.([literal]);
  return left.column === 'status' ? dialect.isInState?.(literal) : undefined;
}

/** Literals beside a time are microseconds. */
function readingOfTime(micros: Sql, reading: Reading): Reading {
  return { ...reading, looseNumber: () => micros };
}

function readingToLiteral(operator: ComparisonOperator, left: Reading, literal: JsonValue, dialect: Dialect): Sql {
  const sign = raw(dialect.operators[operator]);
  if (isContainer(literal)) return dialect.isStructurallyEqual(left.token(), [literal]);
  if (typeof literal === 'string') return sql`${left.text()} ${sign} ${dialect.bindText(literal)}`;
  if (typeof literal === 'boolean') return sql`${left.looseBoolean()} ${sign} ${raw(literal ? '1' : '0')}`;
  return sql`${left.looseNumber()} ${sign} ${dialect.bindNumber(numericOfNumber(asNumber(literal)))}`;
}

/** One list per type of literal. */
function printMembership({ operand, items }: Condition & { kind: 'in' }, dialect: Dialect, reading: Reading): Sql {
  const literals = items.map((item) => (item.kind === 'literal' ? item.value : null));
  const texts = literals.filter((value) => typeof value === 'string');
  const numbers = literals.filter((value) => typeof value === 'number' || value instanceof NumberToken);
  const truths = literals.filter((value) => typeof value === 'boolean');
  const containers = literals.filter((value) => value !== null && isContainer(value));
  const parts = truths.map((value) => sql`${reading.looseBoolean()} = ${raw(value ? '1' : '0')}`);
  if (containers.length > 0) parts.push(dialect.isStructurallyEqual(reading.token(), containers));
  if (texts.length > 0) parts.push(isOneOfTexts(operand, texts, dialect, reading));
  if (numbers.length > 0) {
    const number = operand.kind === 'time' ? dialect.time(operand.column) : reading.looseNumber();
    parts.push(
      dialect.isOneOfNumbers(
        number,
        numbers.map((value) => numericOfNumber(asNumber(value))),
      ),
    );
  }
  return junction(
    parts.map((part) => sql`(${part})`),
    'OR',
  );
}

function isOneOfTexts(operand: Operand, texts: readonly string[], dialect: Dialect, reading: Reading): Sql {
  if (operand.kind === 'text' && operand.column === 'op_name' && dialect.isOpName) return dialect.isOpName(texts);
  return dialect.isOneOf(reading.text(), texts);
}

/** A value that is no container, text, boolean or null is a number. */
function asNumber(value: JsonValue): number | NumberToken {
  if (typeof value === 'number' || value instanceof NumberToken) return value;
  throw new TypeError('A literal of a plan is not a JSON value');
}
