import { TracingError } from '../../protocol/error.ts';
import { formatDateTime } from '../../protocol/date-time.ts';
import type { FeedbackPurgeRequest, FeedbackQueryRequest } from '../../protocol/feedback.ts';
import { parseJson } from '../../protocol/json.ts';
import { valueAtPath } from '../../storage/json-path.ts';
import type { AnyCondition, RecordField } from '../../storage/plan.ts';
import type { FeedbackStore, JsonText, StoredFeedback } from '../../storage/storage.ts';
import { textOfValue } from '../../storage/value.ts';
import { checkProject } from '../authenticate.ts';
import { splitPath } from './field-path.ts';
import { purgeIds } from './purge-ids.ts';
import type { ReadContext } from './read-calls.ts';
import { planRecords, type RecordKind, selectRecords } from './select-records.ts';

type Context = Pick<ReadContext, 'caller' | 'limits'>;

const ALL_FIELDS = [
  'id',
  'project_id',
  'svc_ref',
  'creator',
  'created_at',
  'feedback_type',
  'payload',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
  'svc_user_id',
] as const satisfies (keyof StoredFeedback)[];

/** The one field that asks for the number of records rather than for records. */
const COUNT = 'count(*)';

/** The records a query means, as JSON with the fields it names. */
export async function queryFeedback(
  store: FeedbackStore,
  request: FeedbackQueryRequest,
  { caller, limits }: Context,
): Promise<JsonText[]> {
  checkProject(caller, request.project_id);
  const named = request.fields ?? [];
  const isCount = named.length === 1 && named[0] === COUNT;
  const fields = isCount || named.length === 0 ? ALL_FIELDS : named.map(checkField);
  if (fields.length > limits.columns) {
    throw new TracingError('too_many_items', `Cannot read feedback: there are more than ${limits.columns} fields`);
  }
  const plan = planRecords(request, FEEDBACK, limits);
  const stored = await store.list(request.project_id, refsOf(plan.condition));
  if (isCount) {
    const all = selectRecords(stored, { ...plan, offset: 0, limit: undefined }, FEEDBACK);
    return [JSON.stringify({ [COUNT]: all.length })];
  }
  return selectRecords(stored, plan, FEEDBACK).map((feedback) => recordText(feedback, fields));
}

/** Removes feedback by its ids; ids that are not there do no harm. */
export async function purgeFeedback(
  store: FeedbackStore,
  request: FeedbackPurgeRequest,
  { caller, limits }: Context,
): Promise<void> {
  checkProject(caller, request.project_id);
  const ids = purgeIds(request.query, limits);
  if (ids.length > 0) await store.purge(request.project_id, ids);
}

const FEEDBACK: RecordKind<StoredFeedback> = {
  parseField: (path) => parseFeedbackField(path),
  valuesOf: (feedback) => ({
    text: (column: keyof StoredFeedback) => {
      const value = feedback[column];
      return value === null ? null : String(value);
    },
    time: (column: 'created_at') => feedback[column],
    integer: () => null,
    json: () => parseJson(feedback.payload),
  }),
};

function parseFeedbackField(path: string): RecordField {
  const [column = '', ...rest] = splitPath(path);
  if (column === 'payload') return { kind: 'json', column, path: rest };
  const isKnown = rest.length === 0 && (ALL_FIELDS as readonly string[]).includes(column);
  if (!isKnown) {
    throw new TracingError('invalid_field', `Cannot use field "${path.slice(0, 200)}": feedback has no such field`);
  }
  return { kind: column === 'created_at' ? 'time' : 'text', column };
}

function checkField(path: string): string {
  parseFeedbackField(path);
  return path;
}

/** References outside of which a condition is never true: most queries ask about few, and are read by them. */
function refsOf(condition: AnyCondition | undefined): readonly string[] | undefined {
  switch (condition?.kind) {
    case 'and':
      return condition.conditions.map(refsOf).find((refs) => refs !== undefined);
    case 'compare':
      if (condition.operator !== 'eq' || !isRefField(condition.left)) return undefined;
      return condition.right.kind === 'literal' ? texts([condition.right]) : undefined;
    case 'in':
      return isRefField(condition.operand) ? texts(condition.items) : undefined;
    default:
      return undefined;
  }
}

function isRefField(operand: Extract<AnyCondition, { kind: 'in' }>['operand']): boolean {
  return operand.kind === 'text' && operand.column === 'svc_ref';
}

function texts(operands: Extract<AnyCondition, { kind: 'in' }>['items']): string[] {
  return operands.map((operand) => (operand.kind === 'literal' ? (textOfValue(operand.value) ?? '') : ''));
}

/** Stored payloads go in as they are, so that numbers keep their digits. */
function recordText(feedback: StoredFeedback, fields: readonly string[]): JsonText {
  const members = [...new Set(fields)].map((field) => `${JSON.stringify(field)}:${fieldText(feedback, field)}`);
  return `{${members.join(',')}}`;
}

function fieldText(feedback: StoredFeedback, field: string): JsonText {
  if (field === 'payload') return feedback.payload;
  if (field === 'created_at') return JSON.stringify(formatDateTime(feedback.created_at));
  const [column, ...path] = splitPath(field);
  if (column === 'payload') return JSON.stringify(textOfValue(valueAtPath(parseJson(feedback.payload), path)));
  // The field was checked to be a column.
  return JSON.stringify(feedback[field as keyof StoredFeedback]);
}
