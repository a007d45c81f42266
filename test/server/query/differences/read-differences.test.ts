import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/protocol/limits.ts';
import type {
  CallsDifferencesRequest,
  CallsDifferencesResponse,
} from '../../../../src/protocol/page/calls-differences.ts';
import { readDifferences } from '../../../../src/server/query/differences/read-differences.ts';
import type { Storage } from '../../../../src/storage/contract/storage.ts';
import { openMemoryStorage } from '../../../../src/storage/reference/memory-storage.ts';
import { endFact, NEW_YEAR, PROJECT, startFact } from '../../../../src/testing/storage/facts.ts';
import { madeCalls, type MadeCalls, noisyTraces, PLANTED } from './planted-calls.ts';
import type { CallFact } from '../../../../src/storage/contract/calls.ts';

const CALLS = 3000;

async function differencesOf(
  facts: readonly CallFact[],
  request: Omit<CallsDifferencesRequest, 'project_id'>,
  watch: (storage: Storage) => void = () => undefined,
): Promise<CallsDifferencesResponse> {
  const storage = openMemoryStorage();
  watch(storage);
  await storage.calls.write(facts);
  const sources = { ...storage, defaultPrices: { listed: new Map(), bundled: async () => undefined } };
  const caller = { keyId: 'key', userId: 'user', entities: new Set(['*']), mayImport: false };
  const context = { caller, limits: DEFAULT_LIMITS, signal: new AbortController().signal };
  return await readDifferences(sources, { project_id: PROJECT, ...request }, context);
}

async function ofFailed({ facts }: MadeCalls): Promise<CallsDifferencesResponse> {
  return await differencesOf(facts, { where: 'status:error' });
}

describe('planted segments', () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => seed);

  test.each(seeds.map((seed) => [seed, PLANTED[seed % PLANTED.length] ?? PLANTED[0]] as const))(
    'seed %d: what was planted stands on top',
    async (seed, planted) => {
      if (planted === undefined) throw new Error('There is nothing to plant');
      const { differences, left_out: leftOut } = await ofFailed(madeCalls(seed, CALLS, planted.isSo));
      const [top] = differences;
      expect({ name: planted.name, field: top?.field }).toEqual({ name: planted.name, field: planted.field });
      expect(planted.value ?? top?.value).toBe(top?.value);
      expect(top?.share).toBeGreaterThan(top?.rest_share ?? 1);
      expect(leftOut).toEqual(['status', 'error']);
    },
  );

  test.each(seeds)('seed %d: where calls fail by chance nothing is told', async (seed) => {
    const { differences, compared } = await ofFailed(madeCalls(seed, CALLS, () => false));
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(50);
  });

  test.each(seeds)('seed %d: where traces fail by chance nothing is told that only their calls share', async (seed) => {
    expect((await ofFailed(noisyTraces(seed, CALLS))).differences).toEqual([]);
  });
});

test('a filter of a difference means the calls that it counts', async () => {
  const { facts } = madeCalls(3, CALLS, ({ op, topK }) => op === 'search' || topK > 30);
  const { differences } = await differencesOf(facts, { where: 'status:error' });
  expect(differences.length).toBeGreaterThan(1);
  for (const { where, calls } of differences) {
    if (where === null) continue;
    const { selection } = await differencesOf(facts, { where: `status:error ${where}` });
    expect({ where, calls: selection.calls }).toEqual({ where, calls });
  }
});

test('calls of another filter are what is compared with, without those that are selected', async () => {
  const { facts } = madeCalls(4, CALLS, () => false);
  const all = await differencesOf(facts, { where: 'op:search' });
  expect(all.selection.calls + all.rest.calls).toBe(CALLS);
  expect(all.left_out).toEqual(['op', 'version']);
  const models = await differencesOf(facts, { where: 'model:gpt-a', against: { where: 'model:gpt*' } });
  const [a, b] = [models.selection.calls, models.rest.calls];
  expect(a).toBeGreaterThan(50);
  expect(b).toBeGreaterThan(a);
  expect(models.differences).toEqual([]);
  expect(models.left_out).toEqual(['model', 'provider', 'tokens.in', 'tokens.out']);
});

