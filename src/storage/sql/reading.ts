import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import type {
  BoundValue,
  Computed,
  Condition,
  FeedbackField,
  FeedbackType,
  Field,
  Operand,
  TextColumn,
} from '../contract/plan.ts';
import { textOfValue } from '../values/value.ts';
import type { Dialect, JsonPlace } from './dialect.ts';
import { countedPlace, feedbackColumn, payloadOf, type Scope, withValues } from './scope.ts';
import { join, raw, type Sql, sql } from './sql.ts';

const NULL = raw('NULL');

/**
 * An operand as SQL, read as whatever a comparison asks for. Each method prints the operand at most twice,
 * and one that can contain others at most once, so that nested queries do not explode.
 */
export interface Reading {
  isNull(): Sql;
  text(): Sql;
  looseNumber(): Sql;
  looseBoolean(): Sql;
  truth(): Sql;
  /** JSON text of the value. */
  token(): Sql;
}

export type PrintCondition = (condition: Condition) => Sql;

export function readOperand(operand: Operand, scope: Scope, print: PrintCondition): Reading {
  const { dialect } = scope;
  switch (operand.kind) {
    case 'literal':
      return readLiteral(operand.value, dialect);
    case 'text':
      return readText(columnOf(operand.column, scope), dialect);
    case 'time':
      return readTime(dialect.time(operand.column), dialect);
    case 'integer':
      return readInteger(dialect.integer(operand.column), dialect);
    case 'condition':
    case 'convert': {
      const { value, read } = computationOf(operand, scope, print);
      return read(value);
    }
    case 'bound':
      return readBound(operand.name, scope);
    case 'json':
      return readKept(operand, undefined, dialect.json(operand), scope);
    case 'feedback':
      return operand.column === 'payload'
        ? readKept(operand, operand.type, payloadOf(operand, scope), scope)
        : readText(feedbackColumn(operand, scope), dialect);
  }
}

/** A plan is about one project. */
function columnOf(column: TextColumn, { dialect, projectId }: Scope): Sql {
  return column === 'project_id' ? dialect.bindText(projectId) : dialect.text(column);
}

function readBound(name: string, { bound }: Scope): Reading {
  const reading = bound.get(name);
  if (reading === undefined) throw new TypeError('A plan asks for a value that nothing has computed');
  return reading;
}

/** A value that is kept, or that is found where it stands. */
function readKept(
  field: (Field & { readonly kind: 'json' }) | FeedbackField,
  type: FeedbackType | undefined,
  place: JsonPlace,
  scope: Scope,
): Reading {
  const { dialect, kept } = scope;
  return (
    kept.get(type)?.reading(field, () => readJson(place, dialect)) ?? readJson(countedPlace(place, scope), dialect)
  );
}

function readJson(place: JsonPlace, dialect: Dialect): Reading {
  return {
    isNull: () => dialect.jsonIsNull(place),
    text: () => dialect.jsonText(place),
    looseNumber: () => dialect.jsonLooseNumber(place),
    looseBoolean: () => dialect.jsonLooseBoolean(place),
    truth: () => dialect.jsonTruth(place),
    token: () => dialect.jsonToken(place),
  };
}

/**
 * An operand that is read in several ways. One that can contain others is computed once, in a table of one row,
 * and read from there: printed again for each way, lists inside of lists would double the text at every level.
 */
export function readOnce(operand: Operand, scope: Scope, print: PrintCondition, use: (reading: Reading) => Sql): Sql {
  if (operand.kind !== 'condition' && operand.kind !== 'convert') return use(readOperand(operand, scope, print));
  const { value, read } = computationOf(operand, scope, print);
  return sql`(SELECT ${use(read(raw('operand')))} FROM (SELECT ${value} AS operand))`;
}

