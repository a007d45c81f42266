import { TracingError } from '../../protocol/error.ts';
import { isId, isThreadId } from '../../protocol/values/id.ts';
import type { Limits } from '../../protocol/limits.ts';
import { parseRef, REF_SCHEME } from '../../protocol/ref.ts';
import { rememberPassed } from '../http/body/known-texts.ts';
import { inField } from './calls/batch-items.ts';
import type { OpNames } from './calls/op-names.ts';

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

/** A plain name of limited length, or a reference to one version of an op, which may name it as an object. */
export function checkOpName(opName: string, limits: Limits, ops?: OpNames): string {
  if (opName.startsWith(REF_SCHEME)) return ops?.get(opName) ?? checkOpRef(opName);
  const max = limits.op_name_characters;
  if (opName !== '' && !isLongerThan(opName, max)) return opName;
  throw new TracingError(
    'invalid_request',
    `Cannot use op_name "${opName.slice(0, max)}": want 1 to ${max} characters or an op reference`,
    { field: 'op_name' },
  );
}

function checkOpRef(text: string): string {
  if (inField('op_name', () => isOneOp(text))) return text;
  const message = `Cannot use "${text.slice(0, 200)}" as op_name: it is no reference to one op`;
  throw new TracingError('invalid_ref', message, { field: 'op_name' });
}

/** Throws where the text is no reference at all. */
const isOneOp = rememberPassed((text) => {
  const ref = parseRef(text);
  return ref.kind === 'op' && ref.version !== '*';
});

/** Is a text longer than so many code points? */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > characters && (text.length > 2 * characters || [...text].length > characters);
}

function invalidId(field: string, id: string, wanted: string): TracingError {
  const message = `Cannot use ${field} ${JSON.stringify(id.slice(0, 200))}: want ${wanted}`;
  return new TracingError('invalid_id', message, { field });
}
