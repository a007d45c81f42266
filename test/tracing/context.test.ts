import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inject } from '../../src/tracing/propagation/carrier.ts';
import { current, withContext, withThread } from '../../src/tracing/propagation/context.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
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

test('a thread id that no service takes costs the thread, not the call', () => {
  withThread('outer', () => withThread('x'.repeat(1025), () => leaf()));
  expect(recording.call('leaf').start).toMatchObject({ thread_id: 'outer' });
  expect(recording.problems.map(({ kind }) => kind)).toEqual(['thread_id']);
  expect(recording.problems[0]?.message).toMatch(/^Cannot use ".*" as a thread id: want 1 to 1024 characters/s);
});

test('an empty thread id is none', () => {
  withThread('outer', () => withThread('', () => leaf()));
  expect(recording.call('leaf').start).toMatchObject({ thread_id: 'outer' });
  expect(recording.problems).toEqual([]);
});

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

test('every level of a context changes what it names and inherits the rest', () => {
  withContext({ thread: 't1', user: 'ada', run: 'r1', attributes: { a: 1, b: 1 } }, () => {
    leaf(1);
    withContext({ user: 'bob', attributes: { b: 2 } }, () => {
      leaf(2);
      withContext({ thread: 't2', run: 'other/project/r2', attributes: { user: 'eve', c: 3 } }, () => leaf(3));
      leaf(4);
    });
    leaf(5);
  });
  leaf(6);
  const told = recording.calls().map(({ start }) => {
    const { user, a, b, c } = start.attributes as Record<string, unknown>;
    return [start.thread_id, start.svc_run_id, user, a, b, c];
  });
  expect(told).toEqual([
    ['t1', 'acme/demo/r1', 'ada', 1, 1, undefined],
    ['t1', 'acme/demo/r1', 'bob', 1, 2, undefined],
    ['t2', 'other/project/r2', 'eve', 1, 2, 3],
    ['t1', 'acme/demo/r1', 'bob', 1, 2, undefined],
    ['t1', 'acme/demo/r1', 'ada', 1, 1, undefined],
    [undefined, undefined, undefined, undefined, undefined, undefined],
  ]);
});

test('options of a function win over attributes of the context, for its own calls only', () => {
  const own = traced(() => leaf(), { name: 'own', attributes: { tier: 'own' } });
  withContext({ attributes: { tier: 'free' } }, () => own());
  expect(recording.call('own').start.attributes).toMatchObject({ tier: 'own' });
  expect(recording.call('leaf').start.attributes).toMatchObject({ tier: 'free' });
});

test('what is switched off is off in other processes too, and may be switched on again inside', () => {
  root(() =>
    withContext({ enabled: false }, () => {
      leaf(1);
      const headers = inject({}) as Record<string, string>;
      expect(headers['tracestate']).toBe('spoor=none');
      expect(headers['traceparent']).toContain(recording.call('root').start.trace_id);
      withContext({ enabled: true }, () => leaf(2));
    }),
  );
  expect(treeOf(recording)).toEqual(['root(leaf)']);
  expect(recording.call('leaf').start.inputs).toEqual({ value: 2 });
});

test('a context is inherited by what is called late, and left by what returns or throws', async () => {
  const error = new Error('no');
  const late: Promise<unknown>[] = [];
  expect(() =>
    withThread('t', () => {
      late.push(new Promise((resolve) => setImmediate(() => resolve(leaf('late')))));
      throw error;
    }),
  ).toThrow(error);
  leaf('after');
  await Promise.all(late);
  expect(recording.calls().map(({ start }) => [start.inputs?.['value'], start.thread_id])).toEqual([
    ['after', undefined],
    ['late', 't'],
  ]);
});

test('a turn that waits holds its calls while the next turn of the thread runs', async () => {
  const turn = traced(async (name: string) => {
    await new Promise((resolve) => setImmediate(resolve));
    return leaf(name);
  });
  await withThread('chat', async () => await Promise.all([turn('a'), turn('b')]));
  const turns = recording.calls().filter(({ start }) => start.parent_id === undefined);
  const leaves = recording.calls().filter(({ start }) => start.parent_id !== undefined);
  expect(leaves.map(({ start }) => [start.turn_id, start.turn_id])).toEqual(
    turns.map(({ start }) => [start.id, start.turn_id]),
  );
});
