import { afterEach, beforeEach, expect, test } from 'vitest';
import { current } from '../../src/tracing/propagation/context.ts';
import { startCall, trace } from '../../src/tracing/wrap/trace.ts';
import { type CallAddress, clearTracer } from '../../src/tracing/record/tracer.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

test('trace runs a function as a call and returns what it returns', async () => {
  const value = {};
  const result = trace('outer step', (call) => {
    expect(call.id).toBe(current().id);
    return trace('inner', () => value);
  });
  expect(result).toBe(value);
  expect(treeOf(recording)).toEqual(['outer step(inner)']);
  expect(await trace('later', async () => 5, { inputs: { a: 1 }, kind: 'agent', displayName: 'Later' })).toBe(5);
  expect(recording.call('later')).toMatchObject({
    start: { inputs: { a: 1 }, attributes: { kind: 'agent' }, display_name: 'Later' },
    end: { output: 5 },
  });
});

test('options in the place of the function are refused with a word, and nothing is recorded', () => {
  const swapped = trace as unknown as (name: string, options: object, fn: () => number) => number;
  expect(() => swapped('step', { kind: 'tool' }, () => 1)).toThrow(/"step": the second argument has to be a function/);
  expect(recording.calls()).toEqual([]);
});

test('a secret in a name is hidden, and the rest of the name stays', () => {
  trace(`fetch https://ada:lovelace@example.com/?token=abc`, () => 1);
  expect(recording.calls()[0]?.start.op_name).toBe('fetch https://ada:[masked]@example.com/?token=[masked]');
});

test('trace passes errors through', async () => {
  const error = new Error('x');
  const fail = () => {
    throw error;
  };
  expect(() => trace('sync', fail)).toThrow(error);
  await expect(trace('async', async () => fail())).rejects.toBe(error);
  expect(recording.calls().map(({ end }) => end?.exception?.split('\n')[0])).toEqual(['Error: x', 'Error: x']);
});

test('without a tracer trace and startCall run with an inert handle', () => {
  clearTracer();
  expect(trace('x', (call) => call.isRecording)).toBe(false);
  const call = startCall('x');
  expect(call.run(() => 3)).toBe(3);
  call.end();
  expect(recording.records).toEqual([]);
});

test('a call started by hand is a parent in run, and its first end counts', () => {
  const call = startCall('job', { file: 'a.txt' }, { attributes: { size: 3 } });
  trace('beside', () => 1);
  call.run(() => trace('below', () => 1));
  call.end('done');
  call.end('again');
  call.fail(new Error('late'));
  expect(treeOf(recording)).toEqual(['job(below)', 'beside']);
  const { start, end } = recording.call('job');
  expect(start).toMatchObject({ inputs: { file: 'a.txt' }, attributes: { size: 3 } });
  expect(end).toMatchObject({ output: 'done', summary: { status_counts: { success: 2, error: 0 } } });
  expect(end).not.toHaveProperty('exception');
});

test('a call started by hand can fail, and ends when its block is left', () => {
  startCall('failed').fail(new Error('no'));
  {
    using call = startCall('block');
    call.set({ a: 1 });
    expect(recording.call('block').end).toBeUndefined();
  }
  expect(recording.call('failed').end?.exception).toMatch(/^Error: no/);
  expect(recording.call('block').end?.output).toBeNull();
});

test('a handle knows its reference, and asks the client for the rest', async () => {
  const asked: unknown[] = [];
  recording = startRecording({
    calls: {
      url: ({ id }: CallAddress) => `http://localhost/${id}`,
      feedback: async (call, type, payload) => void asked.push(call.id, type, payload),
      stored: async ({ id }) => void asked.push(id),
    },
  });
  const call = startCall('job');
  expect(call.ref).toBe(`svc:///acme/demo/call/${call.id}`);
  expect(call.url).toBe(`http://localhost/${call.id}`);
  await call.feedback('note', { note: 'good', password: 'x' });
  await call.stored();
  expect(asked).toEqual([call.id, 'note', { note: 'good', password: '[masked]' }, call.id]);
});

test('any text names a call, within the length that the service takes', () => {
  trace('', () => 1);
  trace('Größe: 3 / 4 😀', () => 1);
  trace('😀'.repeat(200), () => 1);
  trace('svc:///acme/demo/object/x:v1', () => 1);
  expect(recording.calls().map(({ start }) => start.op_name)).toEqual([
    'anonymous',
    'Größe: 3 / 4 😀',
    '😀'.repeat(128),
    'svc-acme-demo-object-x-v1',
  ]);
});

test('where nothing is recorded, nobody looks at the options', () => {
  recording.stop();
  const options = {
    get inputs(): never {
      throw new Error('looked');
    },
  };
  expect(trace('job', () => 1, options)).toBe(1);
});
