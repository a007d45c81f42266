import { strict as assert } from 'node:assert';
import type { AggregatePlan, CallAggregate, FacetField, OverviewReader } from '../../storage/contract/overviews.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Check, Contracts } from './contract.ts';
import { endFact, NEW_YEAR, newFeedback, PROJECT, SECOND, startFact, type WireRequest } from './facts.ts';
import { selectionOf } from './plans.ts';

const MILLI = 1000;

/** Sums of selections of calls. */
export function overviewsConformance({ contract: state }: Contracts): void {
  const contract = (name: string, check: Check) => state(name, check, 'overviews');

  contract('calls, errors and running calls of a selection are counted', async (storage) => {
    await storage.calls.write([
      startFact('ok'),
      endFact('ok'),
      startFact('failed', { started_at: NEW_YEAR + SECOND, op_name: 'g' }),
      endFact('failed', { exception: 'TypeError: no', ended_at: NEW_YEAR + 2 * SECOND }),
      startFact('running', { started_at: NEW_YEAR + 5 * SECOND }),
      endFact('pending'),
      startFact('elsewhere', { project_id: 'acme/other' }),
    ]);
    const all = await aggregate(storage);
    assert.deepEqual([all.count, all.errors, all.running], [3, 1, 1]);
    assert.deepEqual([all.firstStartedAt, all.lastStartedAt], [NEW_YEAR, NEW_YEAR + 5 * SECOND]);
    const ofG = await aggregate(storage, { filter: { op_names: ['g'] } });
    assert.deepEqual([ofG.count, ofG.errors, ofG.running], [1, 1, 0]);
    const failed: WireRequest['query'] = {
      $expr: { $eq: [{ $getField: 'exception' }, { $literal: 'TypeError: no' }] },
    };
    assert.equal((await aggregate(storage, { query: failed })).count, 1);
  });

  contract('nothing adds up to nothing', async (storage) => {
    const { histogram, ...rest } = await aggregate(storage, {}, { histogram: { buckets: 3 }, facets: [facetOf(OP)] });
    assert.equal(histogram, undefined);
    assert.deepEqual(rest, {
      count: 0,
      errors: 0,
      running: 0,
      latency: null,
      tokens: NO_TOKENS,
      models: [],
      firstStartedAt: null,
      lastStartedAt: null,
      facets: [{ values: [], other: 0, none: 0, distinct: 0 }],
    });
  });

  contract('a time includes its beginning and not its end', async (storage) => {
    await storage.calls.write([0, 1, 2, 3].map((at) => startFact(`c${at}`, { started_at: NEW_YEAR + at })));
    const within = { startedAfter: NEW_YEAR + 1, startedBefore: NEW_YEAR + 3 };
    const { count, firstStartedAt, lastStartedAt } = await aggregate(storage, {}, within);
    assert.deepEqual([count, firstStartedAt, lastStartedAt], [2, NEW_YEAR + 1, NEW_YEAR + 2]);
  });

  contract('percentiles stand between the latencies of calls that have ended', async (storage) => {
    for (const ms of [10, 20, 30, 40]) {
      await storage.calls.write([startFact(`c${ms}`), endFact(`c${ms}`, { ended_at: NEW_YEAR + ms * MILLI })]);
    }
    await storage.calls.write([startFact('running')]);
    assert.deepEqual((await aggregate(storage)).latency, { p50: 25, p95: 38.5, p99: 39.7 });
    await storage.calls.write([startFact('back'), endFact('back', { ended_at: NEW_YEAR - SECOND })]);
    assert.equal((await aggregate(storage)).latency?.p50, 20);
  });

  contract('usage counts where no selected call above has any', async (storage) => {
    const used = (id: string, parent_id: string | null, tokens: number | undefined, op_name = 'f') => [
      startFact(id, { parent_id, trace_id: 't', op_name }),
      endFact(id, { summary: tokens === undefined ? '{}' : usageOf({ m: { input_tokens: tokens } }) }),
    ];
    await storage.calls.write([
      ...used('llm', 'step', 7, 'chat'),
      ...used('step', 'root', undefined, 'step'),
      ...used('root', null, 10),
      ...used('lone', 'unknown', 5, 'chat'),
    ]);
    assert.equal((await aggregate(storage)).tokens.total, 15);
    assert.equal((await aggregate(storage, { filter: { op_names: ['chat'] } })).tokens.total, 12);
    // The way up goes through calls that are not selected.
    assert.equal((await aggregate(storage, { filter: { op_names: ['chat', 'f'] } })).tokens.total, 15);
  });

  contract('a call counts for a model when no call below has used the same', async (storage) => {
    const used = (id: string, parent_id: string | null, models: readonly string[], host?: string) => [
      startFact(id, { parent_id, trace_id: 't', ...(host && { attributes: JSON.stringify({ host }) }) }),
      endFact(id, { summary: usageOf(Object.fromEntries(models.map((model) => [model, { input_tokens: 1 }]))) }),
    ];
    await storage.calls.write([
      ...used('first', 'step', ['m']),
      ...used('second', 'step', ['m'], 'h'),
      ...used('other', 'root', ['n']),
      startFact('step', { parent_id: 'root', trace_id: 't' }),
      ...used('root', null, ['m', 'n', 'own']),
      ...used('lone', null, ['m']),
    ]);
    assert.deepEqual(callsOf(await aggregate(storage)), { m: 3, n: 1, own: 1 });
    assert.equal((await aggregate(storage)).tokens.total, 4);
    const roots = await aggregate(storage, { filter: { trace_roots_only: true } });
    assert.deepEqual(callsOf(roots), { m: 2, n: 1, own: 1 });
  });

  contract('calls above each other in a circle count their usage as those below do', async (storage) => {
    const summary = usageOf({ m: { input_tokens: 1 } });
    await storage.calls.write([
      startFact('self', { parent_id: 'self' }),
      endFact('self', { summary }),
      startFact('a', { parent_id: 'b' }),
      startFact('b', { parent_id: 'a' }),
      endFact('a', { summary }),
    ]);
    assert.equal((await aggregate(storage)).tokens.total, 2);
  });

  contract('usage is added up by model and by who was asked', async (storage) => {
    const summary = usageOf({
      small: { prompt_tokens: 1, completion_tokens: 2, requests: 1 },
      large: { input_tokens: 10, output_tokens: 20, cache_read_tokens: 3, cache_write_tokens: 4, reasoning_tokens: 5 },
    });
    const attributes = JSON.stringify({ provider: 'azure', host: 'h' });
    const later = { attributes, started_at: NEW_YEAR + 1 };
    await storage.calls.write([startFact('a', { attributes }), endFact('a', { summary })]);
    await storage.calls.write([startFact('b', later), endFact('b', { summary })]);
    await storage.calls.write([startFact('c'), endFact('c', { summary: usageOf({ small: { total_tokens: 9 } }) })]);
    const { models, tokens } = await aggregate(storage);
    const asked = { provider: 'azure', host: 'h', calls: 2, firstStartedAt: NEW_YEAR, lastStartedAt: NEW_YEAR + 1 };
    const large = { plainPrompt: 20, cacheRead: 6, cacheWrite: 8, plainCompletion: 40, reasoning: 10, total: 84 };
    const alone = { provider: null, host: null, calls: 1, firstStartedAt: NEW_YEAR, lastStartedAt: NEW_YEAR };
    assert.deepEqual(models, [
      { model: 'large', ...asked, tokens: { ...NO_TOKENS, ...large } },
      { model: 'small', ...alone, tokens: { ...NO_TOKENS, total: 9 } },
      {
        model: 'small',
        ...asked,
        tokens: { ...NO_TOKENS, plainPrompt: 2, plainCompletion: 4, requests: 2, total: 6 },
      },
    ]);
    assert.equal(tokens.total, 99);
  });

  contract('a histogram counts calls and errors by their start', async (storage) => {
    for (const [index, at] of [0, 1, 9, 10, 25, 29].entries()) {
      const exception = index % 2 === 0 ? 'no' : null;
      await storage.calls.write([
        startFact(`c${index}`, { started_at: NEW_YEAR + at }),
        endFact(`c${index}`, { exception }),
      ]);
    }
    const histogram = { buckets: 3 };
    const expected = { from: NEW_YEAR, width: 10, counts: [3, 1, 2], errors: [2, 0, 1] };
    assert.deepEqual((await aggregate(storage, {}, { histogram })).histogram, expected);
    const within = { histogram, startedAfter: NEW_YEAR - 10, startedBefore: NEW_YEAR + 20 };
    const { histogram: shifted } = await aggregate(storage, {}, within);
    assert.deepEqual(shifted, { from: NEW_YEAR - 10, width: 10, counts: [0, 3, 1], errors: [0, 2, 0] });
  });

  contract('values of a field come with their counts, the most frequent first', async (storage) => {
    const threads = ['b', 'a', 'b', 'c', 'c', null];
    await storage.calls.write(threads.map((thread_id, index) => startFact(`c${index}`, { thread_id })));
    const field: FacetField = { kind: 'text', column: 'thread_id' };
    const { facets } = await aggregate(storage, {}, { facets: [{ field, limit: 2 }, facetOf(OP)] });
    assert.deepEqual(facets, [
      {
        values: [
          { value: 'b', count: 2 },
          { value: 'c', count: 2 },
        ],
        other: 1,
        none: 1,
        distinct: 3,
      },
      { values: [{ value: 'f', count: 6 }], other: 0, none: 0, distinct: 1 },
    ]);
  });

  contract('every kind of field has values', async (storage) => {
    const start = {
      attributes: JSON.stringify({ kind: 'llm', deep: { list: [{ n: 1.5 }] } }),
      inputs: '{"q":"a\\u0000b"}',
      svc_run_id: 'run',
    };
    const summary = usageOf({ small: { input_tokens: 1 }, large: { input_tokens: 2 } });
    const end = { exception: 'TypeError: no\nat line', output: '{"list":[1,"x"]}', summary };
    await storage.calls.write([startFact('c', start), endFact('c', end), startFact('d')]);
    const fields: readonly (readonly [FacetField, string | null])[] = [
      [{ kind: 'text', column: 'status' }, 'error'],
      [{ kind: 'text', column: 'svc_run_id' }, 'run'],
      [{ kind: 'exceptionType' }, 'TypeError'],
      [{ kind: 'model' }, 'large'],
      [{ kind: 'json', column: 'attributes', path: ['kind'] }, 'llm'],
      [{ kind: 'json', column: 'attributes', path: ['deep', 'list', '0', 'n'] }, '1.5'],
      [{ kind: 'json', column: 'inputs', path: ['q'] }, 'a\0b'],
      [{ kind: 'json', column: 'output', path: ['list'] }, '[1,"x"]'],
    ];
    const { facets } = await aggregate(storage, {}, { facets: fields.map(([field]) => facetOf(field)) });
    for (const [index, [field, value]] of fields.entries()) {
      const values = facets[index]?.values.map((each) => each.value) ?? [];
      assert(value !== null && values.includes(value), `${JSON.stringify(field)}: ${values.join(', ')}`);
    }
  });

  contract('late ends and deletions change what calls add up to', async (storage) => {
    const summary = usageOf({ m: { input_tokens: 3 } });
    await storage.calls.write([startFact('a'), startFact('b'), startFact('c')]);
    assert.deepEqual(shortOf(await aggregate(storage)), [3, 0, 3, 0]);
    await storage.calls.write([endFact('a', { summary, exception: 'no' })]);
    assert.deepEqual(shortOf(await aggregate(storage)), [3, 1, 2, 3]);
    await storage.calls.write([endFact('a', { summary: '{}' })]);
    assert.deepEqual(shortOf(await aggregate(storage)), [3, 0, 2, 0]);
    await storage.calls.delete(PROJECT, ['b'], NEW_YEAR);
    assert.deepEqual(shortOf(await aggregate(storage)), [2, 0, 1, 0]);
  });

  contract('conditions on feedback select what is added up', async (storage) => {
    await storage.calls.write([startFact('c1'), startFact('c2')]);
    await storage.feedback.create(newFeedback('x', { payload: '{"n":1}' }));
    const field = { $getField: 'feedback.[thumbs].payload.n' };
    const query: WireRequest['query'] = {
      $expr: { $gte: [{ $convert: { input: field, to: 'int' } }, { $literal: 1 }] },
    };
    assert.equal((await aggregate(storage, { query })).count, 1);
  });
}

const OP: FacetField = { kind: 'text', column: 'op_name' };

const NO_TOKENS = {
  plainPrompt: 0,
  cacheRead: 0,
  cacheWrite: 0,
  plainCompletion: 0,
  reasoning: 0,
  requests: 0,
  total: 0,
};

function facetOf(field: FacetField) {
  return { field, limit: 10 };
}

function usageOf(usage: object): string {
  return JSON.stringify({ usage });
}

/** Calls by model, whoever was asked. */
function callsOf({ models }: CallAggregate): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const each of models) calls[each.model] = (calls[each.model] ?? 0) + each.calls;
  return calls;
}

function shortOf({ count, errors, running, tokens }: CallAggregate): number[] {
  return [count, errors, running, tokens.total];
}

/** The overviews of a storage, or a failed check. */
export function overviewsIn({ overviews }: Storage): OverviewReader {
  assert(overviews, 'the storage has no overviews');
  return overviews;
}

async function aggregate(
  storage: Storage,
  request: WireRequest = {},
  more: Partial<AggregatePlan> = {},
): Promise<CallAggregate> {
  const selection = selectionOf({ project_id: PROJECT, ...request });
  return await overviewsIn(storage).aggregate({ ...selection, ...more });
}
