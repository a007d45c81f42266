import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { CostCounts } from '../../src/server/metrics/cost-counts.ts';
import { endedUsageOf } from '../../src/server/ingest/calls/ended-usage.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { CallFact, StoredCall } from '../../src/storage/contract/calls.ts';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const IN_2026 = '2026-01-01T00:00:00Z';
const asked = { requests: 1, input_tokens: 1000, output_tokens: 100 };

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Samples of our cost metrics by name and labels. */
async function scrape(server: RunningServer): Promise<Record<string, number>> {
  const { status, text } = await server.get('/metrics');
  expect(status).toBe(200);
  const lines = text.split('\n').filter((line) => /^spoor_(?:cost|unpriced)/.test(line));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

const cost = (provider: string, model: string, currency = 'USD') =>
  `spoor_cost_total{provider="${provider}",model="${model}",currency="${currency}"}`;

const started = (id: string, parent_id: string | null, fields: object = {}) => ({
  mode: 'start',
  req: { start: { project_id: PROJECT, id, op_name: 'f', trace_id: 't', parent_id, started_at: IN_2026, ...fields } },
});
const ended = (id: string, usage: object) => ({
  mode: 'end',
  req: { end: { project_id: PROJECT, id, ended_at: IN_2026, summary: { usage } } },
});

test.each(ENGINES)('what traces cost is counted once, by provider, model and currency, on %s', async (storage) => {
  const server = await start({ storage });
  const own = { mine: { prompt_token_cost: 0.5, completion_token_cost: 1, completion_token_cost_unit: 'EUR' } };
  await server.post('/cost/create', { project_id: PROJECT, costs: own });
  const batch = [
    started('r1', null),
    started('r2', 'r1', { attributes: { provider: 'openai' } }),
    ended('r2', { 'gpt-4o-2024-08-06': asked }),
    ended('r1', { 'gpt-4o-2024-08-06': asked, mine: { input_tokens: 3, output_tokens: 2 }, 'nobody"s\n': asked }),
    started('r3', null),
    ended('r3', {}),
  ];
  await server.post('/call/upsert_batch', { batch });
  const expected = {
    [cost('openai', 'gpt-4o')]: 0.0035,
    [cost('project', 'project')]: 1.5,
    [cost('project', 'project', 'EUR')]: 2,
    spoor_unpriced_tokens_total: 1100,
    spoor_cost_uncounted_calls_total: 0,
  };
  expect(await scrape(server)).toEqual(expected);
  // What is sent again, or scraped again, costs nothing more.
  await server.post('/call/upsert_batch', { batch });
  await Promise.all([scrape(server), scrape(server)]);
  expect(await scrape(server)).toEqual(expected);
});

test('an end that comes before its start is counted when the start is there', async () => {
  const server = await start();
  await server.post('/call/upsert_batch', { batch: [ended('r1', { 'gpt-4o': asked })] });
  expect(await scrape(server)).toEqual({ spoor_unpriced_tokens_total: 0, spoor_cost_uncounted_calls_total: 0 });
  await server.post('/call/upsert_batch', { batch: [started('r1', null)] });
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.0035 });
  await server.post('/call/upsert_batch', { batch: [ended('r9', { 'gpt-4o': asked })] });
  await scrape(server);
  expect(await scrape(server)).toMatchObject({ spoor_cost_uncounted_calls_total: 1 });
});

const span = (spanId: string, parentSpanId: string, tokens?: number) => ({
  traceId: '1'.repeat(32),
  spanId: spanId.padStart(16, '0'),
  parentSpanId: parentSpanId && parentSpanId.padStart(16, '0'),
  name: 'span',
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225600000000000',
  attributes: [
    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
    ...(tokens === undefined ? [] : [{ key: 'gen_ai.usage.input_tokens', value: { intValue: tokens } }]),
  ],
});
const sendTo = async (server: RunningServer, ...spans: object[]) =>
  await server.post('/otel/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] }, { project_id: PROJECT });

test('spans, whose producers add nothing up, are counted with the trace, and sums of their own not twice', async () => {
  const server = await start();
  await sendTo(server, span('3', '2', 1000), span('2', '1', 1000));
  expect(await scrape(server)).not.toHaveProperty(cost('openai', 'gpt-4o'));
  await sendTo(server, span('4', '1', 1000), span('1', ''));
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.005 });
});

