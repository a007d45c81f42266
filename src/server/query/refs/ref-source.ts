import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { type CallRefParts, formatRef, type ObjectRefParts, type RefParts } from '../../../protocol/ref.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import { checkId } from '../../http/body/check-id.ts';
import { type Caller, checkProject } from '../../keys/authenticate.ts';
import type { CallQuery } from '../plan/calls-query.ts';
import { STORED_CALL } from '../plan/call-view.ts';
import { type ReadContext, readCall } from '../read/read-calls.ts';
import { RefCache } from './ref-cache.ts';
import { projectOfRef } from './walk-ref.ts';

/** A stored value, parsed once, when something inside it is asked for. */
export interface StoredJson {
  readonly text: JsonText;
  readonly parsed: () => JsonValue;
}

/** Where values of references come from. */
export interface RefSource {
  /** The whole value of an object, op or call; undefined when it is deleted or missing. */
  whole(ref: Exclude<RefParts, { kind: 'table' }>): Promise<StoredJson | undefined>;
  /** A row of a table. Rejects with `not_found` when the table does not have it. */
  row(projectId: string, tableDigest: string, rowDigest: string): Promise<StoredJson>;
}

export interface RefSourceOptions {
  /** Called before each read; throws when there is no more time. */
  readonly checkTime: () => void;
  /** Called with the digest of a version that never was. */
  readonly onMissing?: (digest: string) => void;
}

/** The parts of a storage that values of references are read from. */
export type RefStorage = Pick<Storage, 'calls' | 'costs' | 'feedback' | 'objects' | 'tables'>;

/** Reads from a storage, and keeps what was read last. */
export function openRefSource(
  storage: RefStorage,
  context: ReadContext,
  { checkTime, onMissing }: RefSourceOptions,
): RefSource {
  const cache = new RefCache<StoredJson | undefined>((json) => json?.text.length ?? 0);
  const read = (key: string, load: () => Promise<JsonText | undefined>) => {
    checkTime();
    return cache.read(key, async () => {
      const text = await load();
      return text === undefined ? undefined : storedJson(text);
    });
  };
  return {
    whole: (ref) =>
      read(formatRef({ ...ref, extra: [] }), () =>
        ref.kind === 'call'
          ? readCall(storage, queryOf(ref, context.caller), context)
          : readValue(storage, ref, onMissing),
      ),
    async row(projectId, tableDigest, rowDigest) {
      const key = JSON.stringify([projectId, tableDigest, rowDigest]);
      const found = await read(key, () => readRow(storage, projectId, tableDigest, rowDigest));
      if (found) return found;
      throw new TracingError('not_found', `Cannot read row "${rowDigest.slice(0, 200)}": the table does not have it`);
    },
  };
}

/** Throws `forbidden` or `invalid_id`. */
function queryOf(ref: CallRefParts, caller: Caller): CallQuery {
  const projectId = projectOfRef(ref);
  checkProject(caller, projectId);
  return { projectId, id: checkId('id', ref.id), view: STORED_CALL };
}

async function readValue(
  { objects }: RefStorage,
  ref: ObjectRefParts,
  onMissing: RefSourceOptions['onMissing'],
): Promise<JsonText | undefined> {
  const found = await objects.get(projectOfRef(ref), ref.name, ref.version);
  if (found?.kind !== ref.kind) {
    onMissing?.(ref.version);
    return undefined;
  }
  return found.val ?? undefined;
}

async function readRow(
  { tables }: RefStorage,
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

/** The time of one read: until its result, or its first record. */
export interface ReadClock {
  /** Throws when the time is over or the client is gone. */
  readonly check: () => void;
  /** From now on only the client counts. */
  readonly stop: () => void;
}

export function startClock({ limits, signal }: ReadContext): ReadClock {
  let deadline = performance.now() + limits.read_ms;
  return {
    check: () => {
      signal.throwIfAborted();
      if (performance.now() <= deadline) return;
      throw new TracingError('query_timeout', `The read took longer than ${limits.read_ms} ms`);
    },
    stop: () => {
      deadline = Infinity;
    },
  };
}
