import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { parseRef, REF_SCHEME } from '../../../protocol/ref.ts';
import { rememberPassed } from '../../http/body/known-texts.ts';
import { inField } from './batch-items.ts';
import { isLongerThan } from './cut-text.ts';
import type { OpNames } from './op-names.ts';

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
