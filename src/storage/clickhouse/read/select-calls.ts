import type { CallFilterPlan, CallPlan, CallSelection, Condition, JsonColumn, TextMatch } from '../../contract/plan.ts';
import { printCondition } from '../../sql/print-condition.ts';
import { conjuncts } from '../../values/condition-parts.ts';
import { namedRuns } from '../../sql/named-runs.ts';
import type { HasPart } from '../../sql/prefilter.ts';
import { printSort } from '../../sql/print-sort.ts';
import { scopeOf } from '../../sql/scope.ts';
import { bind, join, junction, raw, type Sql, sql } from '../../sql/sql.ts';
import { bindIntegers, bindTexts } from '../statement.ts';
import { callColumns, type CallKey, KEY_COLUMNS, minuteOf } from './call-columns.ts';
import { clickhouseDialect } from './dialect.ts';

/** The calls that are wanted, as far as the database tells. */
export interface PrintedSelection extends Omit<CallSelection, 'condition'> {
  readonly printed: readonly Condition[];
  /** Hold for bodies that are not odd; calls with others are selected all the same. */
  readonly unlessOdd?: readonly Condition[];
  /** Conditions that must hold where the others do, and are told sooner. */
  readonly prefilters?: readonly Sql[];
  /** Are few calls looked for in all bodies? Those are found first, as FINAL carries bodies through a merge of rows. */
  readonly isSearch?: boolean;
  /** Do conditions look into bodies? */
  readonly readsBodies?: boolean;
}

/** One thread, as what a page reads is of one place: threads take longer to begin than that does. */
const ONE_THREAD = raw(' SETTINGS max_threads = 1');

/** Keys of calls in their order; bodies are read by them, so that no sort carries bodies. */
export function printKeys(selection: PrintedSelection, plan: Ordered): Sql {
  return printPage(printNarrow(selection), plan, { columns: KEY_COLUMNS, projectId: selection.projectId });
}

/** Pages of which so many calls are told, the ones before them included, are looked for at their end of the time. */
const MAX_NEAR = 20_000;
/** Of those so many are sorted by one thread sooner than by several. */
const MAX_OF_THREAD = 2000;

/** A key of a page with how many rows were found for it, of `wantedRows` at most. */
export interface NearKey extends CallKey {
  readonly found: number;
}

export interface NearPage {
  readonly statement: Sql;
  /** Where fewer were found there are no others: the page is whole, however many calls it has. */
  readonly wantedRows: number;
}

/**
 * The keys of a page that is ordered by time, looked for among the calls at that end of the time. There may be others where these
 * are less than the page has: rows are taken that are not the newest of their call. Undefined for other plans.
 */
export function printNearKeys(selection: PrintedSelection, plan: Ordered): NearPage | undefined {
  const [first] = plan.sort;
  const last = plan.offset + (plan.limit ?? Infinity);
  if (first?.field.kind !== 'time' || first.field.column !== 'started_at' || last > MAX_NEAR) return undefined;
  if (selection.readsBodies === true || Object.keys(selection.filter).some((name) => NAMED.has(name))) return undefined;
  const order = raw(first.isDescending ? 'DESC' : 'ASC');
  const wantedRows = 3 * last + 100;
  const rows = sql`SELECT ${MINUTE} AS minute FROM ${printRows(selection)}
    ORDER BY c.project_id ${order}, ${MINUTE} ${order} LIMIT ${bind(wantedRows)}`;
  const edge = raw(first.isDescending ? 'min(minute)' : 'max(minute)');
  const and = sql` AND edge.2 > 0 AND ${MINUTE} ${raw(first.isDescending ? '>=' : '<=')} edge.1`;
  const page = printPage(sql`${printNarrow(selection)}${and}`, plan, {
    columns: `${KEY_COLUMNS}, edge.2 AS found`,
    projectId: selection.projectId,
  });
  // Rows are looked for once, as one value is.
  const statement = sql`WITH (SELECT (${edge}, count()) FROM (${rows})) AS edge ${page}`;
  return { statement: last > MAX_OF_THREAD ? statement : sql`${statement}${ONE_THREAD}`, wantedRows };
}

