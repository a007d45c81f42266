import type { FileStore } from '../../../storage/contract/files.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { type Form, textOfPart } from '../../http/body/form-body.ts';
import { validationError } from '../../http/body/request-schema.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { storeFile } from './create-file.ts';

const PARTS: readonly string[] = ['project_id', 'file', 'expected_digest'];
const REQUIRED = ['project_id', 'file'] as const;

/** Name of a file that came without one. */
const UNNAMED = '<unnamed_file>';

/** Stores the file of a form and returns its digest. */
export async function createFileFromForm(
  files: FileStore,
  form: Form,
  { caller, limits }: IngestContext,
): Promise<string> {
  checkParts(form);
  const text = (name: string) => {
    const part = form.get(name);
    return part && textOfPart(name, part);
  };
  const file = form.get('file');
  const sent = {
    project_id: text('project_id') ?? '',
    name: file?.filename || UNNAMED,
    bytes: file?.bytes ?? new Uint8Array(),
    expected_digest: text('expected_digest'),
  };
  checkProject(caller, sent.project_id);
  return await storeFile(files, sent, limits.file_bytes);
}

/** Part names are held to what the keys of a body are. */
function checkParts(form: Form): void {
  const missing = REQUIRED.filter((name) => !form.has(name)).map((name) => {
    return { loc: ['body', name], msg: 'Field required', type: 'missing' };
  });
  const unknown = [...form.keys()]
    .filter((name) => !PARTS.includes(name))
    .map((name) => ({ loc: ['body', name], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }));
  const details = [...missing, ...unknown];
  if (details.length > 0) throw validationError(details);
}
