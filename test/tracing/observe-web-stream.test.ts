import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const leaf = traced((value: number) => value, { name: 'leaf' });
const tick = () => new Promise((resolve) => setImmediate(resolve));
const end = () => recording.call('open').end;

interface Source {
  readonly stream: ReadableStream<number>;
  readonly pulls: number[];
  readonly cancelled: unknown[];
}

/** Hands out 0, 1, 2 …, one per pull, without a buffer of its own. */
function source(count: number, failure?: Error): Source {
  const pulls: number[] = [];
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<number>(
    {
      pull(controller) {
        const next = pulls.length;
        pulls.push(next);
        if (next < count) controller.enqueue(leaf(next));
        else if (failure) controller.error(failure);
        else controller.close();
      },
      cancel: (reason) => void cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, pulls, cancelled };
}

const open = traced(<Stream>(stream: Stream): Stream => stream, { name: 'open', inputs: false });

async function readAll(stream: ReadableStream<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test('a stream stays the same object, unlocked and unread', async () => {
  const { stream, pulls } = source(3);
  const opened = open(stream);
  expect(opened).toBe(stream);
  await tick();
  expect({ pulls, isLocked: stream.locked, keys: Object.keys(stream) }).toEqual({
    pulls: [],
    isLocked: false,
    keys: [],
  });
  expect(end()).toBeUndefined();
});

test('reading it ends the call with its chunks, and what its source calls hangs below', async () => {
  const reader = traced(() => source(2).stream, { name: 'open' })().getReader();
  expect(await reader.read()).toEqual({ done: false, value: 0 });
  expect(await reader.read()).toEqual({ done: false, value: 1 });
  expect(end()).toBeUndefined();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
  expect(end()).toMatchObject({
    output: [0, 1],
    summary: { stream: { chunks: 2, first_chunk_ms: expect.any(Number) as number, reason: 'end' } },
  });
  expect(treeOf(recording)).toEqual(['open(leaf, leaf)']);
});

test('one read pulls once', async () => {
  const { stream, pulls } = source(9);
  const reader = open(stream).getReader();
  await reader.read();
  await reader.read();
  await tick();
  expect(pulls).toEqual([0, 1]);
});

test('for await reads it, and break cancels the source', async () => {
  const { stream, cancelled } = source(9);
  for await (const chunk of open(stream)) if (chunk === 1) break;
  expect(cancelled).toEqual([undefined]);
  expect(end()).toMatchObject({ output: [0, 1], summary: { stream: { reason: 'break' } } });
  expect(stream.locked).toBe(false);
});

test('a source that fails ends the call with that error, which the user gets', async () => {
  const error = new Error('dry');
  await expect(readAll(open(source(1, error).stream))).rejects.toBe(error);
  expect(end()).toMatchObject({
    output: [0],
    exception: expect.stringMatching(/^Error: dry/) as string,
    summary: { stream: { reason: 'error' } },
  });
});

test('cancel reaches the source with its reason, from the stream and from a reader', async () => {
  const first = source(9);
  await open(first.stream).cancel('enough');
  expect([first.cancelled, end()?.summary]).toMatchObject([['enough'], { stream: { chunks: 0, reason: 'cancel' } }]);
  const second = source(9);
  const reader = traced(() => second.stream, { name: 'again' })().getReader();
  await reader.read();
  await reader.cancel('thanks');
  expect(second.cancelled).toEqual(['thanks']);
  expect(recording.call('again').end).toMatchObject({ output: [0], summary: { stream: { reason: 'cancel' } } });
});

test('cancel is refused while somebody reads, and the call goes on', async () => {
  const { stream, cancelled } = source(1);
  open(stream);
  const reader = stream.getReader();
  await expect(stream.cancel()).rejects.toThrow(TypeError);
  expect([cancelled, end()]).toEqual([[], undefined]);
  await reader.read();
  await reader.read();
  expect(end()?.output).toEqual([0]);
});

test('a reader that is let go leaves the rest to the next one', async () => {
  let push: (value: number) => void = () => undefined;
  const stream = new ReadableStream<number>({
    start(controller) {
      push = (value) => controller.enqueue(value);
    },
  });
  const reader = open(stream).getReader();
  const waiting = reader.read();
  reader.releaseLock();
  await expect(waiting).rejects.toThrow(TypeError);
  expect(end()).toBeUndefined();
  push(7);
  const next = stream.getReader();
  expect(await next.read()).toEqual({ done: false, value: 7 });
  await next.cancel();
  expect(end()?.output).toEqual([7]);
});

test('a reader that was let go cannot cancel, and the call goes on', async () => {
  const { stream, cancelled } = source(2);
  const reader = open(stream).getReader();
  await reader.read();
  reader.releaseLock();
  await expect(reader.cancel()).rejects.toThrow(TypeError);
  expect([cancelled, end()]).toEqual([[], undefined]);
  expect(await readAll(stream)).toEqual([1]);
  expect(end()).toMatchObject({ output: [0, 1], summary: { stream: { reason: 'end' } } });
});

test('a source that fails while nobody asks for a chunk ends the call', async () => {
  let fail: (error: Error) => void = () => undefined;
  const stream = new ReadableStream<number>({
    start(controller) {
      fail = (error) => controller.error(error);
    },
  });
  const reader = open(stream).getReader();
  fail(new Error('dry'));
  await expect(reader.closed).rejects.toThrow('dry');
  expect(end()?.exception).toMatch(/^Error: dry/);
});

test('a stream that only looks like one is read as it is', async () => {
  const results = [{ done: false, value: 'a' }, { done: true }];
  const double = {
    [Symbol.asyncIterator]: () => double.getReader(),
    getReader: () => ({ read: async () => results.shift(), next: () => results.shift(), cancel: () => 'cancelled' }),
    tee: () => [],
    cancel: () => undefined,
  };
  const reader = open(double).getReader();
  expect([await reader.read(), await reader.read(), reader.cancel()]).toEqual([
    { done: false, value: 'a' },
    { done: true },
    'cancelled',
  ]);
  expect(end()).toMatchObject({ output: ['a'], summary: { stream: { reason: 'end' } } });
});

test('an iterator that reads by a reader counts each chunk once', async () => {
  const { stream } = source(2);
  Object.assign(stream, {
    [Symbol.asyncIterator]() {
      const reader = stream.getReader();
      return {
        next: async () => await reader.read(),
        async return() {
          await reader.cancel();
          return { done: true, value: undefined };
        },
      };
    },
  });
  expect(await readAll(open(stream))).toEqual([0, 1]);
  expect(end()).toMatchObject({ output: [0, 1], summary: { stream: { chunks: 2, reason: 'end' } } });
});

test('of both branches of tee each chunk counts once', async () => {
  const [left, right] = open(source(2).stream).tee();
  expect(await readAll(left)).toEqual([0, 1]);
  expect(await readAll(right)).toEqual([0, 1]);
  expect(end()).toMatchObject({ output: [0, 1], summary: { stream: { chunks: 2, reason: 'end' } } });
});

test('branches of tee that are read in turns count each chunk once, too', async () => {
  const [left, right] = open(source(2).stream).tee();
  const readers = [left.getReader(), right.getReader()];
  for (let turn = 0; turn < 3; turn++) for (const reader of readers) await reader.read();
  expect(end()).toMatchObject({ output: [0, 1], summary: { stream: { chunks: 2, reason: 'end' } } });
});

test('both branches of tee have to be cancelled', async () => {
  const { stream, cancelled } = source(9);
  const [left, right] = open(stream).tee();
  const reader = right.getReader();
  await reader.read();
  const leaving = left.cancel('left');
  expect(end()).toBeUndefined();
  await Promise.all([leaving, reader.cancel('right')]);
  expect(cancelled).toEqual([['left', 'right']]);
  expect(end()).toMatchObject({ output: [0], summary: { stream: { reason: 'cancel' } } });
});

test('a branch of tee that is left twice is left once', async () => {
  const [left, right] = open(source(9).stream).tee();
  const leaving = [left.cancel(), left.cancel()];
  const reader = right.getReader();
  await reader.read();
  expect(end()).toBeUndefined();
  await Promise.all([...leaving, reader.cancel()]);
  expect(end()).toMatchObject({ output: [0], summary: { stream: { chunks: 1, reason: 'cancel' } } });
});

test('pipeThrough answers the other side of the pair and records what went in', async () => {
  const double = new TransformStream<number, number>({
    transform: (value, controller) => controller.enqueue(value * 2),
  });
  const piped = open(source(3).stream).pipeThrough(double);
  expect(piped).toBe(double.readable);
  expect(await readAll(piped)).toEqual([0, 2, 4]);
  expect(end()).toMatchObject({ output: [0, 1, 2], summary: { stream: { reason: 'end' } } });
});

test('a pipe keeps back-pressure: nothing is read far ahead of a reader that waits', async () => {
  const { stream, pulls } = source(1000);
  const reader = open(stream).pipeThrough(new TransformStream<number, number>()).getReader();
  for (let turn = 0; turn < 20; turn++) await tick();
  expect(pulls.length).toBeLessThanOrEqual(2);
  await reader.cancel();
});

test('pipeTo resolves when the target is closed', async () => {
  const written: number[] = [];
  let isClosed = false;
  const target = new WritableStream<number>({
    write: (value) => void written.push(value),
    close() {
      isClosed = true;
    },
  });
  expect(await open(source(2).stream).pipeTo(target)).toBeUndefined();
  expect({ written, isClosed }).toEqual({ written: [0, 1], isClosed: true });
  expect(end()?.output).toEqual([0, 1]);
});

test('a source that fails aborts the target of its pipe', async () => {
  const error = new Error('dry');
  const aborted: unknown[] = [];
  const target = new WritableStream<number>({ abort: (reason) => void aborted.push(reason) });
  await expect(open(source(1, error).stream).pipeTo(target)).rejects.toBe(error);
  expect(aborted).toEqual([error]);
  await expect.poll(end).toMatchObject({ exception: expect.stringMatching(/^Error: dry/) as string, output: [0] });
});

test('a target that fails cancels the source, and the call did not fail', async () => {
  const error = new Error('full');
  const { stream, cancelled } = source(9);
  const target = new WritableStream<number>({
    write() {
      throw error;
    },
  });
  await expect(open(stream).pipeTo(target)).rejects.toBe(error);
  expect(cancelled).toEqual([error]);
  await expect.poll(end).toMatchObject({ summary: { stream: { reason: 'cancel' }, status_counts: { error: 0 } } });
  expect(end()?.exception).toBeUndefined();
  expect(stream.locked).toBe(false);
});

test('wrong targets are refused by the runtime, and the stream stays readable', async () => {
  const { stream } = source(1);
  open(stream);
  await expect(stream.pipeTo('nowhere' as never)).rejects.toThrow(TypeError);
  expect(() => stream.pipeThrough({} as never)).toThrow(TypeError);
  expect(() => stream.pipeThrough({ writable: new WritableStream() } as never)).toThrow(TypeError);
  expect(stream.locked).toBe(false);
  expect(await readAll(stream)).toEqual([0]);
});

test('preventCancel keeps every chunk for whoever reads on', async () => {
  const { stream } = source(3);
  const target = new WritableStream<number>({
    write() {
      throw new Error('full');
    },
  });
  await expect(open(stream).pipeTo(target, { preventCancel: true })).rejects.toThrow('full');
  expect(await readAll(stream)).toEqual([1, 2]);
});

test('a byte reader fills the buffer of the user', async () => {
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      controller.enqueue(new Uint8Array([1, 2, 3]));
      controller.close();
    },
  });
  const reader = open(stream).getReader({ mode: 'byob' });
  const { value } = await reader.read(new Uint8Array(2));
  expect(value).toEqual(new Uint8Array([1, 2]));
  await reader.cancel();
  expect(end()?.summary).toMatchObject({ stream: { chunks: 1, reason: 'cancel' } });
});