/** A condition on values that are computed once, in a table of one row around it. */
export function printWithValues(
  values: readonly BoundValue[],
  scope: Scope,
  print: PrintCondition,
  use: (inner: Scope) => Sql,
): Sql {
  const computed = values.map(({ name, operand }) => ({ name, ...computationOf(operand, scope, print) }));
  const inner = withValues(
    scope,
    computed.map(({ name, read }) => [name, read(raw(name))]),
  );
  const columns = computed.map(({ name, value }) => sql`${value} AS ${raw(name)}`);
  return sql`(SELECT ${use(inner)} FROM (SELECT ${join(columns, ', ')}))`;
}

/** Comparisons look at literals themselves; searches read them as texts. */
function readLiteral(value: JsonValue, dialect: Dialect): Reading {
  return readText(dialect.bindText(textOfValue(value) ?? ''), dialect);
}

function readText(text: Sql, dialect: Dialect): Reading {
  return {
    isNull: () => sql`${text} IS NULL`,
    text: () => text,
    looseNumber: () => dialect.numberOfText(text),
    looseBoolean: () => sql`CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
    truth: () => NULL,
    token: () => dialect.quote(text),
  };
}

function readTime(micros: Sql, dialect: Dialect): Reading {
  // Printed when it is asked for, as few conditions look at times as texts.
  const asText = () => readText(dialect.textOfTime(micros), dialect);
  return {
    isNull: () => sql`${micros} IS NULL`,
    text: () => asText().text(),
    looseNumber: () => asText().looseNumber(),
    looseBoolean: () => asText().looseBoolean(),
    truth: () => NULL,
    token: () => asText().token(),
  };
}

function readNumber(value: Sql, textOf: (value: Sql) => Sql): Reading {
  return {
    isNull: () => sql`${value} IS NULL`,
    text: () => textOf(value),
    looseNumber: () => value,
    looseBoolean: () => sql`CASE ${value} WHEN 1 THEN 1 WHEN 0 THEN 0 END`,
    truth: () => sql`${value} <> 0`,
    token: () => textOf(value),
  };
}

function readInteger(value: Sql, dialect: Dialect): Reading {
  return readNumber(value, (integer) => dialect.textOfInteger(integer));
}

function readBoolean(condition: Sql, dialect: Dialect): Reading {
  const truth = sql`(${condition})`;
  const text = sql`CASE ${truth} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
  return {
    ...readText(text, dialect),
    looseNumber: () => NULL,
    looseBoolean: () => truth,
    truth: () => truth,
    token: () => text,
  };
}

/** The SQL of an operand that is computed, and how its value is read. */
interface Computation {
  readonly value: Sql;
  readonly read: (value: Sql) => Reading;
}

function computationOf(operand: Computed, scope: Scope, print: PrintCondition): Computation {
  const { dialect } = scope;
  const readAsBoolean = (value: Sql) => readBoolean(value, dialect);
  if (operand.kind === 'condition') return { value: print(operand.condition), read: readAsBoolean };
  const { input, to } = operand;
  const reading = readOperand(input, scope, print);
  switch (to) {
    case 'exists':
      return { value: dialect.not(sql`(${reading.isNull()})`), read: readAsBoolean };
    case 'string':
      return { value: sql`(${reading.text()})`, read: (value) => readText(value, dialect) };
    case 'bool':
      return { value: input.kind === 'time' ? NULL : dialect.toBoolean(reading.token()), read: readAsBoolean };
    case 'int':
      return {
        value: dialect.toInteger(numberToken(input, reading, dialect)),
        read: (value) => readNumber(value, (integer) => dialect.textOfInteger(integer)),
      };
    case 'double':
      return {
        value: dialect.toDouble(numberToken(input, reading, dialect)),
        read: (value) => readNumber(value, (double) => dialect.textOfDouble(double)),
      };
  }
}

/** Times convert to numbers as seconds. */
function numberToken(input: Operand, reading: Reading, dialect: Dialect): Sql {
  if (input.kind !== 'time') return reading.token();
  return dialect.textOfDouble(sql`(${dialect.time(input.column)} / 1000000.0)`);
}
