import type { Expression } from '../protocol/query.ts';
import type { Condition } from './condition.ts';
import type { FieldTest, FilterValue, Order } from './tree.ts';

const OPERATORS = { '=': '$eq', '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const;

/** Greater than every character that a text goes on with. */
const LAST_CHARACTER = '\u{10FFFF}';

/** A test of a field by its path in queries, which is NULL in calls that have nothing there. */
export function isText(path: string, text: string): Condition {
  return compared(path, '=', text);
}

export function isOneOf(path: string, texts: readonly string[]): Condition {
  const field: Expression = { $getField: path };
  return nullable({ $in: [field, texts.map((text) => ({ $literal: text }))] }, field);
}

export function compared(path: string, operator: Order | '=', value: string | number): Condition {
  return nullable(ordered(path, operator, value), { $getField: path });
}

/** The code points of texts have an order, so a beginning is a range of them, which an index can be asked for. */
export function beginsWith(path: string, text: string): Condition {
  const from = ordered(path, '>=', text);
  return nullable({ $and: [from, ordered(path, '<', `${text}${LAST_CHARACTER}`)] }, { $getField: path });
}

/** In any case. */
export function contains(path: string, text: string): Condition {
  return nullable(search({ $getField: path }, text), { $getField: path });
}

/** In any case. Objects and lists are searched as JSON, in which some characters have a backslash before them. */
export function jsonContains(path: string, text: string): Condition {
  const escaped = JSON.stringify(text).slice(1, -1);
  return any((escaped === text ? [text] : [text, escaped]).map((form) => contains(path, form)));
}

export function exists(path: string): Condition {
  return { kind: 'test', test: { $convert: { input: { $getField: path }, to: 'exists' } } };
}

/** A test of a JSON value: a number and a text of digits are equal, and what is neither has no order with numbers. */
export function jsonTest(path: string, test: FieldTest): Condition {
  if (test.kind === 'is') return any(test.values.map((value) => jsonValueTest(path, value)));
  if (test.kind === 'order') return jsonCompared(path, test.order, test.value);
  return all([jsonCompared(path, '>=', test.from), jsonCompared(path, '<=', test.to)]);
}

/** A test of a text. */
export function textTest(path: string, test: FieldTest): Condition {
  return any(valuesOf(test).map((value) => textValueTest(path, value)));
}

export function textValueTest(path: string, value: FilterValue): Condition {
  if (value.kind === 'beginning') return beginsWith(path, value.text);
  return value.kind === 'part' ? contains(path, value.text) : isText(path, textOf(value));
}

/** A test of a column of numbers. */
export function numberTest(path: string, test: FieldTest): Condition {
  return numberTests(test, (operator, value) => compared(path, operator, value));
}

export function numberTests(test: FieldTest, make: (operator: Order | '=', value: number) => Condition): Condition {
  if (test.kind === 'is') return any(test.values.map((value) => make('=', numberOf(value))));
  if (test.kind === 'order') return make(test.order, numberOf(test.value));
  return all([make('>=', numberOf(test.from)), make('<=', numberOf(test.to))]);
}

export function any(parts: readonly Condition[]): Condition {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: 'or', parts };
}

export function all(parts: readonly Condition[]): Condition {
  return { kind: 'and', parts };
}

export function valuesOf(test: FieldTest): readonly FilterValue[] {
  if (test.kind === 'is') return test.values;
  return test.kind === 'order' ? [test.value] : [test.from, test.to];
}

export function textOf(value: FilterValue): string {
  return 'text' in value ? value.text : String('number' in value ? value.number : '');
}

function jsonValueTest(path: string, value: FilterValue): Condition {
  if (value.kind === 'number') return jsonCompared(path, '=', value);
  return value.kind === 'part' ? jsonContains(path, value.text) : textValueTest(path, value);
}

/** A value of another type has no order, so not only what is missing is NULL, but what the comparison says so itself. */
function jsonCompared(path: string, operator: Order | '=', value: FilterValue): Condition {
  const test = ordered(path, operator, value.kind === 'number' ? value.number : textOf(value));
  return nullable(test, value.kind === 'number' ? test : { $getField: path });
}

function ordered(path: string, operator: Order | '=', value: string | number): Expression {
  const sides: [Expression, Expression] = [{ $getField: path }, { $literal: value }];
  switch (OPERATORS[operator]) {
    case '$eq':
      return { $eq: sides };
    case '$gt':
      return { $gt: sides };
    case '$gte':
      return { $gte: sides };
    case '$lt':
      return { $lt: sides };
    case '$lte':
      return { $lte: sides };
  }
}

function search(input: Expression, text: string): Expression {
  return { $contains: { input, substr: { $literal: text }, case_insensitive: true } };
}

/** Fields that every call has. */
const NEVER_NULL = ['op_name', 'trace_id', 'started_at', 'inputs', 'summary.svc.status', 'summary.svc.trace_name'];

function nullable(test: Expression, nullOperand: Expression): Condition {
  const isNever = '$getField' in nullOperand && NEVER_NULL.includes(nullOperand.$getField);
  return isNever ? { kind: 'test', test } : { kind: 'test', test, nullOperand };
}

function numberOf(value: FilterValue): number {
  if (value.kind === 'number') return value.number;
  return value.kind === 'duration' ? value.ms : Number.NaN;
}
