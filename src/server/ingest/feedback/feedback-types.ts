import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { FeedbackCreateRequest } from '../../../protocol/feedback.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { parseRef } from '../../../protocol/ref.ts';
import { checkAnnotation } from './check-annotation.ts';
import { isLongerThan } from '../calls/cut-text.ts';
import { describeEmoji } from './describe-emoji.ts';
import { feedbackRefusal } from './feedback-refusal.ts';
import type { WriteStores } from '../write-stores.ts';

type Payload = Readonly<Record<string, JsonValue>>;

/** Prefixes under which the types below have rules: ours and the one of the vendor's clients. */
const TYPE = /^(?:svc|wandb)\.(reaction\.1|note\.1|annotation|runnable)(?:\.(.*))?$/s;

/** Checks feedback against the rules of its type and returns the payload to store. */
export async function toStoredPayload(
  objects: WriteStores['objects'],
  request: FeedbackCreateRequest,
  limits: Limits,
): Promise<Payload> {
  // The payload was parsed from JSON.
  const payload = request.payload as Payload;
  const [, kind, name] = TYPE.exec(request.feedback_type) ?? [];
  switch (kind) {
    case 'reaction.1':
      return name === undefined ? reaction(payload) : payload;
    case 'note.1':
      if (name === undefined) checkNote(payload, limits.note_characters);
      return payload;
    case 'annotation':
      checkNamedRef('annotation_ref', request.annotation_ref, named(name, request));
      await checkAnnotation(objects, request, payload);
      return payload;
    case 'runnable':
      checkRunnable(request, payload, named(name, request));
      return payload;
    default:
      return payload;
  }
}

function reaction(payload: Payload): Payload {
  const { emoji } = payload;
  const description = typeof emoji === 'string' ? describeEmoji(emoji) : undefined;
  if (description === undefined)
    throw feedbackRefusal('payload', 'the payload of a reaction needs emoji with exactly one emoji');
  return { ...payload, ...description };
}

function checkNote({ note }: Payload, maxCharacters: number): void {
  if (typeof note === 'string' && note !== '' && !isLongerThan(note, maxCharacters)) return;
  throw feedbackRefusal('payload', `the payload of a note needs note with 1 to ${maxCharacters} characters`);
}

function checkRunnable(request: FeedbackCreateRequest, payload: Payload, name: string): void {
  checkNamedRef('runnable_ref', request.runnable_ref, name);
  const isOp = parseRef(request.runnable_ref ?? '').kind === 'op';
  if (isOp && (request.call_ref ?? null) === null)
    throw feedbackRefusal('call_ref', 'an op as runnable_ref needs call_ref');
  if (!Object.hasOwn(payload, 'output')) throw feedbackRefusal('payload', 'the payload of a runnable needs output');
}

function named(name: string | undefined, { feedback_type: type }: FeedbackCreateRequest): string {
  if (name !== undefined && name !== '') return name;
  throw feedbackRefusal('feedback_type', `the type "${type.slice(0, 100)}" lacks the name after its last dot`);
}

/** The type ends in the name of what the reference names. */
function checkNamedRef(field: string, ref: string | null | undefined, name: string): void {
  if (ref === null || ref === undefined) throw feedbackRefusal(field, `its type needs ${field}`);
  const parts = parseRef(ref);
  if ('name' in parts && parts.name === name) return;
  throw feedbackRefusal(field, `${field} does not name "${name.slice(0, 200)}", as its type does`);
}