test('numbers beyond queries select calls, too', async () => {
  const { facts } = madeCalls(5, CALLS, () => false);
  const { selection, rest, differences, left_out } = await differencesOf(facts, { where: 'tokens.in>4000' });
  expect(selection.calls).toBeGreaterThan(100);
  expect(selection.calls + rest.calls).toBe(CALLS);
  expect(left_out).toEqual(['tokens.in', 'tokens.out']);
  expect(differences.map(({ field }) => field)).toContain('kind');
});

test('however many calls are picked beyond queries, an engine is asked for no more than are looked at', async () => {
  const { facts } = madeCalls(8, 4 * CALLS, () => false);
  const asked: (number | undefined)[] = [];
  const { selection, rest } = await differencesOf(facts, { where: '-tokens.in>4000' }, (storage) => {
    const { overviews } = storage;
    const traits = overviews?.traits.bind(overviews);
    if (overviews === undefined || traits === undefined) throw new TypeError('The storage has overviews');
    overviews.traits = async (plan, options) => {
      asked.push(plan.filter.callIds?.length, plan.without === undefined ? 0 : Infinity);
      return await traits(plan, options);
    };
  });
  expect(selection.calls).toBeGreaterThan(5000);
  expect(selection.looked_at).toBe(5000);
  expect(rest.calls).toBeGreaterThan(100);
  expect(selection.calls + rest.calls).toBe(4 * CALLS);
  expect(new Set(asked)).toEqual(new Set([0, rest.calls, 5000]));
});

test('the calls of one trace are one piece of evidence', async () => {
  const facts = Array.from({ length: 400 }, (_, index) => {
    const isOdd = index < 100;
    return [
      startFact(`c${index}`, {
        trace_id: isOdd ? 'odd' : `trace-${index}`,
        attributes: JSON.stringify({ build: isOdd ? 'b2' : 'b1' }),
        started_at: NEW_YEAR + index,
      }),
      endFact(`c${index}`, { exception: isOdd ? 'no' : null }),
    ];
  });
  const ofOne = await differencesOf(facts.flat(), { where: 'status:error' });
  expect(ofOne).toMatchObject({ differences: [], selection: { calls: 100, traces: 1 }, rest: { traces: 300 } });
});

test('within a few traces calls are compared', async () => {
  const facts = Array.from({ length: 200 }, (_, index) => [
    startFact(`c${index}`, {
      trace_id: 'one',
      attributes: JSON.stringify({ shard: index % 4 }),
      started_at: NEW_YEAR + index,
    }),
    endFact(`c${index}`, { exception: index % 4 === 2 ? 'no' : null }),
  ]);
  const { differences } = await differencesOf(facts.flat(), { where: 'status:error' });
  expect(differences[0]).toMatchObject({
    field: 'attr.shard',
    where: 'attr.shard:2',
    share: 1,
    rest_share: 0,
    lift: null,
  });
});

test('nothing is compared with nothing', async () => {
  const none = { differences: [], compared: 0 };
  expect(await differencesOf([], { where: 'status:error' })).toMatchObject({ ...none, selection: { calls: 0 } });
  const { facts } = madeCalls(6, 100, () => true);
  expect(await differencesOf(facts, {})).toMatchObject({ ...none, rest: { calls: 0, looked_at: 0, traces: 0 } });
});

test('a limit is how many differences are told', async () => {
  const { facts } = madeCalls(7, CALLS, ({ op, isCached }) => op === 'search' || isCached);
  expect((await differencesOf(facts, { where: 'status:error', limit: 1 })).differences).toHaveLength(1);
  for (const limit of [0, 101, -1]) {
    await expect(differencesOf(facts, { limit })).rejects.toMatchObject({ code: 'invalid_request' });
  }
});
