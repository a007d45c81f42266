import { TracingError } from '../../../protocol/error.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { FeedbackPurgeRequest, FeedbackQueryRequest } from '../../../protocol/feedback.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { isRef, respellRef } from '../../../protocol/ref.ts';
import { valueAtPath } from '../../../storage/values/json-path.ts';
import type { FeedbackPlan, RecordField } from '../../../storage/contract/plan.ts';
import type { FeedbackStore, StoredFeedback } from '../../../storage/contract/feedback.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { AnyComputed, AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';
import { textOfValue } from '../../../storage/values/value.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { checkPath, splitPath } from '../plan/field-path.ts';
import { MAX_CHARACTERS } from './list-text.ts';
import { purgeIds } from '../plan/purge-ids.ts';
import type { ReadContext } from './read-calls.ts';
import { planRecords, type RecordPlan } from '../plan/select-records.ts';

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
  { caller, limits, signal }: ReadContext,
): Promise<JsonText[]> {
  checkProject(caller, request.project_id);
  const named = request.fields ?? [];
  const isCount = named.length === 1 && named[0] === COUNT;
  if (named.length > limits.columns) {
    throw new TracingError('too_many_items', `Cannot read feedback: there are more than ${limits.columns} fields`);
  }
  const fields = isCount || named.length === 0 ? ALL_FIELDS : named.map((path) => checkField(checkPath(path, limits)));
  const plan = planFeedback(request, limits);
  const options = { deadlineMs: limits.read_ms, signal };
  if (isCount) return [JSON.stringify({ [COUNT]: await store.count(plan, options) })];
  const found = await store.query(plan, { ...options, maxCharacters: MAX_CHARACTERS });
  return found.map((feedback) => recordText(feedback, fields));
}

/** Decides which feedback a request means, in which order and how much of it. */
export function planFeedback(request: FeedbackQueryRequest, limits: Limits): FeedbackPlan {
  const plan = planRecords(request, { parseField: parseFeedbackField }, limits);
  return { projectId: request.project_id, ...withOneSpelling(plan) };
}

/** Removes feedback by its ids; ids that are not there do no harm. */
export async function purgeFeedback(
  store: FeedbackStore,
  request: FeedbackPurgeRequest,
  { caller, limits }: Pick<ReadContext, 'caller' | 'limits'>,
): Promise<void> {
  checkProject(caller, request.project_id);
  const ids = purgeIds(request.query, limits);
  if (ids.length > 0) await store.purge(request.project_id, ids);
}

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

/** References are stored in one spelling, so the ones they are compared with are put into it. */
function withOneSpelling(plan: RecordPlan): RecordPlan {
  return { ...plan, condition: plan.condition && respelled(plan.condition) };
}

function respelled(condition: AnyCondition): AnyCondition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map(respelled) };
    case 'not':
      return { ...condition, condition: respelled(condition.condition) };
    case 'compare':
      return isRefField(condition.left)
        ? { ...condition, right: respelledLiteral(condition.right) }
        : { ...condition, left: respelledInside(condition.left), right: respelledInside(condition.right) };
    case 'in':
      return isRefField(condition.operand)
        ? { ...condition, items: condition.items.map(respelledLiteral) }
        : { ...condition, operand: respelledInside(condition.operand) };
    case 'let': {
      const values = condition.values.map(({ name, operand }) => ({ name, operand: respelledComputed(operand) }));
      return { ...condition, values, condition: respelled(condition.condition) };
    }
    case 'truth':
    case 'isNull':
      return { ...condition, operand: respelledInside(condition.operand) };
    default:
      return condition;
  }
}

/** Conditions may be values of others. */
function respelledInside(operand: AnyOperand): AnyOperand {
  return operand.kind === 'condition' || operand.kind === 'convert' ? respelledComputed(operand) : operand;
}

function respelledComputed(operand: AnyComputed): AnyComputed {
  if (operand.kind === 'condition') return { ...operand, condition: respelled(operand.condition) };
  return { ...operand, input: respelledInside(operand.input) };
}

function respelledLiteral(operand: AnyOperand): AnyOperand {
  if (operand.kind !== 'literal' || typeof operand.value !== 'string' || !isRef(operand.value)) return operand;
  return { kind: 'literal', value: respellRef(operand.value) };
}

function isRefField(operand: AnyOperand): boolean {
  return operand.kind === 'text' && operand.column === 'svc_ref';
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
