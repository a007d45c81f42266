import type { CompleteCall, UpsertBatchRequest } from '../../protocol/batch.ts';
import type { CallsDeleteRequest, CallUpdateRequest } from '../../protocol/call.ts';
import { TracingError } from '../../protocol/error.ts';
import type { CallFact, CallWriter, WrittenCall } from '../../storage/storage.ts';
import { checkProject } from '../authenticate.ts';
import { type IngestContext, toEndFact, toStartFact } from './call-facts.ts';
import { checkId, isLongerThan } from './check-ids.ts';
import { checkUser } from './check-user.ts';

/** Writes a batch: every item is checked before the first is written, so that a bad one leaves nothing of it. */
export async function writeBatch(
  calls: CallWriter,
  { batch }: UpsertBatchRequest,
  context: IngestContext,
): Promise<WrittenCall[]> {
  checkCount(batch, context);
  if (batch.length === 0) return [];
  return await calls.write(batch.map((item) => toFact(item, context)));
}

/** Writes calls that have ended, all or none: each is a start and an end. */
export async function completeCalls(
  calls: CallWriter,
  batch: readonly CompleteCall[],
  context: IngestContext,
): Promise<void> {
  checkCount(batch, context);
  if (batch.length === 0) return;
  await calls.write(batch.flatMap((call) => [toStartFact(call, context), toEndFact(call, context)]));
}

/** What is sent to the path of a project belongs to that project. */
export function checkProjectOfPath(
  projectId: string,
  records: readonly { readonly project_id: string }[],
  { caller }: IngestContext,
): void {
  checkProject(caller, projectId);
  const stray = records.find((record) => record.project_id !== projectId);
  if (stray === undefined) return;
  const other = stray.project_id.slice(0, 300);
  throw new TracingError('invalid_request', `Cannot write to "${projectId}": a record is of the project "${other}"`);
}

/** Writes one start or end. */
export async function writeCall(calls: CallWriter, fact: CallFact): Promise<WrittenCall> {
  const [written] = await calls.write([fact]);
  if (!written) throw new Error('The storage answered a write of one call with none');
  return written;
}

/** Gives a call another display name. */
export async function updateCall(calls: CallWriter, request: CallUpdateRequest, context: IngestContext): Promise<void> {
  checkProject(context.caller, request.project_id);
  checkUser(request, context.caller);
  const id = checkId('call_id', request.call_id);
  const name = request.display_name ?? null;
  if (name === null) throw new TracingError('invalid_request', 'Cannot update the call: display_name is missing');
  const max = context.limits.display_name_characters;
  if (isLongerThan(name, max)) {
    throw new TracingError('invalid_request', `Cannot update the call: display_name is longer than ${max} characters`);
  }
  await calls.rename(request.project_id, id, name);
}

/** Deletes calls with all that they called; returns how many became deleted. */
export async function deleteCalls(
  calls: CallWriter,
  request: CallsDeleteRequest,
  context: IngestContext,
): Promise<number> {
  checkProject(context.caller, request.project_id);
  checkUser(request, context.caller);
  const max = context.limits.calls_per_delete;
  if (request.call_ids.length > max) {
    throw new TracingError(
      'too_many_items',
      `Cannot delete ${request.call_ids.length} calls at once: want at most ${max}`,
    );
  }
  const ids = request.call_ids.map((id) => checkId('call_ids', id));
  return ids.length === 0 ? 0 : await calls.delete(request.project_id, ids, Date.now() * 1000);
}

function checkCount({ length }: readonly unknown[], { limits: { batch_items: max } }: IngestContext): void {
  if (length <= max) return;
  throw new TracingError('too_many_items', `Cannot write ${length} items at once: want at most ${max}`);
}

function toFact(item: UpsertBatchRequest['batch'][number], context: IngestContext): CallFact {
  return item.mode === 'start' ? toStartFact(item.req.start, context) : toEndFact(item.req.end, context);
}
