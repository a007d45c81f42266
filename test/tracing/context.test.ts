import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { current, withContext, withThread } from '../../src/tracing/context.ts';
import { traced } from '../../src/tracing/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const leaf = traced((value?: unknown) => value, { name: 'leaf', args: ['value'] });
const root = traced(<Result>(fn: () => Result): Result => fn(), { name: 'root', inputs: false, output: false });

test('outside of a call current() is inert and does nothing', async () => {
  const call = current();
  call.set({ a: 1 });
  call.usage('m', { input: 1 });
  call.name('x');
  await call.feedback('note', { note: 'x' });
  await call.stored();
  expect([call.id, call.traceId, call.ref, call.url, call.threadId, call.isRecording]).toEqual([
    '',
    '',
    '',
    undefined,
    undefined,
    false,
  ]);
  expect(recording.records).toEqual([]);
});

test('the parent is kept across timers, microtasks and emitters', async () => {
  await root(async () => {
    await new Promise<void>((resolve) => setTimeout(() => resolve(void leaf()), 1));
    await new Promise<void>((resolve) => setImmediate(() => resolve(void leaf())));
    await new Promise<void>((resolve) => queueMicrotask(() => resolve(void leaf())));
    await new Promise<void>((resolve) => process.nextTick(() => resolve(void leaf())));
    const emitter = new EventEmitter();
    emitter.on('ready', () => leaf());
    emitter.emit('ready');
    await Promise.reject(new Error('x')).catch(() => leaf());
  });
  expect(treeOf(recording)).toEqual(['root(leaf, leaf, leaf, leaf, leaf, leaf)']);
});

test.each([[''], ['two\nlines'], ['x'.repeat(513)]])(
  'a thread id that no service takes costs the thread, not the call: %j',
  (id) => {
    withThread('outer', () => withThread(id, () => leaf()));
    expect(recording.call('leaf').start).toMatchObject({ thread_id: 'outer' });
    expect(recording.problems.map(({ kind }) => kind)).toEqual(['thread_id']);
    expect(recording.problems[0]?.message).toMatch(/^Cannot use ".*" as a thread id: want 1 to 512 characters/s);
  },
);

test('a thread id that is a number is its text', () => {
  Reflect.apply(withThread, undefined, [42, () => leaf()]);
  expect(recording.call('leaf').start.thread_id).toBe('42');
});

test('in a thread the outermost call is a turn, and what it calls belongs to that turn', () => {
  withThread('chat-1', () => {
    root(() => root(() => leaf()));
    leaf();
  });
  leaf();
  const [turn, middle, inner, second, outside] = recording.calls().map(({ start }) => start);
  expect(turn).toMatchObject({ thread_id: 'chat-1', turn_id: turn?.id });
  expect(middle).toMatchObject({ thread_id: 'chat-1', turn_id: turn?.id });
  expect(inner).toMatchObject({ thread_id: 'chat-1', turn_id: turn?.id });
  expect(second).toMatchObject({ thread_id: 'chat-1', turn_id: second?.id });
  expect(outside).not.toHaveProperty('thread_id');
  expect(outside).not.toHaveProperty('turn_id');
});

test('a thread opened inside a call makes turns below it; the same thread again does not', () => {
  root(() =>
    withThread('inner', () => {
      root(() => withThread('inner', () => leaf()));
    }),
  );
  const [outer, turn, inner] = recording.calls().map(({ start }) => start);
  expect(outer).not.toHaveProperty('thread_id');
  expect(turn).toMatchObject({ parent_id: outer?.id, thread_id: 'inner', turn_id: turn?.id });
  expect(inner).toMatchObject({ parent_id: turn?.id, thread_id: 'inner', turn_id: turn?.id });
});

test('two threads at once do not mix', async () => {
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const talk = (thread: string) =>
    withThread(thread, async () => {
      await tick();
      leaf(thread);
      await tick();
      leaf(thread);
    });
  await Promise.all([talk('a'), talk('b')]);
  expect(recording.calls()).toHaveLength(4);
  expect(recording.calls().every(({ start }) => start.thread_id === start.inputs?.['value'])).toBe(true);
});

test('user, run and attributes are inherited, inner values win', () => {
  withContext({ user: 'ada', run: 'nightly', attributes: { tier: 'free', region: 'eu' } }, () =>
    root(() => withContext({ attributes: { tier: 'paid' } }, () => leaf())),
  );
  const [outer, inner] = recording.calls().map(({ start }) => start);
  expect(outer).toMatchObject({ svc_run_id: 'acme/demo/nightly', attributes: { user: 'ada', tier: 'free' } });
  expect(inner).toMatchObject({
    svc_run_id: 'acme/demo/nightly',
    attributes: { user: 'ada', tier: 'paid', region: 'eu' },
  });
});

test('enabled: false records nothing below, and the functions still run', async () => {
  const value = await withContext({ enabled: false }, async () => {
    await Promise.resolve();
    return root(() => leaf(current().isRecording));
  });
  expect(value).toBe(false);
  expect(recording.records).toEqual([]);
});

test('a mask of a context adds to the mask of the client', () => {
  recording = startRecording({ mask: { keys: ['outer'] } });
  const value = { outer: 'a', inner: 'b', password: 'c', free: 'd' };
  withContext({ mask: { keys: ['inner'] } }, () => leaf(value));
  expect(recording.call('leaf').end?.output).toEqual({
    outer: '[masked]',
    inner: '[masked]',
    password: '[masked]',
    free: 'd',
  });
  withContext({ mask: false }, () => root(() => leaf(value)));
  expect(recording.calls().at(-1)?.end?.output).toEqual(value);
});

test('the result of the function is returned as it is', () => {
  const value = {};
  expect(withContext({}, () => value)).toBe(value);
  expect(withThread('t', () => value)).toBe(value);
});
