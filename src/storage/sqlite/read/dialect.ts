import { stringifyJson } from '../../../protocol/values/json.ts';
import type { FeedbackType, IntegerColumn, TextColumn } from '../../contract/plan.ts';
import type { Dialect, JsonPlace } from '../../sql/dialect.ts';
import { bind, join, raw, type Sql, sql } from '../../sql/sql.ts';
import { formatCallRef } from '../../../protocol/ref.ts';
import { askedOf, type JsonAccess, jsonAccess, placeOf, readPlace } from './json-access.ts';

/**
 * Conditions in the SQL of SQLite. The tables have these names in every query: `c` calls, `o` op,
 * `s` body_start, `e` body_end. Functions named `spoor_…` are ours (functions.ts) and serve what SQL
 * cannot say; texts that may contain NUL go to them as blobs, since the driver ends a text at NUL.
 */
export const sqliteDialect: Dialect = {
  text: (column) => TEXT_COLUMNS[column],
  time: (column) => (column === 'deleted_at' ? raw('NULL') : raw(`c.${column}`)),
  integer: (column) => INTEGER_COLUMNS[column],
  json: placeOf,

  isAboutCall,
  latestFirst: (feedback) => raw(`${feedback}.created_at DESC, ${feedback}.id DESC`),
  feedbackColumn: (feedback, column) => raw(`${feedback}.${column}`),

  bindText: (text) => (text.includes('\0') ? sql`CAST(${bind(Buffer.from(text))} AS TEXT)` : bind(text)),
  bindNumber,

  goOn: raw('spoor_go_on(0)'),
  goOnAtTimes: raw('(random() & 15 OR spoor_go_on(0))'),

  not: (condition) => sql`NOT ${condition}`,
  operators: { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' },

  keptFields: {
    namedFrom: 16,
    token: (token, { depth, isFirst }) => sql`spoor_keep(${token}, ${raw(`${depth}, ${isFirst ? 1 : 0}`)})`,
  },

  jsonIsNull: (place) => sql`coalesce(${jsonAccess(place).type}, 'null') = 'null'`,
  jsonToken: (place) => jsonAccess(place).token,
  jsonText,
  jsonNumber: (place) => readPlace(place, (access) => jsonNumber(access, sql``)),
  jsonLooseNumber,
  jsonLooseBoolean,
  jsonTruth,

  numberOfText,
  textOfTime: (micros) => sql`spoor_time_text(${micros})`,
  textOfInteger: (value) => sql`spoor_integer_text(${value})`,
  textOfDouble: (value) => sql`spoor_double_text(${value})`,
  // Joined with nothing it is a plain text: SQLite leaves a text alone that it knows to come from JSON.
  quote: (text) => sql`json_quote(${text} || '')`,

  toInteger: (token) => sql`spoor_to_integer(${token})`,
  toDouble: (token) => sql`spoor_to_double(${token})`,
  toBoolean: (token) => sql`spoor_to_boolean(${token})`,

  compareTokens: (left, right) => sql`spoor_compare(${left}, ${right})`,
  isStructurallyEqual: (token, literals) => sql`spoor_equal(${token}, ${bind(stringifyJson(literals))})`,

  contains: (text, substr, { isCaseSensitive, isShort }) =>
    isCaseSensitive && isShort
      ? sql`instr(${text}, ${substr}) > 0`
      : sql`spoor_contains(CAST(${text} AS BLOB), CAST(${substr} AS BLOB), ${raw(isCaseSensitive ? '1' : '0')})`,
  containsToken: (text, token, isCaseSensitive) =>
    sql`spoor_contains_token(CAST(${text} AS BLOB), CAST(${token} AS BLOB), ${raw(isCaseSensitive ? '1' : '0')})`,

  isOneOf,
  isOneOfNumbers,
  isOpName: (texts) => sql`c.op IN (SELECT pk FROM op WHERE ${isOneOf(raw('name'), texts)})`,
  // As the index of these calls has it.
  isInState: (state) => (state === 'running' ? sql`c.ended_at IS NULL AND c.exception IS NULL` : undefined),
};

const TEXT_COLUMNS: Readonly<Record<TextColumn, Sql>> = {
  id: raw('c.id'),
  project_id: raw('(SELECT name FROM project WHERE pk = c.project)'),
  op_name: raw('o.name'),
  display_name: raw("nullif(c.display_name, '')"),
  trace_id: raw('c.trace_id'),
  parent_id: raw('c.parent_id'),
  thread_id: raw('c.thread_id'),
  turn_id: raw('c.turn_id'),
  exception: raw('c.exception'),
  svc_user_id: raw('c.user'),
  svc_run_id: raw('c.run'),
  process_run: raw('(SELECT r.id FROM process_run r WHERE r.pk = c.process)'),
  status: raw(
    `CASE WHEN c.exception IS NOT NULL THEN 'error' WHEN c.ended_at IS NULL THEN 'running' WHEN c.has_child_errors = 1 THEN 'descendant_error' ELSE 'success' END`,
  ),
  trace_name: raw("coalesce(nullif(c.display_name, ''), o.label)"),
};

const INTEGER_COLUMNS: Readonly<Record<IntegerColumn, Sql>> = {
  svc_run_step: raw('c.step'),
  svc_run_step_end: raw('c.step_end'),
  latency_ms: raw('max(0, (c.ended_at - c.started_at) / 1000)'),
};

/** The index of feedback is by project and reference. */
function isAboutCall(feedback: string, type: FeedbackType, projectId: string): Sql {
  const name = raw(feedback);
  const ref = sql`${bind(callRefPrefix(projectId))} || c.id`;
  const isOfType = type === null ? sql`` : sql` AND ${name}.feedback_type = ${sqliteDialect.bindText(type)}`;
  return sql`${name}.project = c.project AND ${name}.svc_ref = ${ref}${isOfType}`;
}

function callRefPrefix(projectId: string): string {
  return formatCallRef(projectId, '');
}

function jsonText(place: JsonPlace): Sql {
  return readPlace(
    place,
    ({ type, value, token }) => sql`CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${token} END`,
  );
}

function jsonLooseNumber(place: JsonPlace): Sql {
  if (place.isOneOfMany) return askedOf('spoor_number_at', place);
  return readPlace(place, (access) => jsonNumber(access, sql` WHEN 'text' THEN ${numberOfText(access.value)}`));
}

function jsonTruth(place: JsonPlace): Sql {
  if (place.isOneOfMany) return askedOf('spoor_truth_at', place);
  return readPlace(
    place,
    (access) =>
      sql`CASE ${access.type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE ${jsonNumber(access, sql``)} <> 0 END`,
  );
}

/**
 * SQLite reads numbers with an exponent and integers beyond 64 bits with a rounding of its own; ours is the
 * nearest double.
 */
function jsonNumber({ type, value, token }: JsonAccess, moreCases: Sql): Sql {
  const integer = sql`CASE WHEN length(${token}) < 19 THEN ${value} ELSE spoor_number(CAST(${token} AS BLOB)) END`;
  const real = sql`CASE WHEN instr(${token}, 'e') = 0 THEN ${value} ELSE spoor_number(CAST(${token} AS BLOB)) END`;
  return sql`CASE ${type} WHEN 'integer' THEN ${integer} WHEN 'real' THEN ${real}${moreCases} END`;
}

function jsonLooseBoolean(place: JsonPlace): Sql {
  if (place.isOneOfMany) return askedOf('spoor_boolean_at', place);
  return readPlace(place, booleanOf);
}

function booleanOf({ type, value }: JsonAccess): Sql {
  const text = sql`CASE ${value} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`;
  const number = sql`CASE ${value} WHEN 1 THEN 1 WHEN 0 THEN 0 END`;
  return sql`CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 WHEN 'text' THEN ${text} WHEN 'integer' THEN ${number} WHEN 'real' THEN ${number} END`;
}

/** One of the drivers binds a double that is nearly an integer as that integer; a text it leaves alone. */
function bindNumber(value: bigint | number): Sql {
  const isNearlyInteger = typeof value === 'number' && Math.abs(value - Math.round(value)) < 1e-9;
  return isNearlyInteger && !Number.isInteger(value) ? numberOfText(bind(String(value))) : bind(value);
}

function numberOfText(text: Sql): Sql {
  return sql`spoor_number(CAST(${text} AS BLOB))`;
}

/** A database takes 32,766 values in one statement, so lists travel as one JSON text. */
function isOneOf(text: Sql, texts: readonly string[]): Sql {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return sql`${text} = ${sqliteDialect.bindText(only)}`;
  return sql`${text} IN (SELECT value FROM json_each(${bind(JSON.stringify(texts))}))`;
}

/** Few numbers are compared in SQL, where an index may serve. */
const MAX_BOUND_NUMBERS = 4;

function isOneOfNumbers(number: Sql, numbers: readonly (bigint | number)[]): Sql {
  if (numbers.length <= MAX_BOUND_NUMBERS) return sql`${number} IN (${join(numbers.map(bindNumber), ', ')})`;
  return sql`spoor_is_one_of(${number}, ${bind(JSON.stringify(numbers.map(String)))})`;
}
