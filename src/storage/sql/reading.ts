import type { JsonValue } from '../../protocol/canonical-json.ts';
import type { Condition, ConvertTarget, Operand } from '../plan.ts';
import { textOfValue } from '../value.ts';
import type { Dialect } from './dialect.ts';
import { raw, type Sql, sql } from './sql.ts';

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

export function readOperand(operand: Operand, dialect: Dialect, print: PrintCondition): Reading {
  switch (operand.kind) {
    case 'literal':
      return readLiteral(operand.value, dialect);
    case 'text':
      return readText(dialect.text(operand.column), dialect);
    case 'time':
      return readTime(dialect.time(operand.column), dialect);
    case 'integer':
      return readInteger(dialect.integer(operand.column), dialect);
    case 'condition':
      return readBoolean(print(operand.condition), dialect);
    case 'convert':
      return readConversion(operand.input, operand.to, dialect, print);
    case 'json':
      return {
        isNull: () => dialect.jsonIsNull(operand),
        text: () => dialect.jsonText(operand),
        looseNumber: () => dialect.jsonLooseNumber(operand),
        looseBoolean: () => dialect.jsonLooseBoolean(operand),
        truth: () => dialect.jsonTruth(operand),
        token: () => dialect.jsonToken(operand),
      };
  }
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
  return { ...readText(dialect.textOfTime(micros), dialect), isNull: () => sql`${micros} IS NULL` };
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

function readConversion(input: Operand, to: ConvertTarget, dialect: Dialect, print: PrintCondition): Reading {
  const reading = readOperand(input, dialect, print);
  switch (to) {
    case 'exists':
      return readBoolean(dialect.not(sql`(${reading.isNull()})`), dialect);
    case 'string':
      return readText(sql`(${reading.text()})`, dialect);
    case 'bool':
      return readBoolean(input.kind === 'time' ? NULL : dialect.toBoolean(reading.token()), dialect);
    case 'int':
      return readInteger(dialect.toInteger(numberToken(input, reading, dialect)), dialect);
    case 'double':
      return readNumber(dialect.toDouble(numberToken(input, reading, dialect)), (value) => dialect.textOfDouble(value));
  }
}

/** Times convert to numbers as seconds. */
function numberToken(input: Operand, reading: Reading, dialect: Dialect): Sql {
  if (input.kind !== 'time') return reading.token();
  return dialect.textOfDouble(sql`(${dialect.time(input.column)} / 1000000.0)`);
}
