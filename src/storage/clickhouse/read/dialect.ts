import type { FeedbackType, IntegerColumn, TextColumn } from '../../contract/plan.ts';
import type { Dialect, JsonPlace } from '../../sql/dialect.ts';
import { bind, join, raw, type Sql, sql } from '../../sql/sql.ts';
import { bindTexts } from '../statement.ts';

/**
 * Conditions in the SQL of ClickHouse, as far as it says exactly what they mean (`exact-conditions.ts`): those on columns,
 * and the usual ones on JSON. The table of calls is named `c`.
 */
export const clickhouseDialect: Dialect = {
  text: (column) => TEXT_COLUMNS[column],
  time: (column) => (column === 'deleted_at' ? raw("CAST(NULL, 'Nullable(Int64)')") : raw(`c.${column}`)),
  integer: (column) => INTEGER_COLUMNS[column],
  json: ({ column, path }) => ({ json: raw(`c.${column}`), path }),

  isAboutCall: (_feedback: string, _type: FeedbackType) => notPrinted(),
  latestFirst: notPrinted,
  feedbackColumn: notPrinted,

  bindText: bind,
  bindNumber: bind,

  // A statement ends when its connection does.
  goOn: raw('1'),
  goOnAtTimes: raw('1'),

  not: (condition) => sql`NOT ${condition}`,
  operators: { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' },

  jsonIsNull: (place) => sql`${ofJson('JSONType', place)} = 'Null'`,
  jsonToken: notPrinted,
  jsonText,
  jsonNumber: notPrinted,
  jsonLooseNumber,
  jsonLooseBoolean: notPrinted,
  jsonTruth,

  numberOfText: notPrinted,
  textOfTime: notPrinted,
  textOfInteger: notPrinted,
  textOfDouble: notPrinted,
  quote: notPrinted,

  toInteger: notPrinted,
  toDouble: notPrinted,
  toBoolean: notPrinted,

  compareTokens: notPrinted,
  isStructurallyEqual: notPrinted,

  contains: (text, substr) => sql`position(${text}, ${substr}) > 0`,
  containsToken: notPrinted,

  isOneOf: (text, texts) => sql`${text} IN ${bindTexts(texts)}`,
  isOneOfNumbers: (number, numbers) => sql`${number} IN (${join(numbers.map(bind), ', ')})`,
};

/** A condition that is not among the exact ones is evaluated in the service. */
function notPrinted(): never {
  throw new TypeError('ClickHouse cannot say this part of a condition exactly');
}

function ofJson(name: string, { json, path }: JsonPlace): Sql {
  return sql`${raw(name)}(${join([json, ...path.map(bind)], ', ')})`;
}

/** Of what is no text it is one that no text is compared with: literals that may be tokens are not among exact conditions. */
function jsonText(place: JsonPlace): Sql {
  const type = ofJson('JSONType', place);
  return sql`multiIf(${type} = 'Null', NULL, ${type} = 'String', ${ofJson('JSONExtractString', place)}, '{')`;
}

/** As `numericOfText` reads them. */
const NUMBER_TEXT = bind(String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$`);

/** The nearest double, which has the same order beside literals that are far from where doubles have gaps. */
function jsonLooseNumber(place: JsonPlace): Sql {
  const type = ofJson('JSONType', place);
  const text = ofJson('JSONExtractString', place);
  return sql`multiIf(${type} IN ('Int64', 'UInt64', 'Double'), ${ofJson('JSONExtractFloat', place)},
    ${type} = 'String' AND match(${text}, ${NUMBER_TEXT}), toFloat64OrNull(${text}), NULL)`;
}

function jsonTruth(place: JsonPlace): Sql {
  const type = ofJson('JSONType', place);
  return sql`multiIf(${type} = 'Bool', ${ofJson('JSONExtractBool', place)},
    ${type} IN ('Int64', 'UInt64', 'Double'), ${ofJson('JSONExtractFloat', place)} != 0, NULL)`;
}

const TEXT_COLUMNS: Readonly<Record<TextColumn, Sql>> = {
  id: raw('c.id'),
  project_id: raw('c.project_id'),
  op_name: raw('c.op_name'),
  display_name: raw("nullIf(c.display_name, '')"),
  trace_id: raw('c.trace_id'),
  parent_id: raw('c.parent_id'),
  thread_id: raw('c.thread_id'),
  turn_id: raw('c.turn_id'),
  exception: raw("nullIf(c.exception, '')"),
  svc_user_id: raw('c.user_id'),
  svc_run_id: raw('c.run_id'),
  process_run: raw("nullIf(c.process_run, '')"),
  status: raw(
    `multiIf(c.exception != '', 'error', c.ended_at IS NULL, 'running', c.has_child_errors = 1, 'descendant_error', 'success')`,
  ),
  trace_name: raw("if(c.display_name != '', c.display_name, c.op_label)"),
};

const INTEGER_COLUMNS: Readonly<Record<IntegerColumn, Sql>> = {
  svc_run_step: raw('c.run_step'),
  svc_run_step_end: raw('c.run_step_end'),
  latency_ms: raw('if(c.ended_at < c.started_at, 0, intDiv(c.ended_at - c.started_at, 1000))'),
};
