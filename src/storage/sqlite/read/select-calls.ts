import { conjuncts, fieldsOf } from '../../values/condition-parts.ts';
import type {
  CallFilterPlan,
  CallPlan,
  CallSelection,
  Condition,
  FeedbackType,
  Field,
  JsonColumn,
  TextMatch,
} from '../../contract/plan.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { printConjuncts } from '../../sql/print-condition.ts';
import { printSort } from '../../sql/print-sort.ts';
import { type Scope, scopeOf, withFeedback } from '../../sql/scope.ts';
import { bind, join, junction, raw, type Sql, sql } from '../../sql/sql.ts';
import { namedRuns } from '../../sql/named-runs.ts';
import { type HasPart, printPrefilter } from '../../sql/prefilter.ts';
import { sqliteDialect } from './dialect.ts';

/** Keys of the calls of a plan, in its order. Bodies are read by key afterwards, so that no sort carries them. */
export function printKeys(plan: CallPlan, dialect: Dialect): Sql {
  const fields = plan.sort.map(({ field }) => field);
  const order = withoutIndex(printSort(plan.sort, scopeOfSort(fields, dialect, plan.projectId)), plan.filter);
  const page = plan.limit === undefined && plan.offset === 0 ? sql`` : pageOf(plan);
  return sql`SELECT c.pk FROM ${printSelection(plan, dialect, fields)} ORDER BY ${join(order, ', ')}${page}`;
}

export function printUnsortedKeys(selection: CallSelection, dialect: Dialect): Sql {
  return sql`SELECT c.pk FROM ${printSelection(selection, dialect, [])}`;
}

