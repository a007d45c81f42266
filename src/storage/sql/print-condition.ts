import type { JsonValue } from '../../protocol/canonical-json.ts';
import { NumberToken } from '../../protocol/canonical-json.ts';
import { numericOfNumber } from '../numeric.ts';
import type { ComparisonOperator, Condition, Operand } from '../plan.ts';
import { isContainer } from '../value.ts';
import type { Dialect } from './dialect.ts';
import { readOnce, readOperand, type Reading } from './reading.ts';
import { junction, raw, type Sql, sql } from './sql.ts';

/** A condition as SQL that is 1, 0 or NULL. */
export function printCondition(condition: Condition, dialect: Dialect): Sql {
  const print = (part: Condition) => printCondition(part, dialect);
  const read = (operand: Operand) => readOperand(operand, dialect, print);
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
    case 'isNull':
      return read(condition.operand).isNull();
    case 'truth':
      return read(condition.operand).truth();
    case 'compare':
      return printComparison(condition, dialect, read);
    case 'in':
      return readOnce(condition.operand, dialect, print, (reading) => printMembership(condition, dialect, reading));
    case 'contains':
      return dialect.contains(read(condition.input).text(), read(condition.substr).text(), condition.isCaseSensitive);
    case 'containsToken':
      return dialect.containsToken(
        read(condition.input).text(),
        read(condition.substr).text(),
        condition.isCaseSensitive,
      );
  }
}

type Read = (operand: Operand) => Reading;

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

/** The planner left literals in the type of a column; elsewhere the literal decides how a value is read. */
function compareToLiteral(
  operator: ComparisonOperator,
  left: Operand,
  literal: JsonValue,
  dialect: Dialect,
  read: Read,
): Sql {
  const sign = raw(dialect.operators[operator]);
  if (isContainer(literal)) return dialect.isStructurallyEqual(read(left).token(), [literal]);
  if (typeof literal === 'string') {
    const isOpName = left.kind === 'text' && left.column === 'op_name' && operator === 'eq';
    if (isOpName && dialect.isOpName) return dialect.isOpName([literal]);
    return sql`${read(left).text()} ${sign} ${dialect.bindText(literal)}`;
  }
  if (typeof literal === 'boolean') return sql`${read(left).looseBoolean()} ${sign} ${raw(literal ? '1' : '0')}`;
  const number = left.kind === 'time' ? dialect.time(left.column) : read(left).looseNumber();
  return sql`${number} ${sign} ${dialect.bindNumber(numericOfNumber(asNumber(literal)))}`;
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

/** What is no container, text, boolean or null is a number. */
function asNumber(value: JsonValue): number | NumberToken {
  if (typeof value === 'number' || value instanceof NumberToken) return value;
  throw new TypeError('A literal of a plan is not a JSON value');
}
