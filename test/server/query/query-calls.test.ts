import { expect, test } from 'vitest';
import { canonicalJson, type JsonValue } from '../../../src/protocol/values/canonical-json.ts';
import { digestBytes } from '../../../src/protocol/values/digest.ts';
import { TracingError } from '../../../src/protocol/error.ts';
import { parseJson, stringifyJson } from '../../../src/protocol/values/json.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { parseCallsQuery, parseCountQuery } from '../../../src/server/query/plan/calls-query.ts';
import { countCalls, queryCalls } from '../../../src/server/query/refs/query-calls.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { NEW_YEAR, PROJECT, type WireRequest } from '../../../src/testing/storage/facts.ts';
import { randomFacts, randomFeedback } from '../../storage/differential/random-calls.ts';
import { randomRequest } from '../../storage/differential/random-query.ts';
import { type Random, seededRandom } from '../../storage/differential/random.ts';

const DATA_SETS = 20;
const QUERIES_PER_SET = 15;

const CONTEXT = {
  caller: { keyId: 'key', userId: 'user-1', entities: new Set(['*']), mayImport: false },
  limits: DEFAULT_LIMITS,
  signal: new AbortController().signal,
};

test('calls with references answer random queries as calls with the values in their place', async () => {
  for (let seed = 1; seed <= DATA_SETS; seed++) {
    const random = seededRandom(seed);
    const open = seed % 3 === 0 ? () => openSqliteStorage({ path: ':memory:' }) : async () => openMemoryStorage();
    const [withRefs, withValues] = [await open(), await open()];
    try {
      await writeBoth(withRefs, withValues, random);
      for (let count = 0; count < QUERIES_PER_SET; count++) {
        const request = randomRequestBehind(random);
        const expected = await answer(withValues, request, []);
        const actual = await answer(withRefs, request, ['inputs.a', 'inputs.k']);
        expect({ seed, request, answer: actual }).toEqual({ seed, request, answer: expected });
      }
    } finally {
      await withRefs.close();
      await withValues.close();
    }
  }
});

/** The path itself is a reference here and a value there, so only what lies behind it is asked. */
function randomRequestBehind(random: Random): WireRequest {
  for (;;) {
    const request = randomRequest(random);
    const text = JSON.stringify(request);
    if (/"inputs\.[ak]\./.test(text) && !/"inputs(?:\.[ak])?"/.test(text)) return request;
  }
}

async function answer(storage: Storage, request: WireRequest, expand_columns: string[]): Promise<unknown> {
  const { limit: _limit, offset: _offset, sort_by: _sort, columns: _columns, ...selection } = request;
  const asked = { project_id: PROJECT, expand_columns };
  try {
    const ids: unknown[] = [];
    const query = parseCallsQuery({ ...request, ...asked, columns: ['id'] } as never, CONTEXT);
    for await (const lines of queryCalls(storage, query, CONTEXT)) {
      ids.push(...lines.map((line) => (JSON.parse(line) as { id: string }).id));
    }
    return [ids, await countCalls(storage, parseCountQuery({ ...selection, ...asked } as never, CONTEXT), CONTEXT)];
  } catch (error) {
    if (error instanceof TracingError) return error.code;
    throw error;
  }
}

/** Some values of `a` and `k` become objects in one of the storages, and are marked as such in the other. */
async function writeBoth(withRefs: Storage, withValues: Storage, random: Random): Promise<void> {
  const feedback = randomFeedback(random);
  for (const storage of [withRefs, withValues]) for (const one of feedback) await storage.feedback.create(one);
  for (const fact of randomFacts(random)) {
    const [referring, holding] = fact.kind === 'start' ? await split(fact, withRefs, random) : [fact, fact];
    await withRefs.calls.write([referring]);
    await withValues.calls.write([holding]);
  }
}

async function split(
  fact: CallFact & { kind: 'start' },
  storage: Storage,
  random: Random,
): Promise<[CallFact, CallFact]> {
  const inputs = parseJson(fact.inputs) as Record<string, JsonValue>;
  const referring = { ...inputs };
  const holding = { ...inputs };
  for (const key of ['a', 'k']) {
    const value = inputs[key];
    if (value === undefined || value === null || random.chance(0.2)) continue;
    const { ref, val } = await publish(storage, value);
    referring[key] = ref;
    holding[key] = isObject(val) ? { ...val, _ref: ref } : val;
  }
  return [
    { ...fact, inputs: stringifyJson(referring) },
    { ...fact, inputs: stringifyJson(holding) },
  ];
}

async function publish(storage: Storage, value: JsonValue): Promise<{ ref: string; val: JsonValue }> {
  const val = canonicalJson(value);
  const digest = digestBytes(val);
  const classes = { base_object_class: null, leaf_object_class: null };
  const name = { project_id: PROJECT, object_id: 'value', kind: 'object' } as const;
  await storage.objects.create({ ...name, ...classes, digest, val, svc_user_id: 'user-1', created_at: NEW_YEAR });
  return { ref: `svc:///${PROJECT}/object/value:${digest}`, val: parseJson(val) };
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && stringifyJson(value).startsWith('{');
}