test('a stream that somebody reads already is recorded as one', async () => {
  const { stream } = source(1);
  const reader = stream.getReader();
  open(stream);
  expect(end()?.output).toBe('[ReadableStream]');
  await reader.cancel();
});

test('a response is one call until its body was read, as text', async () => {
  const fetchIt = traced(async () => new Response('{"a":"ü"}', { headers: { 'content-type': 'application/json' } }), {
    name: 'fetch',
  });
  const response = await fetchIt();
  expect(response).toBeInstanceOf(Response);
  expect(recording.call('fetch').end).toBeUndefined();
  expect(await response.json()).toEqual({ a: 'ü' });
  await expect.poll(() => recording.call('fetch').end?.output).toEqual({ status: 200, body: '{"a":"ü"}' });
});

test('a text that arrives in the middle of a letter is put together', async () => {
  const bytes = new TextEncoder().encode('grün');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const respond = traced(() => new Response(body, { headers }), { name: 'open' });
  expect(await respond().text()).toBe('grün');
  await expect.poll(() => end()?.output).toEqual({ status: 200, body: 'grün' });
});

test('aggregate of a response sees its bytes', async () => {
  const respond = traced(() => new Response('abc'), {
    name: 'open',
    aggregate: (chunks: Uint8Array[]) => chunks.map((chunk) => [...chunk]),
  });
  await respond().text();
  await expect.poll(() => end()?.output).toEqual([[97, 98, 99]]);
});

test('a response without text counts its bytes, and one without a body is over at once', async () => {
  const respond = traced((response: Response) => response, { name: 'respond', inputs: false });
  const answer = respond(new Response(new Uint8Array(2000)));
  expect((await answer.clone().arrayBuffer()).byteLength).toBe(2000);
  await expect.poll(() => recording.calls()[0]?.end?.output).toEqual({ status: 200, bytes: 2000 });
  respond(new Response(null, { status: 204 }));
  expect(recording.calls()[1]?.end?.output).toBe('[Response 204]');
});

test('the bytes of a response are counted, however many pieces they come in', async () => {
  let left = 12_000;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(3));
      else controller.close();
    },
  });
  const respond = traced(() => new Response(body), { name: 'open' });
  expect((await respond().arrayBuffer()).byteLength).toBe(36_000);
  await expect.poll(() => end()?.output).toEqual({ status: 200, bytes: 36_000 });
});

test('aggregate sees the chunks of a stream', async () => {
  const sum = traced(() => source(3).stream, {
    name: 'open',
    aggregate: (chunks: number[]) => chunks.reduce((all, value) => all + value, 0),
  });
  await readAll(sum());
  expect(end()?.output).toBe(3);
});
