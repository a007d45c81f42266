import { afterEach, expect, test } from 'vitest';
import { withThread } from '../../src/tracing/propagation/context.ts';
import { type Traced, traced } from '../../src/tracing/wrap/traced.ts';
import { clearTracer, setDefaultTracerFactory } from '../../src/tracing/record/tracer.ts';
import { startRecording, type Recording } from './recording.ts';

afterEach(() => {
  setDefaultTracerFactory(undefined);
  clearTracer();
});

const leaf = traced((value: number) => value, { name: 'leaf' });

test('without tracer and factory a traced function just runs', () => {
  clearTracer();
  expect(leaf(1)).toBe(1);
});

test('the first traced call asks the factory, once', () => {
  clearTracer();
  const made: Recording[] = [];
  setDefaultTracerFactory(() => void made.push(startRecording()));
  expect([leaf(1), leaf(2)]).toEqual([1, 2]);
  expect(made).toHaveLength(1);
  expect(made[0]?.calls()).toHaveLength(2);
});

test('after the tracer is cleared the next call asks again', () => {
  const made: Recording[] = [];
  setDefaultTracerFactory(() => void made.push(startRecording()));
  leaf(1);
  clearTracer();
  leaf(2);
  expect(made.map((recording) => recording.calls().length)).toEqual([1, 1]);
});

test('a problem before recording begins is told when it begins, once', () => {
  clearTracer();
  const long = 'x'.repeat(1025);
  withThread(long, () => undefined);
  withThread(long, () => undefined);
  const [first, second] = [startRecording(), startRecording()];
  expect(first.problems.map(({ kind, message }) => `${kind} ${message}`)).toEqual([
    `thread_id Cannot use "${'x'.repeat(50)}" as a thread id: want 1 to 1024 characters`,
  ]);
  expect(second.problems).toEqual([]);
});

test('a factory that makes none is not asked again, and one that throws harms nobody', () => {
  clearTracer();
  let asked = 0;
  setDefaultTracerFactory(() => {
    asked += 1;
    throw new Error('no configuration');
  });
  expect([leaf(1), leaf(2)]).toEqual([1, 2]);
  expect(asked).toBe(1);
});

test('a factory that calls traced functions does not call itself', () => {
  clearTracer();
  setDefaultTracerFactory(() => void leaf(0));
  expect(leaf(1)).toBe(1);
});

test('a function wrapped before the tracer was set is recorded, and follows to the next tracer', () => {
  const first = startRecording();
  leaf(1);
  const second = startRecording({ projectId: 'acme/other' });
  leaf(2);
  expect(first.calls().map(({ start }) => start.project_id)).toEqual(['acme/demo']);
  expect(second.calls().map(({ start }) => start.project_id)).toEqual(['acme/other']);
});

test('a disabled tracer records nothing', () => {
  const recording = startRecording({ isEnabled: false });
  expect(leaf(3)).toBe(3);
  expect(recording.records).toEqual([]);
});

test('two copies of the library share one context and one tracer', async () => {
  const recording = startRecording();
  const address = new URL('../../src/tracing/wrap/traced.ts?copy=2', import.meta.url).href;
  const copy = (await import(address)) as { readonly traced: Traced };
  expect(copy.traced).not.toBe(traced);
  copy.traced(() => leaf(1), { name: 'other copy' })();
  expect(recording.calls().map(({ start }) => start.op_name)).toEqual(['other-copy', 'leaf']);
  expect(recording.calls()[1]?.start.parent_id).toBe(recording.calls()[0]?.start.id);
});
