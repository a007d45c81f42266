import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { current } from '../../src/tracing/propagation/context.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const leaf = traced((value: number) => value, { name: 'leaf' });

test('a generator is lazy, keeps its class and its values, and its body is the parent of what it calls', () => {
  let hasStarted = false;
  function* count(to: number): Generator<number, string> {
    hasStarted = true;
    for (let value = 0; value < to; value++) yield leaf(value);
    return 'done';
  }
  const run = traced(count, { name: 'count' });
  const generator = run(2);
  expect(hasStarted).toBe(false);
  expect(generator).toBeInstanceOf(count);
  expect(Object.keys(generator)).toEqual([]);
  const values: number[] = [];
  const reader = traced(
    () => {
      for (const value of generator) values.push(leaf(value));
    },
    { name: 'reader' },
  );
  reader();
  expect(values).toEqual([0, 1]);
  expect(treeOf(recording)).toEqual(['count(leaf, leaf)', 'reader(leaf, leaf)']);
  const { end } = recording.call('count');
  expect(end?.output).toEqual({ yielded: [0, 1], returned: 'done' });
  expect(end?.summary).toMatchObject({ stream: { chunks: 2, first_chunk_ms: expect.any(Number), reason: 'end' } });
});

test('next, return and throw are forwarded', () => {
  const seen: unknown[] = [];
  const talk = traced(function* (): Generator<string, string, unknown> {
    try {
      seen.push(yield 'a');
      yield 'b';
    } catch (error) {
      seen.push(error);
      yield 'caught';
    } finally {
      seen.push('finally');
    }
    return 'end';
  });
  const first = talk();
  expect([first.next(), first.next('hello'), first.throw('oops'), first.next()]).toEqual([
    { done: false, value: 'a' },
    { done: false, value: 'b' },
    { done: false, value: 'caught' },
    { done: true, value: 'end' },
  ]);
  expect(seen).toEqual(['hello', 'oops', 'finally']);
  const second = talk();
  second.next();
  expect(second.return('early')).toEqual({ done: true, value: 'early' });
  expect(seen.at(-1)).toBe('finally');
});

test('an early break ends the call with what was yielded', () => {
  const count = traced(
    function* () {
      yield 1;
      yield 2;
      yield 3;
    },
    { name: 'count' },
  );
  for (const value of count()) if (value === 2) break;
  const { end } = recording.call('count');
  expect(end?.output).toEqual([1, 2]);
  expect(end?.summary).toMatchObject({ stream: { chunks: 2, reason: 'break' }, status_counts: { success: 1 } });
});

test('a generator that throws ends the call with its exception and what it had yielded', () => {
  const error = new Error('dry');
  const fail = traced(
    function* () {
      yield 1;
      throw error;
    },
    { name: 'fail' },
  );
  expect(() => [...fail()]).toThrow(error);
  const { end } = recording.call('fail');
  expect(end?.exception).toMatch(/^Error: dry/);
  expect(end?.output).toEqual([1]);
  expect(end?.summary).toMatchObject({ stream: { reason: 'error' }, status_counts: { error: 1 } });
});

test('an async generator is observed like a sync one, through timers', async () => {
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const count = traced(
    async function* (to: number) {
      for (let value = 0; value < to; value++) {
        await tick();
        yield leaf(value);
      }
    },
    { name: 'count' },
  );
  const values: number[] = [];
  for await (const value of count(3)) values.push(value);
  expect(values).toEqual([0, 1, 2]);
  expect(treeOf(recording)).toEqual(['count(leaf, leaf, leaf)']);
  expect(recording.call('count').end?.output).toEqual([0, 1, 2]);
});

test('parallel next() of an async generator answer in order', async () => {
  const count = traced(async function* () {
    for (let value = 0; value < 3; value++) {
      await Promise.resolve();
      yield value;
    }
  });
  const generator = count();
  const results = await Promise.all([generator.next(), generator.next(), generator.next(), generator.next()]);
  expect(results.map(({ value }) => value)).toEqual([0, 1, 2, undefined]);
});