test('spans that come after their root, beside another root, or without any are counted, and each once', async () => {
  const server = await start();
  const dollars = async () => (await scrape(server))[cost('openai', 'gpt-4o')];
  await sendTo(server, span('1', ''));
  await scrape(server);
  for (const [count, late] of [span('2', '1', 1000), span('3', '', 1000), span('4', '9', 1000)].entries()) {
    await sendTo(server, late);
    expect(await dollars()).toBeCloseTo(0.0025 * (count + 1), 9);
  }
  await sendTo(server, span('2', '1', 1000), span('1', ''));
  expect(await dollars()).toBeCloseTo(0.0075, 9);
  // What its producer adds up later is less than what was counted.
  await sendTo(server, { ...span('6', '7', 1000), traceId: '2'.repeat(32) });
  await scrape(server);
  expect(await dollars()).toBeCloseTo(0.01, 9);
  await sendTo(server, { ...span('7', '', 900), traceId: '2'.repeat(32) });
  expect(await dollars()).toBeCloseTo(0.01, 9);
});

test('calls and spans of one trace are counted each once, whichever is above and ends first', async () => {
  const server = await start();
  const dollars = async () => (await scrape(server))[cost('openai', 'gpt-4o')];
  const trace_id = '1'.repeat(32);
  const used = { 'gpt-4o': { input_tokens: 1000 } };
  const below = [started('b', 'a', { trace_id }), ended('b', used)];
  await server.post('/call/upsert_batch', { batch: [started('a', null, { trace_id }), ...below] });
  await sendTo(server, span('2', '', 1000));
  expect(await dollars()).toBeCloseTo(0.0025, 9);
  await server.post('/call/upsert_batch', { batch: [ended('a', used)] });
  expect(await dollars()).toBeCloseTo(0.005, 9);
  await server.post('/call/upsert_batch', {
    batch: [started('c', span('2', '').spanId, { trace_id }), ended('c', used)],
  });
  await sendTo(server, span('4', '2', 1000));
  await scrape(server);
  expect(await dollars()).toBeCloseTo(0.005, 9);
  // The end that comes last counts: without usage of its own the span covers nothing.
  await sendTo(server, span('2', ''));
  expect(await dollars()).toBeCloseTo(0.0075, 9);
});

test('what is beyond the calls of a trace that are looked at is said, once', async () => {
  const server = await start();
  const spans = Array.from({ length: 1200 }, (_value, index) => span(String(index + 2), '1', 1000));
  await sendTo(server, span('1', ''), ...spans);
  const counted = await scrape(server);
  expect(counted['spoor_cost_uncounted_calls_total']).toBe(201);
  expect(counted[cost('openai', 'gpt-4o')]).toBeGreaterThan(0.0025 * 998);
  await sendTo(server, ...spans.slice(0, 9));
  expect(await scrape(server)).toEqual(counted);
});

test('what nobody asks for is bounded', async () => {
  const server = await start();
  for (let batch = 0; batch < 6; batch += 1) {
    const ids = Array.from({ length: 1000 }, (_value, index) => `${batch}-${index}`);
    const items = ids.flatMap((id) => [started(id, null), ended(id, { 'gpt-4o': { input_tokens: 1000 } })]);
    await server.post('/call/upsert_batch', { batch: items });
    await server.post('/call/upsert_batch', { batch: ids.map((id) => ended(`x${id}`, { m: {} })) });
  }
  // A scrape has little time, and leaves the rest to the next ones.
  await vi.waitFor(async () => {
    expect((await scrape(server))[cost('openai', 'gpt-4o')]).toBeCloseTo(0.0025 * 5000, 6);
  }, 60_000);
  await vi.waitFor(async () => {
    // Those that did not find room, and those whose starts never came.
    expect((await scrape(server))['spoor_cost_uncounted_calls_total']).toBe(2000 + 5000);
  }, 60_000);
});

const call = (id: string, usage: object, fields: object = {}) => [started(id, null, fields), ended(id, usage)];

