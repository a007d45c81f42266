import type { BatchItem, CompleteCall, UpsertBatchRequest } from '../../../protocol/batch.ts';
import type { CallEnd, CallsDeleteRequest, CallStart, CallUpdateRequest } from '../../../protocol/call.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { CallFact, CallWriter, WrittenCall } from '../../../storage/contract/calls.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { ItemProblems } from './batch-items.ts';
import { type IngestContext, toEndFact, toStartFact } from './call-facts.ts';
import { checkId } from '../../http/body/check-id.ts';
import { isLongerThan } from './cut-text.ts';
import { checkUser } from './check-user.ts';
import { findOps } from './op-names.ts';
import type { WriteStores } from '../write-stores.ts';

/** Where calls are kept, and the objects that their ops are. */
type Stores = Pick<WriteStores, 'calls' | 'objects'>;

/** Writes a batch: every item is checked before the first is written, so that a bad one leaves nothing of it. */
export async function writeBatch(
  { calls, objects }: Stores,
  { batch }: UpsertBatchRequest,
  context: IngestContext,
): Promise<WrittenCall[]> {
  checkCount(batch, context);
  if (batch.length === 0) return [];
  const known = { ...context, ops: await findOps(objects, opNamesIn(batch), context.caller) };
  const facts = toFacts(batch, (item, into) => into.push(toFact(item, known)), placeInBatch);
  return await calls.write(facts);
}

function* opNamesIn(batch: readonly BatchItem[]): Iterable<string> {
  for (const item of batch) if (item.mode === 'start') yield item.req.start.op_name;
}

/** Writes calls that have ended, all or none: each is a start and an end. */
export async function completeCalls(
  { calls, objects }: Stores,
  projectId: string,
  batch: readonly CompleteCall[],
  context: IngestContext,
): Promise<void> {
  checkCount(batch, context);
  if (batch.length === 0) return;
  const opNames = batch.map((call) => call.op_name);
  const known = { ...context, ops: await findOps(objects, opNames, context.caller) };
  const addBoth = (call: CompleteCall, into: CallFact[]) => {
    checkProjectOfPath(projectId, call);
    into.push(toStartFact(call, known), toEndFact(call, known));
  };
  await calls.write(toFacts(batch, addBoth, (_call, index) => ['batch', index]));
}

/** A record that is sent to the path of a project belongs to that project. */
export function checkProjectOfPath(projectId: string, record: { readonly project_id: string }): void {
  if (record.project_id === projectId) return;
  const other = record.project_id.slice(0, 300);
  const message = `Cannot write to "${projectId}": a record is of the project "${other}"`;
  throw new TracingError('invalid_request', message, { field: 'project_id' });
}

/** Writes one start. */
export async function writeStart(
  { calls, objects }: Stores,
  start: CallStart,
  context: IngestContext,
): Promise<WrittenCall> {
  const ops = await findOps(objects, [start.op_name], context.caller);
  return await writeCall(calls, toStartFact(start, { ...context, ops }));
}

/** Writes one end. */
export async function writeEnd({ calls }: Pick<Stores, 'calls'>, end: CallEnd, context: IngestContext): Promise<void> {
  await writeCall(calls, toEndFact(end, context));
}

async function writeCall(calls: WriteStores['calls'], fact: CallFact): Promise<WrittenCall> {
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

/** Makes facts of all items, or tells what is wrong about those that are. */
function toFacts<Item>(
  items: readonly Item[],
  addFacts: (item: Item, into: CallFact[]) => void,
  placeOf: (item: Item, index: number) => readonly (string | number)[],
): CallFact[] {
  const facts: CallFact[] = [];
  const problems = new ItemProblems();
  let index = 0;
  for (const item of items) {
    try {
      addFacts(item, facts);
    } catch (error) {
      problems.add(error, placeOf(item, index));
    }
    index += 1;
  }
  problems.throwAny();
  return facts;
}

function placeInBatch({ mode }: BatchItem, index: number): readonly (string | number)[] {
  return ['batch', index, 'req', mode];
}

function toFact(item: BatchItem, context: IngestContext): CallFact {
  return item.mode === 'start' ? toStartFact(item.req.start, context) : toEndFact(item.req.end, context);
}