/** Filters that name few calls, for which there are indexes. */
const NAMED: ReadonlySet<string> = new Set(['callIds', 'traceIds', 'parentIds', 'threadIds', 'turnIds']);
const MINUTE = raw('intDiv(c.started_at, 60000000)');

/** The calls in no order, with these bodies. */
export function printCalls(selection: PrintedSelection, bodies: ReadonlySet<JsonColumn>): Sql {
  return sql`SELECT ${raw(callColumns(bodies))}, c.body_bytes AS bytes FROM ${printSelection(selection)}`;
}

/** Has any of the calls a body that SQL may read in another way than we do? */
export function printOdd(selection: PrintedSelection): Sql {
  return sql`SELECT 1 AS odd FROM ${printSelection(selection)} AND c.is_odd = 1 LIMIT 1`;
}

export const hasPart: HasPart = ({ column }, part, isAsItIs) => {
  return sql`${raw(isAsItIs ? 'position' : 'positionCaseInsensitive')}(${raw(`c.${column}`)}, ${bind(part)}) > 0`;
};

export function printCount(selection: PrintedSelection, limit: number | undefined): Sql {
  if (limit === undefined) return sql`SELECT count() AS count FROM ${printSelection(selection)}`;
  return sql`SELECT count() AS count FROM (SELECT 1 FROM ${printSelection(selection)} LIMIT ${bind(limit)})`;
}

/** Columns of the calls of a plan in its order, which must be narrow. */
export function printInOrder(selection: PrintedSelection, plan: Ordered, columns: string): Sql {
  return printPage(printSelection(selection), plan, { columns, projectId: selection.projectId });
}

function printPage(
  from: Sql,
  { sort, limit, offset }: Ordered,
  { columns, projectId }: { readonly columns: string; readonly projectId: string },
): Sql {
  const order = printSort(sort, scopeOf(clickhouseDialect, projectId));
  return sql`SELECT ${raw(columns)} FROM ${from} ORDER BY ${join(order, ', ')}${pageOf(limit, offset)}`;
}

type Ordered = Pick<CallPlan, 'sort' | 'limit' | 'offset'>;

type Place = Pick<CallKey, 'id' | 'started_at'>;

/** The few calls of a page, in no order. */
export function printCallsOfPage(projectId: string, keys: readonly Place[], columns: string): Sql {
  return sql`${printCallsOfKeys(projectId, keys, columns)}${ONE_THREAD}`;
}

/** The calls of keys, in no order: thousands of them, of any times. */
export function printCallsOfKeys(projectId: string, keys: readonly Place[], columns: string): Sql {
  const minutes = [...new Set(keys.map((key) => minuteOf(key.started_at)))];
  const places = [
    sql`c.project_id = ${bind(projectId)}`,
    sql`${MINUTE} IN ${bindIntegers(minutes)}`,
    sql`c.id IN ${bindTexts(keys.map(({ id }) => id))}`,
  ];
  // Places are parts of the key, so all rows of a call are kept or none: FINAL merges those, and no bodies of others.
  return sql`SELECT ${raw(columns)} FROM calls AS c FINAL PREWHERE ${join(places, ' AND ')}`;
}

