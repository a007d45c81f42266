import { TracingError } from '../../protocol/error.ts';
import type { RefsReadBatchRequest } from '../../protocol/ref-batch.ts';
import { parseRef, type RefParts } from '../../protocol/ref.ts';
import type { JsonText, Storage } from '../../storage/storage.ts';
import { checkProject } from '../authenticate.ts';
import type { ReadContext } from './read-calls.ts';
import { openRefSource } from './ref-source.ts';
import { isPinned, projectOfRef, walkRef } from './walk-ref.ts';

/** The JSON of the values that references name, as one list; everything is checked before the first is read. */
export async function readRefs(
  storage: Storage,
  { refs }: RefsReadBatchRequest,
  context: ReadContext,
): Promise<JsonText> {
  const max = context.limits.refs_per_batch;
  if (refs.length > max) {
    throw new TracingError('too_many_items', `Cannot read ${refs.length} references at once: want at most ${max}`);
  }
  const targets = refs.map(parseReadable);
  for (const projectId of new Set(targets.map(projectOfRef))) checkProject(context.caller, projectId);
  const source = openRefSource(storage, context);
  const values: JsonText[] = [];
  for (const target of targets) values.push(await walkRef(target, source));
  if (source.missingDigests.size > 0) throw missing([...source.missingDigests]);
  return `[${values.join(',')}]`;
}

function parseReadable(text: string): RefParts {
  const ref = parseRef(text);
  if (!isPinned(ref)) throw unreadable(text, 'its version is not a digest');
  if (ref.kind === 'table' && ref.extra.length === 0) throw unreadable(text, 'a table is read row by row');
  return ref;
}

function unreadable(text: string, reason: string): TracingError {
  return new TracingError('invalid_ref', `Cannot read the value of "${text.slice(0, 200)}": ${reason}`);
}

function missing(digests: readonly string[]): TracingError {
  return new TracingError('not_found', `Cannot read ${digests.length} of the objects: no such version`, {
    extra: { missing_object_digests: digests },
  });
}
