import { conjuncts } from '../../values/condition-parts.ts';
import type { Condition, FeedbackPlan, SortKey } from '../../contract/plan.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { printConjuncts } from '../../sql/print-condition.ts';
import { printSort } from '../../sql/print-sort.ts';
import { type Scope, scopeOf } from '../../sql/scope.ts';
import { bind, join, junction, raw, type Sql, sql } from '../../sql/sql.ts';
import { sqliteDialect } from './dialect.ts';

/** Columns whose text may hold a NUL. */
const ANY_TEXT = [
  'svc_ref',
  'creator',
  'feedback_type',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
  'user',
];

/** All of a feedback but its project. */
export const FEEDBACK_COLUMNS = [
  'id',
  'created_at',
  'payload',
  ...ANY_TEXT.map((column) => `CAST(${column} AS BLOB) AS ${column}`),
].join(', ');

/** The keys of the feedback of a plan, in its order: payloads would be held to be sorted. */
export function printFeedbackKeys(plan: FeedbackPlan): Sql {
  const order = join(printSort(plan.sort as readonly SortKey[], scopeOfFeedback(plan)), ', ');
  const page = sql`LIMIT ${bind(plan.limit ?? -1)} OFFSET ${bind(plan.offset)}`;
  return sql`SELECT feedback.pk FROM feedback WHERE ${where(plan)} ORDER BY ${order} ${page}`;
}

/** How much feedback a plan selects, whatever its page. */
export function printFeedbackCount(plan: FeedbackPlan): Sql {
  return sql`SELECT count(*) AS count FROM feedback WHERE ${where(plan)}`;
}

function where(plan: FeedbackPlan): Sql {
  const scope = scopeOfFeedback(plan);
  const conditions = [
    raw('spoor_go_on(feedback.pk)'),
    sql`feedback.project = (SELECT pk FROM project WHERE name = ${sqliteDialect.bindText(plan.projectId)})`,
    ...printConjuncts(conjuncts(plan.condition) as readonly Condition[], scope).map((part) => sql`(${part})`),
  ];
  return junction(conditions, 'AND');
}

function scopeOfFeedback({ projectId }: FeedbackPlan): Scope {
  return scopeOf(DIALECT, projectId);
}

/** Conditions and orders on calls, read as ones on feedback: a plan for feedback names no columns of calls. */
const DIALECT: Dialect = {
  ...sqliteDialect,
  text: columnOf,
  time: columnOf,
  integer: () => raw('NULL'),
  json: ({ path }) => ({ json: raw('feedback.payload'), path }),
};

function columnOf(column: string): Sql {
  const name = COLUMNS.find((known) => known === column);
  if (name !== undefined) return raw(`feedback.${name}`);
  if (column === 'svc_user_id') return raw('feedback.user');
  if (column === 'project_id') return raw('(SELECT name FROM project WHERE pk = feedback.project)');
  throw new TypeError(`Feedback has no column "${column}"`);
}

const COLUMNS = ['id', 'created_at', ...ANY_TEXT];