/** Roots that have ended, counted from a storage whose reads go through `watch`. */
async function countsOf(
  roots: number,
  watch: (calls: AsyncIterable<readonly StoredCall[]>) => AsyncIterable<readonly StoredCall[]>,
) {
  const storage = openMemoryStorage();
  const usage = '{"usage":{"m":{"input_tokens":1}}}';
  const ids = Array.from({ length: roots }, (_value, index) => `r${index}`);
  const common = { project_id: PROJECT, display_name: null, svc_run_step: null, svc_run_step_end: null };
  const startOnly = { op_name: 'f', trace_id: null, parent_id: null, thread_id: null, turn_id: null, started_at: 0 };
  const bodies = { attributes: '{}', inputs: '{}', otel_dump: '{}', input_refs: [], svc_user_id: '', svc_run_id: null };
  const endOnly = { ended_at: 1, exception: null, output: null, output_refs: [], summary: usage, revision: 0 };
  const facts = ids.flatMap((id): CallFact[] => [
    { ...common, ...startOnly, ...bodies, kind: 'start', id, fallback_trace_id: `t${id}` },
    { ...common, ...endOnly, kind: 'end', id },
  ]);
  const { calls } = storage;
  const query: typeof calls.query = (plan, options) => watch(calls.query(plan, options));
  const read = { query, count: calls.count.bind(calls) } as typeof calls;
  const counts = new CostCounts(
    { calls: read, costs: storage.costs },
    { listed: new Map(), bundled: async () => undefined },
    fail,
  );
  await calls.write(facts);
  return { counts, facts, ids };
}
const fail = (error: unknown) => {
  throw error;
};

test('of what was read nothing is held, however much is read together', async () => {
  // Its little time does not run out on a slow machine.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const held: WeakRef<StoredCall>[] = [];
  let most = 0;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { counts, ids } = await countsOf(100, async function* (calls) {
    for await (const chunk of calls) {
      for (const each of chunk) {
        const copy = { ...each };
        held.push(new WeakRef(copy));
        yield [copy];
        await setImmediate();
        if (held.length % 50 === 0) collect();
        most = Math.max(most, held.filter((one) => one.deref() !== undefined).length);
      }
    }
  });
  counts.note(ids.map((id) => ({ projectId: PROJECT, kind: 'call', id })));
  await counts.catchUp();
  expect(counts.tally.unpricedTokens).toBe(100);
  expect(held.length).toBeGreaterThanOrEqual(200);
  expect(most).toBeLessThan(80);
});

test('a scrape has little time, and leaves the rest to the next ones', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { counts, facts } = await countsOf(20, (calls) => {
    vi.advanceTimersByTime(500);
    return calls;
  });
  counts.note(endedUsageOf(facts));
  const counted = [];
  for (let round = 0; round < 6; round += 1) {
    await Promise.all([counts.catchUp(), counts.catchUp(), counts.catchUp()]);
    counted.push(counts.tally.unpricedTokens);
  }
  expect(counted).toEqual([4, 8, 12, 16, 20, 20]);
});

test('what is sent again while it is being counted counts once', async () => {
  const storage = openMemoryStorage();
  const gate = new EventEmitter();
  const [reading, opened] = [once(gate, 'reading'), once(gate, 'opened')];
  const { calls } = storage;
  const query: typeof calls.query = async function* (plan, options) {
    gate.emit('reading');
    await opened;
    yield* calls.query(plan, options);
  };
  const slow = { write: calls.write.bind(calls), query } as typeof calls;
  const server = await start({ storage: { ...storage, calls: slow } });
  const batch = call('r1', { 'gpt-4o': asked });
  await server.post('/call/upsert_batch', { batch });
  const first = scrape(server);
  await reading;
  await server.post('/call/upsert_batch', { batch });
  gate.emit('opened');
  await first;
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.0035 });
});

test.each([-4_000_000, 1e308, -1e308])(
  'a call of %d tokens adds nothing, and is said not to be counted',
  async (tokens) => {
    const server = await start();
    const usage = { 'gpt-4o': { input_tokens: tokens }, unknown: { input_tokens: tokens } };
    await server.post('/call/upsert_batch', { batch: [...call('r1', { 'gpt-4o': asked }), ...call('r2', usage)] });
    expect(await scrape(server)).toEqual({
      [cost('openai', 'gpt-4o')]: 0.0035,
      spoor_unpriced_tokens_total: 0,
      spoor_cost_uncounted_calls_total: 1,
    });
  },
);