/** How many calls a selection has; counting stops at the limit. */
export function printCount(selection: CallSelection, limit: number | undefined, dialect: Dialect): Sql {
  const calls = printSelection(selection, dialect, []);
  if (limit === undefined) return sql`SELECT count(*) AS count FROM ${calls}`;
  return sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${calls} LIMIT ${bind(limit)})`;
}

/**
 * Asked for one call of sixteen: a function of ours takes as long as looking into a body. By chance, as any rule over keys
 * leaves out some keys for long.
 */
const GO_ON = raw('(random() & 15 OR spoor_go_on(c.pk))');

/** Columns are compared faster. */
const GO_ON_COLUMNS = raw('(random() & 255 OR spoor_go_on(c.pk))');

function pageOf({ limit, offset }: CallPlan): Sql {
  return sql` LIMIT ${bind(limit ?? -1)} OFFSET ${bind(offset)}`;
}

function printSelection(selection: CallSelection, dialect: Dialect, fields: readonly Field[]): Sql {
  const { projectId, filter, condition } = selection;
  // Calls of a list and calls with a reference are found by their keys.
  const isByKey = isList(filter.callIds) || filter.inputRefs !== undefined || filter.outputRefs !== undefined;
  const used = [...fields, ...(condition === undefined ? [] : fieldsOf(condition))];
  const project = sql`(SELECT pk FROM project WHERE name = ${dialect.bindText(projectId)})`;
  const scope = scopeOf(dialect, projectId);
  const conditions = [
    ...goOn(used, condition),
    sql`c.project = ${project}`,
    raw('c.started_at IS NOT NULL'),
    ...filterConditions(filter, project, dialect),
    ...conjuncts(condition).flatMap((part) => isOfRuns(namedRuns(part), project)),
    ...prefilters(condition),
    // Beside the filter the database looks for indexes.
    ...printConjuncts(conjuncts(condition), scope).map((part) => sql`(${part})`),
  ];
  return sql`calls c${raw(isByKey ? ' NOT INDEXED' : '')}${joins(used)}${latestFeedback(fields, dialect, projectId)} WHERE ${junction(conditions, 'AND')}`;
}

function goOn(used: readonly Field[], condition: Condition | undefined): Sql[] {
  if (used.some(({ kind }) => kind === 'json' || kind === 'feedback')) return [GO_ON];
  return condition === undefined ? [] : [GO_ON_COLUMNS];
}

/** Beside the condition itself: the database finds calls of a time by an index, and compares numbers sooner than texts. */
function isOfRuns(ids: readonly string[] | undefined, project: Sql): Sql[] {
  if (ids === undefined) return [];
  const of = (column: string) => sql`(SELECT ${raw(column)} FROM process_run
    WHERE project = ${project} AND id IN (SELECT value FROM json_each(${bind(JSON.stringify(ids))})))`;
  return [sql`c.started_at BETWEEN ${of('min(first)')} AND ${of('max(last)')}`, sql`c.process IN ${of('pk')}`];
}

function prefilters(condition: Condition | undefined): Sql[] {
  const known = conjuncts(condition).map((part) => printPrefilter(part, hasPart));
  return known.flatMap((part) => (part === undefined ? [] : [sql`(${part})`]));
}

const hasPart: HasPart = (body, part) => {
  return sql`${sqliteDialect.json(body).json} LIKE ${sqliteDialect.bindText(`%${part}%`)}`;
};

/** Feedback that calls are sorted by stands beside them under these names. */
function scopeOfSort(fields: readonly Field[], dialect: Dialect, projectId: string): Scope {
  const scope = scopeOf(dialect, projectId);
  return feedbackTypes(fields).reduce((inner, type, index) => withFeedback(inner, type, `l${index}`), scope);
}

function latestFeedback(fields: readonly Field[], dialect: Dialect, projectId: string): Sql {
  const latest = feedbackTypes(fields).map((type, index) => {
    const rows = sql`SELECT f.pk FROM feedback f WHERE ${dialect.isAboutCall('f', type, projectId)}`;
    const name = raw(`l${index}`);
    return sql` LEFT JOIN feedback ${name} ON ${name}.pk = (${rows} ORDER BY ${dialect.latestFirst('f')} LIMIT 1)`;
  });
  return join(latest, '');
}

function feedbackTypes(fields: readonly Field[]): FeedbackType[] {
  return [...new Set(fields.flatMap((field) => (field.kind === 'feedback' ? [field.type] : [])))];
}

/**
 * Lists of ids keep few calls. SQLite cannot know that: it likes the index that is in the order of the result,
 * and would read the whole project. A plus before a term keeps an index from serving it.
 */
function withoutIndex(terms: readonly Sql[], { traceIds, parentIds, threadIds }: CallFilterPlan): Sql[] {
  const hasList = [traceIds, parentIds, threadIds].some(isList);
  return terms.map((term) => (hasList ? sql`+${term}` : term));
}

function isList(texts: readonly string[] | undefined): boolean {
  return texts !== undefined && texts.length > 1;
}

/** Only the tables that the fields are in. */
function joins(fields: readonly Field[]): Sql {
  const usesText = (...columns: readonly string[]) => {
    return fields.some((field) => field.kind === 'text' && columns.includes(field.column));
  };
  const usesBody = (...columns: readonly JsonColumn[]) => {
    return fields.some((field) => field.kind === 'json' && columns.includes(field.column));
  };
  return join(
    [
      raw(usesText('op_name', 'trace_name') ? ' JOIN op o ON o.pk = c.op' : ''),
      raw(usesBody('attributes', 'inputs') ? ' JOIN body_start s ON s.pk = c.pk' : ''),
      raw(usesBody('output', 'summary') ? ' LEFT JOIN body_end e ON e.pk = c.pk' : ''),
    ],
    '',
  );
}

function filterConditions(filter: CallFilterPlan, project: Sql, dialect: Dialect): Sql[] {
  const columns: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['c.trace_id', filter.traceIds],
    ['c.parent_id', filter.parentIds],
    ['c.thread_id', filter.threadIds],
    ['c.turn_id', filter.turnIds],
    ['c.user', filter.userIds],
    ['c.run', filter.runIds],
  ];
  const lists = columns.flatMap(([column, texts]) =>
    texts === undefined ? [] : [dialect.isOneOf(raw(column), texts)],
  );
  return [
    ...idCondition(filter.callIds, project, dialect),
    ...lists,
    ...(filter.rootsOnly === true ? [raw('c.parent_id IS NULL')] : []),
    ...(filter.opNames === undefined ? [] : [isOp(filter.opNames, dialect)]),
    ...refCondition(filter.inputRefs, 0, project, dialect),
    ...refCondition(filter.outputRefs, 1, project, dialect),
  ];
}

function idCondition(ids: readonly string[] | undefined, project: Sql, dialect: Dialect): Sql[] {
  if (ids === undefined) return [];
  if (!isList(ids)) return [dialect.isOneOf(raw('c.id'), ids)];
  return [sql`c.pk IN (SELECT pk FROM calls WHERE project = ${project} AND ${dialect.isOneOf(raw('id'), ids)})`];
}

/** One exact name is an equality, so that the index by op is in the order of time. */
function isOp(match: TextMatch, dialect: Dialect): Sql {
  const [only] = match.values;
  if (match.values.length === 1 && match.prefixes.length === 0 && only !== undefined) {
    return sql`c.op = (SELECT pk FROM op WHERE name = ${dialect.bindText(only)})`;
  }
  return sql`c.op IN (SELECT pk FROM op WHERE ${matchesText('name', match, dialect)})`;
}

function refCondition(match: TextMatch | undefined, isOutput: 0 | 1, project: Sql, dialect: Dialect): Sql[] {
  if (match === undefined) return [];
  const refs = sql`SELECT call FROM ref WHERE project = ${project} AND is_output = ${bind(isOutput)}`;
  return [sql`c.pk IN (${refs} AND (${matchesText('ref', match, dialect)}))`];
}

function matchesText(column: string, { values, prefixes }: TextMatch, dialect: Dialect): Sql {
  const ranges = prefixes.map((prefix) => startsWith(column, prefix, dialect));
  const exact = values.length === 0 ? [] : [dialect.isOneOf(raw(column), values)];
  return junction(
    [...exact, ...ranges].map((part) => sql`(${part})`),
    'OR',
  );
}

/** A range, which an index can serve; the prefix itself decides where there is no next character. */
function startsWith(column: string, prefix: string, dialect: Dialect): Sql {
  const name = raw(column);
  const last = prefix.codePointAt(prefix.length - 1) ?? 0;
  if (last === 0 || last >= 0x7f) return sql`instr(${name}, ${dialect.bindText(prefix)}) = 1`;
  const end = prefix.slice(0, -1) + String.fromCodePoint(last + 1);
  return sql`${name} >= ${dialect.bindText(prefix)} AND ${name} < ${dialect.bindText(end)}`;
}
