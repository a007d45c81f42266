import { isDeepStrictEqual } from 'node:util';
import { canonicalLength, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { FeedbackCreateRequest, FeedbackReplaceRequest } from '../../../protocol/feedback.ts';
import { stringifyJson } from '../../../protocol/values/json.ts';
import { parseRef, respellRef } from '../../../protocol/ref.ts';
import type { StoredFeedback } from '../../../storage/contract/feedback.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { Repetition } from '../../http/repetition.ts';
import { inField } from '../calls/batch-items.ts';
import { isDeeperThan } from '../calls/body-fields.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { checkId, checkOptionalId } from '../../http/body/check-id.ts';
import { isLongerThan } from '../calls/cut-text.ts';
import { checkUser } from '../calls/check-user.ts';
import { feedbackRefusal } from './feedback-refusal.ts';
import { toStoredPayload } from './feedback-types.ts';
import type { WriteStores } from '../write-stores.ts';

/** Where feedback is kept, and the objects it may be held to. */
export type Stores = Pick<WriteStores, 'feedback' | 'objects'>;

const CREATOR_CHARACTERS = 256;
const TYPE_CHARACTERS = 256;

/** Stores feedback and returns the answer as JSON. */
export async function createFeedback(
  stores: Stores,
  request: FeedbackCreateRequest,
  context: IngestContext,
  repetition: Repetition,
): Promise<JsonText> {
  const feedback = await toFeedback(stores, request, context, repetition);
  return answerOf(await storeOnce(stores.feedback, feedback, repetition));
}

/** Puts new feedback in the place of another; a refused one leaves the other where it is. */
export async function replaceFeedback(
  stores: Stores,
  request: FeedbackReplaceRequest,
  context: IngestContext,
  repetition: Repetition,
): Promise<JsonText> {
  const replacedId = checkId('feedback_id', request.feedback_id);
  const feedback = await toFeedback(stores, request, context, repetition);
  return answerOf(await storeOnce(stores.feedback, feedback, repetition, replacedId));
}

async function isThere(store: WriteStores['feedback'], projectId: string, id: string): Promise<boolean> {
  const field = { kind: 'text', column: 'id' } as const;
  const condition = { kind: 'compare', operator: 'eq', left: field, right: { kind: 'literal', value: id } } as const;
  return (await store.count({ projectId, condition, sort: [{ field, isDescending: false }], offset: 0 })) > 0;
}

/** Stores feedback; where another attempt of the request did so already, returns what is stored since. */
async function storeOnce(
  store: WriteStores['feedback'],
  feedback: StoredFeedback,
  { key }: Repetition,
  replacedId?: string,
): Promise<StoredFeedback> {
  try {
    await store.create(feedback, replacedId);
    return feedback;
  } catch (error) {
    const isTaken = key !== undefined && error instanceof TracingError && error.code === 'invalid_request';
    // An earlier attempt would have taken the other away.
    const isFirst = replacedId !== undefined && (await isThere(store, feedback.project_id, replacedId));
    const earlier = isTaken && !isFirst ? await findSame(store, feedback) : undefined;
    if (earlier === undefined) throw error;
    return earlier;
  }
}

/** The feedback stored under the same id that differs in nothing but its time. */
async function findSame(store: WriteStores['feedback'], feedback: StoredFeedback): Promise<StoredFeedback | undefined> {
  const others = await store.list(feedback.project_id, [feedback.svc_ref]);
  return others.find((other) => isDeepStrictEqual(other, { ...feedback, created_at: other.created_at }));
}

/** A checked record as it is stored. */
export async function toFeedback(
  stores: Stores,
  request: FeedbackCreateRequest,
  context: IngestContext,
  { makeId }: Repetition,
): Promise<StoredFeedback> {
  checkProject(context.caller, request.project_id);
  checkUser(request, context.caller);
  checkTexts(request);
  checkRefs(request);
  checkDepth(request.payload, context);
  const payload = await toStoredPayload(stores.objects, request, context.limits);
  return {
    project_id: request.project_id,
    id: checkOptionalId('id', request.id) ?? makeId(),
    // One spelling, by which calls find what was said about them.
    svc_ref: respellRef(request.svc_ref),
    creator: request.creator ?? null,
    created_at: Date.now() * 1000,
    feedback_type: request.feedback_type,
    payload: toText(payload, context.limits.feedback_payload_bytes),
    annotation_ref: request.annotation_ref ?? null,
    runnable_ref: request.runnable_ref ?? null,
    call_ref: request.call_ref ?? null,
    trigger_ref: request.trigger_ref ?? null,
    queue_id: request.queue_id ?? null,
    svc_user_id: context.caller.userId,
  };
}

function checkTexts({ creator, feedback_type: type }: FeedbackCreateRequest): void {
  if (creator && isLongerThan(creator, CREATOR_CHARACTERS)) {
    throw feedbackRefusal('creator', `creator is longer than ${CREATOR_CHARACTERS} characters`);
  }
  if (type === '' || isLongerThan(type, TYPE_CHARACTERS)) {
    throw feedbackRefusal('feedback_type', `feedback_type must have 1 to ${TYPE_CHARACTERS} characters`);
  }
}

/** Each reference must parse and be of a kind that makes sense in its place. */
function checkRefs(request: FeedbackCreateRequest): void {
  inField('svc_ref', () => parseRef(request.svc_ref));
  checkKind('annotation_ref', request.annotation_ref, ['object']);
  checkKind('trigger_ref', request.trigger_ref, ['object']);
  checkKind('call_ref', request.call_ref, ['call']);
  checkKind('runnable_ref', request.runnable_ref, ['object', 'op']);
}

function checkKind(field: string, ref: string | null | undefined, kinds: readonly string[]): void {
  if (ref === null || ref === undefined || kinds.includes(inField(field, () => parseRef(ref).kind))) return;
  const message = `Cannot use "${ref.slice(0, 200)}" as ${field}: want ${kinds.join(' or ')}`;
  throw new TracingError('invalid_ref', message, { field });
}

function checkDepth(payload: unknown, { depth, limits }: IngestContext): void {
  if (depth <= limits.json_depth || !isDeeperThan(payload, limits.json_depth)) return;
  const message = `Cannot create feedback: more than ${limits.json_depth} levels`;
  throw new TracingError('payload_too_large', message, { field: 'payload' });
}

function toText(payload: JsonValue, maxBytes: number): JsonText {
  if (canonicalLength(payload) > maxBytes) throw feedbackRefusal('payload', `payload has more than ${maxBytes} bytes`);
  return stringifyJson(payload);
}

/** The answer for a record. */
export function answerOf({ id, created_at: createdAt, svc_user_id: userId, payload }: StoredFeedback): JsonText {
  const head = JSON.stringify({ id, created_at: formatDateTime(createdAt), svc_user_id: userId });
  return `${head.slice(0, -1)},"payload":${payload}}`;
}
