import { TracingError } from '../../../protocol/error.ts';
import { isId, isObjectId, isThreadId } from '../../../protocol/values/id.ts';

/** Refuses text that is no id; `field` names it in the message. */
export function checkId(field: string, id: string): string {
  if (!isId(id)) throw invalidId(field, id, '1 to 128 characters of A-Z a-z 0-9 . _ ~ : @ -');
  return id;
}

export function checkOptionalId(field: string, id: string | null | undefined): string | null {
  return id === null || id === undefined ? null : checkId(field, id);
}

/** Refuses text that is too long for the id of a thread or a turn; an empty one is none. */
export function checkThreadId(field: 'thread_id' | 'turn_id', id: string | null | undefined): string | null {
  if (id === null || id === undefined || id === '') return null;
  if (!isThreadId(id)) throw invalidId(field, id, 'at most 1024 characters');
  return id;
}

/** Refuses what is no name of an object. */
export function checkObjectId(name: string): void {
  if (isObjectId(name)) return;
  const shown = JSON.stringify(name.slice(0, 200));
  throw new TracingError('invalid_object_id', `Cannot use object_id ${shown}: want 1 to 128 letters, digits, _ . -`);
}

function invalidId(field: string, id: string, wanted: string): TracingError {
  const message = `Cannot use ${field} ${JSON.stringify(id.slice(0, 200))}: want ${wanted}`;
  return new TracingError('invalid_id', message, { field });
}
