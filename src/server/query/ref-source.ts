import type { JsonValue } from '../../protocol/canonical-json.ts';
import { TracingError } from '../../protocol/error.ts';
import { parseJson } from '../../protocol/json.ts';
import { formatRef, type ObjectRefParts, type RefParts } from '../../protocol/ref.ts';
import type { JsonText, Storage } from '../../storage/storage.ts';
import { type ReadContext, readCall } from './read-calls.ts';
import { projectOfRef } from './walk-ref.ts';

/** A stored value, parsed once, when something inside it is asked for. */
export interface StoredJson {
  readonly text: JsonText;
  readonly parsed: () => JsonValue;
}

/** Where values of references come from; each is read once. */
export interface RefSource {
  /** The whole value of an object, op or call; undefined when it is deleted or missing. */
  whole(ref: Exclude<RefParts, { kind: 'table' }>): Promise<StoredJson | undefined>;
  /** A row of a table. Rejects with `not_found` when the table does not have it. */
  row(projectId: string, tableDigest: string, rowDigest: string): Promise<StoredJson>;
  /** Digests of versions that were asked for and never were. */
  readonly missingDigests: ReadonlySet<string>;
}

/** Reads from a storage, all together within the time of one read. */
export function openRefSource(storage: Storage, context: ReadContext): RefSource {
  const known = new Map<string, Promise<StoredJson | undefined>>();
  const missingDigests = new Set<string>();
  const deadline = performance.now() + context.limits.read_ms;
  const read = (key: string, load: () => Promise<JsonText | undefined>) => {
    checkTime(deadline, context);
    const found = known.get(key) ?? load().then((text) => (text === undefined ? undefined : storedJson(text)));
    known.set(key, found);
    return found;
  };
  return {
    missingDigests,
    whole: (ref) =>
      read(formatRef({ ...ref, extra: [] }), () =>
        ref.kind === 'call'
          ? readCall(storage, { project_id: projectOfRef(ref), id: ref.id }, context)
          : readValue(storage, ref, missingDigests),
      ),
    async row(projectId, tableDigest, rowDigest) {
      const key = JSON.stringify([projectId, tableDigest, rowDigest]);
      const found = await read(key, () => readRow(storage, projectId, tableDigest, rowDigest));
      if (found) return found;
      throw new TracingError('not_found', `Cannot read row "${rowDigest.slice(0, 200)}": the table does not have it`);
    },
  };
}

async function readValue(
  { objects }: Storage,
  ref: ObjectRefParts,
  missingDigests: Set<string>,
): Promise<JsonText | undefined> {
  const found = await objects.get(projectOfRef(ref), ref.name, ref.version);
  if (found?.kind !== ref.kind) {
    missingDigests.add(ref.version);
    return undefined;
  }
  return found.val ?? undefined;
}

async function readRow(
  { tables }: Storage,
  projectId: string,
  digest: string,
  rowDigest: string,
): Promise<JsonText | undefined> {
  const plan = { projectId, digest, rowDigests: [rowDigest], sort: [], limit: 1, offset: 0 };
  for await (const [row] of tables.query(plan)) if (row) return row.val;
  return undefined;
}

function storedJson(text: JsonText): StoredJson {
  let value: JsonValue | undefined;
  return {
    text,
    parsed: () => {
      value ??= parseJson(text);
      return value;
    },
  };
}

function checkTime(deadline: number, { limits, signal }: ReadContext): void {
  signal.throwIfAborted();
  if (performance.now() <= deadline) return;
  throw new TracingError('query_timeout', `The references took longer than ${limits.read_ms} ms to read`);
}