test('a break out of an async generator runs its finally and ends the call', async () => {
  let isClosed = false;
  const count = traced(
    async function* () {
      try {
        for (let value = 0; ; value++) yield value;
      } finally {
        isClosed = true;
      }
    },
    { name: 'count' },
  );
  for await (const value of count()) if (value === 1) break;
  expect(isClosed).toBe(true);
  expect(recording.call('count').end?.summary).toMatchObject({ stream: { chunks: 2, reason: 'break' } });
});

test('current() in a generator body is its call, and not outside', () => {
  const ids: string[] = [];
  const count = traced(
    function* () {
      ids.push(current().id);
      yield 1;
    },
    { name: 'count' },
  );
  for (const _ of count()) expect(current().isRecording).toBe(false);
  expect(ids).toEqual([recording.call('count').start.id]);
});

test('a generator that is never read ends as abandoned when nobody can read it any more', async () => {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const count = traced(
    function* () {
      yield 1;
    },
    { name: 'count' },
  );
  (() => void count())();
  for (let round = 0; round < 100 && recording.call('count').end === undefined; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(recording.call('count').end?.summary).toMatchObject({ stream: { chunks: 0, reason: 'abandoned' } });
});

test('aggregate makes the output, and usage sees it', async () => {
  const stream = traced(
    async function* () {
      yield { text: 'Hel', tokens: 1 };
      yield { text: 'lo', tokens: 2 };
    },
    {
      name: 'stream',
      aggregate: (chunks: { text: string; tokens: number }[]) => ({
        text: chunks.map(({ text }) => text).join(''),
        tokens: chunks.reduce((sum, { tokens }) => sum + tokens, 0),
      }),
      usage: ({ tokens }: { tokens: number }) => ({ model: 'm', output: tokens }),
    },
  );
  for await (const chunk of stream()) expect(chunk.text).toBeTypeOf('string');
  const { end } = recording.call('stream');
  expect(end?.output).toEqual({ text: 'Hello', tokens: 3 });
  expect(end?.summary).toMatchObject({ usage: { m: { output_tokens: 3 } } });
});

test('of a long stream beginning and end are kept', () => {
  const count = traced(
    function* () {
      for (let value = 0; value < 25_000; value++) yield value;
    },
    { name: 'count' },
  );
  for (const _ of count());
  const { end } = recording.call('count');
  const output = end?.output as unknown[];
  expect(output).toHaveLength(10_001);
  expect([output[0], output[4_999], output[5_000], output[5_001], output.at(-1)]).toEqual([
    0,
    4_999,
    '…[15000 more of 25000 chunks]',
    20_000,
    24_999,
  ]);
  expect(end?.summary).toMatchObject({ stream: { chunks: 25_000 } });
});

test('an async function that returns a generator ends when that is read', async () => {
  const open = traced(
    async () => {
      await Promise.resolve();
      return (function* () {
        yield 1;
      })();
    },
    { name: 'open' },
  );
  const generator = await open();
  expect(recording.call('open').end).toBeUndefined();
  expect([...generator]).toEqual([1]);
  expect(recording.call('open').end?.output).toEqual([1]);
});

test('an object that hands out async iterators stays itself and ends its call when it is read', async () => {
  class Answer {
    readonly model = 'm';
    async *[Symbol.asyncIterator](): AsyncGenerator<string> {
      yield 'a';
      leaf(1);
      yield 'b';
    }
  }
  const answer = new Answer();
  const ask = traced(async () => answer, { name: 'ask' });
  const stream = await ask();
  expect(stream).toBe(answer);
  expect(recording.call('ask').end).toBeUndefined();
  const chunks: string[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  for await (const _ of stream);
  expect(chunks).toEqual(['a', 'b']);
  expect(treeOf(recording)[0]).toMatch(/^ask\(leaf/);
  expect(recording.call('ask').end).toMatchObject({ output: ['a', 'b'], summary: { stream: { chunks: 2 } } });
});

test('an iterator that hands out itself counts each chunk once, however often it is asked', async () => {
  let next = 0;
  const numbers = {
    next: async () => ({ done: next === 3, value: next++ }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const open = traced(() => numbers, { name: 'open' });
  for await (const value of open()) if (value === 0) break;
  for await (const value of numbers) expect(value).toBeGreaterThan(0);
  expect(recording.call('open').end?.summary).toMatchObject({ stream: { chunks: 3, reason: 'end' } });
});
