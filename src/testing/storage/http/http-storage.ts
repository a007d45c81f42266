import type { CallsStreamQueryRequest } from '../../../protocol/call.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { TracingError } from '../../../protocol/error.ts';
import { parseJson, stringifyJson } from '../../../protocol/values/json.ts';
import type { Expression } from '../../../protocol/query.ts';
import { createReader, type Reader } from '../../../reader/reader.ts';
import { createRequester, type Requester } from '../../../reader/request.ts';
import type { CallPlan } from '../../../storage/contract/plan.ts';
import type { CallReader, CallWriter, StoredCall } from '../../../storage/contract/calls.ts';
import type { CostStore, StoredCost } from '../../../storage/contract/costs.ts';
import type { FeedbackStore, StoredFeedback } from '../../../storage/contract/feedback.ts';
import type { FileStore } from '../../../storage/contract/files.ts';
import type { ObjectStore } from '../../../storage/contract/objects.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { ThreadReader } from '../../../storage/contract/threads.ts';
import { viewsOf } from './http-views.ts';
import { microsOf, parseObject, toBatchItem, toStoredCall } from './http-records.ts';
import { tablesOf } from './http-tables.ts';
import { requestOf, requestOfFeedback, requestOfThreads } from '../plans.ts';
import { toObjectsRequest, toStoredObject } from './http-objects.ts';

/** Where a service is reached, and a key of it with the privilege to import. */
export interface HttpStorageOptions {
  readonly url: string;
  readonly apiKey: string;
}

/**
 * A service seen as a storage, so that the conformance kit can run on the whole stack. It reads plans of the kit only,
 * leaves deadlines to the service, and does not close the service.
 */
export function openHttpStorage({ url, apiKey }: HttpStorageOptions): Storage {
  const json = { parse: parseJson, stringify: (value: unknown) => stringifyJson(value as JsonValue) };
  // The kit has to see the first failure, not the end of a row of attempts.
  const reader = createReader({ url, apiKey, json, retries: 0 });
  return {
    // What the protocol promises (8), the service keeps with any engine but for snapshots.
    capabilities: { snapshots: true, atomicBatches: true, readYourWrites: true },
    calls: { ...writerOf(reader), ...readerOf(reader) },
    objects: objectsOf(reader),
    files: filesOf(reader),
    costs: costsOf(reader),
    feedback: feedbackOf(reader, createRequester({ url, apiKey, json, retries: 0 })),
    tables: tablesOf(reader),
    threads: threadsOf(reader),
    views: viewsOf(reader),
    checkHealth: async () => {
      await reader.service.health().catch(refuseHealth);
    },
    close: async () => undefined,
  };
}

function writerOf(reader: Reader): CallWriter {
  return {
    write: (facts) => reader.calls.write(facts.map(toBatchItem)),
    rename: (project_id, id, name) => reader.calls.rename(id, name, { project_id }),
    // The time of a deletion is the service's.
    delete: (project_id, ids) => reader.calls.delete(ids, { project_id }),
  };
}

const ALL_BODIES: CallPlan['bodies'] = new Set(['attributes', 'inputs', 'output', 'summary']);

/** Calls per chunk of a read. */
const CHUNK_CALLS = 400;

function readerOf(reader: Reader): CallReader {
  return {
    async get(project_id, id) {
      const call = await reader.calls.get(id, { project_id });
      return call && toStoredCall(call, ALL_BODIES);
    },
    async *query(plan, { signal } = {}) {
      let chunk: StoredCall[] = [];
      for await (const call of reader.calls.query(toStreamRequest(plan), { signal })) {
        chunk.push(toStoredCall(call, plan.bodies));
        if (chunk.length < CHUNK_CALLS) continue;
        yield chunk;
        chunk = [];
      }
      if (chunk.length > 0) yield chunk;
    },
    async count(selection, limit, { signal } = {}) {
      const { project_id, filter = null, query = null } = requestOf(selection);
      const { count } = await reader.calls.stats({ project_id, filter, query, limit: limit ?? null }, { signal });
      return count;
    },
  };
}

/** Fields that a service leaves out when columns are named and they are not. */
const PLAIN_COLUMNS: readonly (keyof StoredCall)[] = [
  'display_name',
  'parent_id',
  'thread_id',
  'turn_id',
  'ended_at',
  'exception',
  'svc_user_id',
  'svc_run_id',
  'svc_run_step',
  'svc_run_step_end',
];

/** A storage leaves out bodies only, so all other columns are asked for. */
function toStreamRequest(plan: CallPlan): CallsStreamQueryRequest {
  const { project_id, filter = null, query = null, sort_by, limit = null, offset = null } = requestOf(plan);
  const columns = [...PLAIN_COLUMNS, ...plan.bodies];
  return { project_id, filter, query, sort_by: sort_by ? [...sort_by] : null, limit, offset, columns };
}

