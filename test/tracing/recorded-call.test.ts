import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseDateTime } from '../../src/protocol/values/date-time.ts';
import { current } from '../../src/tracing/propagation/context.ts';
import { writeLateSummaries } from '../../src/tracing/record/late-summary.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const root = traced(<Result>(fn: () => Result): Result => fn(), { name: 'root', inputs: false, output: false });

test('ids are UUIDv7, trace ids are 32 digits, times have microseconds', () => {
  root(() => root(() => 1));
  const [outer, inner] = recording.calls();
  expect(outer?.start.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(outer?.start.trace_id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  expect(outer?.start.started_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const times = [outer?.start.started_at, inner?.start.started_at, inner?.end?.ended_at, outer?.end?.ended_at];
  const micros = times.map((time) => parseDateTime(time ?? '') ?? Number.NaN);
  expect(micros).toEqual(micros.toSorted((a, b) => a - b));
});

test('records say which bytes they take, and are written at once', () => {
  root(() => {
    expect(recording.records.map(({ kind }) => kind)).toEqual(['start']);
  });
  expect(recording.records.map(({ kind }) => kind)).toEqual(['start', 'end']);
  const big = traced((text: string) => text, { name: 'big' });
  big('x'.repeat(10_000));
  for (const record of recording.records.slice(2)) {
    const size = JSON.stringify(record).length;
    expect(record.bytes).toBeGreaterThan(size * 0.8);
    expect(record.bytes).toBeLessThan(size * 1.3);
  }
});

test('records are no literals, as V8 would make all of them in old space once some have waited', () => {
  root(() => 1);
  const parts = recording.records.flatMap((record) => [record, record.kind === 'start' ? record.start : record.end]);
  expect(parts).toHaveLength(4);
  for (const part of parts) expect(Object.getPrototypeOf(part)).not.toBe(Object.prototype);
  const [start, end] = recording.records.map((record) => (record.kind === 'start' ? record.start : record.end));
  expect(Object.keys(start ?? {})).toEqual([
    'project_id',
    'id',
    'op_name',
    'trace_id',
    'started_at',
    'attributes',
    'inputs',
  ]);
  expect(Object.keys(end ?? {})).toEqual(['project_id', 'id', 'ended_at', 'output', 'summary']);
});

test('roots alone say what process they are of', () => {
  recording = startRecording({ attributes: { environment: 'test' } });
  root(() => root(() => 1));
  const [outer, inner] = recording.calls();
  expect(outer?.start.attributes).toMatchObject({
    environment: 'test',
    svc: { client_version: expect.any(String), source: 'js-sdk', os_name: process.platform },
  });
  expect(inner?.start.attributes).toEqual({});
});

test('status counts and usage of descendants are added up in their parents', async () => {
  const model = traced(
    async (tokens: number) => {
      current().usage('m', { input: tokens, output: 1, cacheRead: 2, raw: { prompt: tokens } });
      await Promise.resolve();
      if (tokens === 3) throw new Error('limit');
    },
    { name: 'model' },
  );
  await root(async () => {
    await root(() => model(1));
    await Promise.allSettled([model(2), model(3)]);
  });
  const [outer, , first] = recording.calls();
  expect(first?.end?.summary).toEqual({
    status_counts: { success: 1, error: 0 },
    usage: { m: { requests: 1, input_tokens: 1, output_tokens: 1, total_tokens: 4, cache_read_tokens: 2 } },
    raw_usage: { m: { prompt: 1 } },
  });
  expect(outer?.end?.summary).toEqual({
    status_counts: { success: 4, error: 1 },
    usage: { m: { requests: 3, input_tokens: 6, output_tokens: 3, total_tokens: 15, cache_read_tokens: 6 } },
  });
});

test('a child that ends after its parent is counted by all above it, in one more end each', async () => {
  const late = traced(() => new Promise<void>((resolve) => setImmediate(resolve)), { name: 'late' });
  let pending: Promise<unknown> = Promise.resolve();
  root(() => {
    root(() => {
      pending = Promise.all([late(), late()]);
      return 'parent';
    });
  });
  expect(recording.calls().map(({ end }) => end?.summary?.['status_counts'])).toEqual([
    { success: 2, error: 0 },
    { success: 1, error: 0 },
    undefined,
    undefined,
  ]);
  await pending;
  const before = recording.records.length;
  writeLateSummaries();
  expect(recording.records.length - before).toBe(2);
  expect(recording.calls().map(({ end }) => end?.summary?.['status_counts'])).toEqual([
    { success: 4, error: 0 },
    { success: 3, error: 0 },
    { success: 1, error: 0 },
    { success: 1, error: 0 },
  ]);
});

test('ends of a call after the first one are numbered, as they may arrive in another order', () => {
  const call = root(() => current());
  const revision = () => recording.call('root').end?.summary?.['end_revision'];
  expect(revision()).toBeUndefined();
  for (const [index, say] of [() => call.set({ a: 1 }), () => call.name('b'), () => call.usage('m', {})].entries()) {
    say();
    writeLateSummaries();
    expect(revision()).toBe(index + 1);
  }
});

test('late sums are written by themselves', async () => {
  const late = traced(() => new Promise<void>((resolve) => setImmediate(resolve)), { name: 'late' });
  let pending: Promise<unknown> = Promise.resolve();
  root(() => void (pending = late()));
  await pending;
  const isThere = () => JSON.stringify(recording.call('root').end?.summary).includes('"success":2');
  await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
});

test('attributes, names and tokens that are known late come with the end', () => {
  const call = root(() => {
    const handle = current();
    handle.set({ hits: 3, apiKey: 'sk-should-not-be-seen' });
    handle.name('Searched');
    return handle;
  });
  expect(recording.call('root').end).toMatchObject({
    display_name: 'Searched',
    summary: { attributes: { hits: 3, apiKey: '[masked]' } },
  });
  call.set({ after: true });
  call.name('Changed');
  call.usage('m', { output: 5 });
  writeLateSummaries();
  expect(recording.call('root').end).toMatchObject({
    display_name: 'Changed',
    summary: { attributes: { hits: 3, after: true }, usage: { m: { output_tokens: 5 } } },
  });
});

test('mutating arguments and results afterwards does not change what was recorded', () => {
  const change = traced(
    (list: number[]) => {
      list.push(2);
      return list;
    },
    { name: 'change', args: ['list'] },
  );
  change([1]).push(3);
  const { start, end } = recording.call('change');
  expect([start.inputs, end?.output]).toEqual([{ list: [1] }, [1, 2]]);
});
