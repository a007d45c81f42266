import { TracingError } from '../../../protocol/error.ts';
import type { RefsReadBatchRequest } from '../../../protocol/ref-batch.ts';
import { parseRef, type RefParts } from '../../../protocol/ref.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { ReadContext } from '../read/read-calls.ts';
import { openRefSource, type RefSource, startClock } from './ref-source.ts';
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
  const missingDigests = new Set<string>();
  const onMissing = (digest: string) => missingDigests.add(digest);
  const source = openRefSource(storage, context, { checkTime: startClock(context).check, onMissing });
  const values = await readValues(targets, source, context.limits.ref_value_bytes);
  if (missingDigests.size > 0) throw missing([...missingDigests]);
  return `[${values.join(',')}]`;
}

/** One body holds them all, so together they may only be so large. */
async function readValues(targets: readonly RefParts[], source: RefSource, maxBytes: number): Promise<JsonText[]> {
  const values: JsonText[] = [];
  let bytes = 0;
  for (const target of targets) {
    const value = await walkRef(target, source);
    bytes += Buffer.byteLength(value);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    values.push(value);
  }
  return values;
}

export function tooLarge(maxBytes: number): TracingError {
  const reason = `they are larger than ${maxBytes} bytes together`;
  return new TracingError('payload_too_large', `Cannot read the values of the references: ${reason}`);
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