function objectsOf(reader: Reader): ObjectStore {
  return {
    async create({ project_id, object_id, val, digest: expected_digest, svc_user_id }) {
      await reader.objects.create({ project_id, object_id, val: parseJson(val), expected_digest, svc_user_id });
    },
    async get(project_id, objectId, version, { metadataOnly = false } = {}) {
      const object = await reader.objects.get(objectId, version, { project_id, metadata_only: metadataOnly });
      return object && toStoredObject(object, metadataOnly);
    },
    async query(plan, { signal } = {}) {
      const found = await reader.objects.query(toObjectsRequest(plan), { signal });
      return found.map((object) => toStoredObject(object, plan.metadataOnly));
    },
    // The time of a deletion is the service's.
    async delete(project_id, objectId, versions) {
      return (await reader.objects.delete(objectId, { project_id, digests: [...versions] })).deleted_versions;
    },
  };
}

function filesOf(reader: Reader): FileStore {
  return {
    async create({ project_id, digest: expected_digest, name, bytes }) {
      await reader.files.create({ project_id, name, bytes, expected_digest });
    },
    async get(project_id, digest) {
      const bytes = await reader.files.get(digest, { project_id });
      // A service does not tell the names of files.
      return bytes && { project_id, digest, name: '', bytes };
    },
    totalBytes: async (project_id) => (await reader.files.stats({ project_id })).total_size_bytes,
  };
}

function threadsOf(reader: Reader): ThreadReader {
  return {
    async *query(plan, { signal } = {}) {
      for await (const thread of reader.threads.query(requestOfThreads(plan), { signal })) {
        yield [
          {
            ...thread,
            start_time: microsOf(thread.start_time),
            last_updated: microsOf(thread.last_updated),
            // A thread has turns, so it has a first and a last one.
            first_turn_id: thread.first_turn_id ?? '',
            last_turn_id: thread.last_turn_id ?? '',
            p50_turn_duration_ms: numberOf(thread.p50_turn_duration_ms),
            p99_turn_duration_ms: numberOf(thread.p99_turn_duration_ms),
          },
        ];
      }
    },
  };
}

/** The reader of the kit keeps the digits of numbers, which makes objects of some; their type does not say so. */
function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function costsOf(reader: Reader): CostStore {
  return {
    async create(costs) {
      for (const { project_id, llm_id, ...cost } of costs) {
        const entry = { ...cost, effective_date: formatDateTime(cost.effective_date) };
        await reader.costs.create({ [llm_id]: entry }, { project_id });
      }
    },
    async list(project_id) {
      const records = await reader.costs.query({ project_id });
      return records.map((record) => ({
        // All fields were asked for, so none is null.
        ...(record as Omit<StoredCost, 'project_id' | 'effective_date' | 'created_by' | 'created_at'>),
        project_id,
        // The codec of the kit keeps tokens of numbers.
        prompt_token_cost: Number(record.prompt_token_cost),
        completion_token_cost: Number(record.completion_token_cost),
        cache_read_input_token_cost: numberOf(record.cache_read_input_token_cost ?? null),
        cache_creation_input_token_cost: numberOf(record.cache_creation_input_token_cost ?? null),
        reasoning_token_cost: numberOf(record.reasoning_token_cost ?? null),
        effective_date: microsOf(record.effective_date ?? ''),
        // A service does not tell who wrote a price and when.
        created_by: '',
        created_at: Number.NaN,
      }));
    },
    purge: (project_id, ids) => reader.costs.purge(ids, { project_id }),
  };
}

function feedbackOf(reader: Reader, requester: Requester): FeedbackStore {
  return {
    async create({ svc_user_id: _theirs, created_at: _now, payload, ...fields }, replacedId = null) {
      const feedback = { ...fields, payload: parseObject(payload) };
      if (replacedId === null) await reader.feedback.create(feedback);
      else await reader.feedback.replace({ ...feedback, feedback_id: replacedId });
    },
    async createAll(feedback) {
      const batch = feedback.map(({ svc_user_id: _theirs, created_at: _now, payload, ...fields }) => ({
        ...fields,
        payload: parseObject(payload),
      }));
      await requester.sendForJson({ method: 'POST', path: '/feedback/batch/create', body: { batch } });
    },
    async list(project_id, refs) {
      const items = (refs ?? []).map((ref) => ({ $literal: ref }));
      const query =
        refs === undefined
          ? null
          : { $expr: { $in: [{ $getField: 'svc_ref' }, items] satisfies [Expression, Expression[]] } };
      const records = await reader.feedback.query({ project_id, query });
      return records.map(toStoredFeedback);
    },
    query: async (plan) => (await reader.feedback.query(requestOfFeedback(plan))).map(toStoredFeedback),
    async count(plan) {
      const [record] = await reader.feedback.query({ ...requestOfFeedback(plan), fields: ['count(*)'] });
      return Number(record?.['count(*)']);
    },
    purge: (project_id, ids) => reader.feedback.purge(ids, { project_id }),
  };
}

function toStoredFeedback({ payload, created_at: createdAt, ...record }: Record<string, unknown>): StoredFeedback {
  return {
    // All fields were asked for, and the service checked what it stored.
    ...(record as unknown as Omit<StoredFeedback, 'payload' | 'created_at'>),
    payload: stringifyJson(payload as JsonValue),
    created_at: microsOf(String(createdAt)),
  };
}

function refuseHealth(cause: unknown): never {
  throw new TracingError('unavailable', 'The service cannot be reached', { cause });
}