test('a call below one of another service counts by itself, and one below a call that runs does not', async () => {
  const server = await start();
  await server.post('/call/upsert_batch', { batch: [started('near', 'elsewhere'), started('far', 'r1')] });
  const batch = [started('r1', null), ended('near', { 'gpt-4o': asked }), ended('far', { 'gpt-4o': asked })];
  await server.post('/call/upsert_batch', { batch });
  await scrape(server);
  const expected = { [cost('openai', 'gpt-4o')]: 0.0035, spoor_cost_uncounted_calls_total: 0 };
  expect(await scrape(server)).toMatchObject(expected);
  await server.post('/call/upsert_batch', { batch });
  expect(await scrape(server)).toMatchObject(expected);
});

test.each(ENGINES)('a call below others that ended without usage counts by itself, on %s', async (storage) => {
  const server = await start({ storage });
  const million = { 'gpt-4o-2024-08-06': { prompt_tokens: 1_000_000, completion_tokens: 100_000 } };
  const batch = [
    ...call('root', {}),
    ...call('middle', {}, { parent_id: 'root' }),
    ...call('near', million, { parent_id: 'root' }),
    ...call('far', million, { parent_id: 'middle' }),
    // This one is in the sums of the one above it.
    ...call('lower', million, { parent_id: 'far' }),
  ];
  await server.post('/call/upsert_batch', { batch });
  await scrape(server);
  const expected = { [cost('openai', 'gpt-4o')]: 7, spoor_cost_uncounted_calls_total: 0 };
  expect(await scrape(server)).toMatchObject(expected);
  await server.post('/call/upsert_batch', { batch });
  await scrape(server);
  expect(await scrape(server)).toMatchObject(expected);
});

test('a call below one that runs waits for its end, and is said not to be counted when that never comes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await start();
  const dollars = async () => (await scrape(server))[cost('openai', 'gpt-4o')];
  const uncounted = async () => (await scrape(server))['spoor_cost_uncounted_calls_total'];
  const used = { 'gpt-4o': asked };
  const running = ['sums', 'silent', 'lost'].flatMap((id) => [
    started(id, null),
    ...call(`below-${id}`, used, { parent_id: id }),
  ]);
  await server.post('/call/upsert_batch', { batch: running });
  for (let round = 0; round < 3; round++) expect(await dollars()).toBeUndefined();
  await server.post('/call/upsert_batch', { batch: [ended('sums', used), ended('silent', {})] });
  expect(await dollars()).toBeCloseTo(0.0035, 9);
  expect(await dollars()).toBeCloseTo(0.007, 9);
  expect(await uncounted()).toBe(0);
  vi.advanceTimersByTime(3_600_001);
  expect(await uncounted()).toBe(1);
  expect(await uncounted()).toBe(1);
  expect(await dollars()).toBeCloseTo(0.007, 9);
});

test('of calls that wait for what runs above them only so many are kept', async () => {
  const server = await start();
  for (let batch = 0; batch < 6; batch += 1) {
    const ids = Array.from({ length: 1000 }, (_value, index) => `${batch}-${index}`);
    const items = ids.flatMap((id) => call(id, { 'gpt-4o': asked }, { parent_id: 'root' }));
    await server.post('/call/upsert_batch', { batch: [started('root', null), ...items] });
  }
  await vi.waitFor(async () => {
    expect((await scrape(server))['spoor_cost_uncounted_calls_total']).toBe(1000);
  }, 60_000);
});

test('of a call with very many models the first are counted, and the call is said not to be whole', async () => {
  const server = await start();
  const others = Object.fromEntries(Array.from({ length: 300 }, (_value, index) => [`m${index}`, { input_tokens: 1 }]));
  await server.post('/call/upsert_batch', { batch: call('r1', { 'gpt-4o': asked, ...others }) });
  expect(await scrape(server)).toEqual({
    [cost('openai', 'gpt-4o')]: 0.0035,
    spoor_unpriced_tokens_total: 99,
    spoor_cost_uncounted_calls_total: 1,
  });
});

test.each(ENGINES)('what a large batch ended is counted too, which another thread reads, on %s', async (storage) => {
  const server = await start({ storage });
  const wide = { inputs: { text: 'x'.repeat(5 * 2 ** 20) } };
  const batch = [started('r1', null, wide), ended('r1', { 'gpt-4o-2024-08-06': asked })];
  expect((await server.post('/call/upsert_batch', { batch })).status).toBe(200);
  expect(await scrape(server)).toMatchObject({ [cost('openai', 'gpt-4o')]: 0.0035 });
});