function pageOf(limit: number | undefined, offset: number): Sql {
  if (limit !== undefined) return sql` LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
  return offset === 0 ? sql`` : sql` OFFSET ${bind(offset)}`;
}

export function printSelection(selection: PrintedSelection): Sql {
  if (selection.isSearch !== true) return sql`calls AS c FINAL WHERE ${conditionsOf(selection)}`;
  // The newest row of a call that is wanted is among all rows; ids are parts of the key, so all rows of a call are kept or none.
  return sql`calls AS c FINAL PREWHERE c.project_id = ${bind(selection.projectId)}
    AND c.id IN (SELECT c.id FROM ${printRows(selection)}) WHERE ${conditionsOf(selection)}`;
}

/** The same for narrow columns: bodies are looked into once, in all rows, however many have what is searched for. */
function printNarrow(selection: PrintedSelection): Sql {
  if (selection.isSearch !== true || selection.readsBodies === true) return printSelection(selection);
  const { prefilters: _searched, ...narrow } = selection;
  // The service evaluates what is searched for on the newest row. By ids alone: merges may change rows between both reads.
  return sql`calls AS c FINAL WHERE ${conditionsOf(narrow)}
    AND c.id IN (SELECT c.id FROM ${printRows(selection)})`;
}

/** All rows of the table for which the conditions hold, also those that newer ones have replaced. */
export function printRows(selection: PrintedSelection): Sql {
  return sql`calls AS c WHERE ${conditionsOf(selection)}`;
}

function conditionsOf({ projectId, filter, printed, unlessOdd = [], prefilters = [] }: PrintedSelection): Sql {
  const scope = scopeOf(clickhouseDialect, projectId);
  const conditions = [
    sql`c.project_id = ${bind(projectId)}`,
    ...filterConditions(filter, projectId),
    ...printed.flatMap((part) => conjuncts(part)).flatMap((part) => isInTimeOfRuns(namedRuns(part), projectId)),
    ...prefilters.map((part) => sql`(${part})`),
    ...printed.map((part) => sql`(${printCondition(part, scope)})`),
    ...unlessOdd.map((part) => sql`(${printCondition(part, scope)} OR c.is_odd = 1)`),
  ];
  return junction(conditions, 'AND');
}

function filterConditions(filter: CallFilterPlan, projectId: string): Sql[] {
  const columns: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['c.id', filter.callIds],
    ['c.trace_id', filter.traceIds],
    ['c.parent_id', filter.parentIds],
    ['c.thread_id', filter.threadIds],
    ['c.turn_id', filter.turnIds],
    ['c.user_id', filter.userIds],
    ['c.run_id', filter.runIds],
  ];
  return [
    ...columns.flatMap(([column, texts]) => (texts === undefined ? [] : [sql`${raw(column)} IN ${bindTexts(texts)}`])),
    ...(filter.traceIds === undefined ? [] : [isInTimeOf(filter.traceIds, projectId)]),
    ...(filter.rootsOnly === true ? [raw('c.parent_id IS NULL')] : []),
    ...(filter.opNames === undefined ? [] : [matchesText('c.op_name', filter.opNames)]),
    ...(filter.inputRefs === undefined ? [] : [hasRef('c.input_refs', filter.inputRefs)]),
    ...(filter.outputRefs === undefined ? [] : [hasRef('c.output_refs', filter.outputRefs)]),
  ];
}

/** Calls of traces have started between these times, so all other parts of the table are left out. */
function isInTimeOf(traceIds: readonly string[], projectId: string): Sql {
  const times = (edge: string) => {
    return sql`(SELECT ${raw(edge)} FROM trace_spans
      WHERE project_id = ${bind(projectId)} AND trace_id IN ${bindTexts(traceIds)})`;
  };
  return sql`c.started_at BETWEEN ${times('min(first)')} AND ${times('max(last)')}`;
}

/** The same for calls of runs. */
function isInTimeOfRuns(ids: readonly string[] | undefined, projectId: string): Sql[] {
  if (ids === undefined) return [];
  const time = (edge: string) => {
    return sql`(SELECT ${raw(edge)} FROM process_runs
      WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(ids)})`;
  };
  return [sql`c.started_at BETWEEN ${time('min(first)')} AND ${time('max(last)')}`];
}

function hasRef(column: string, { values, prefixes }: TextMatch): Sql {
  const exact = values.length === 0 ? [] : [sql`hasAny(${raw(column)}, ${bindTexts(values)})`];
  const begins = prefixes.map((prefix) => sql`arrayExists(ref -> startsWith(ref, ${bind(prefix)}), ${raw(column)})`);
  return anyOf([...exact, ...begins]);
}

function matchesText(column: string, { values, prefixes }: TextMatch): Sql {
  const exact = values.length === 0 ? [] : [sql`${raw(column)} IN ${bindTexts(values)}`];
  return anyOf([...exact, ...prefixes.map((prefix) => sql`startsWith(${raw(column)}, ${bind(prefix)})`)]);
}

function anyOf(parts: readonly Sql[]): Sql {
  return sql`(${junction(
    parts.map((part) => sql`(${part})`),
    'OR',
  )})`;
}
