import { context, trace as openTelemetry } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { current } from '../../src/tracing/propagation/context.ts';
import { trace } from '../../src/tracing/wrap/trace.ts';
import { untraced } from '../../src/tracing/wrap/untraced.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => {
  recording.stop();
  openTelemetry.disable();
  context.disable();
});

const isRecorded = () => openTelemetry.getTracer('test').startSpan('request').isRecording();

test('hangs below no call and makes no span', () => {
  new NodeTracerProvider().register();
  trace('outer', () => {
    expect(untraced(() => [current().id, isRecorded()])).toEqual(['', false]);
    expect([current().id !== '', isRecorded()]).toEqual([true, true]);
  });
});

test('needs no OpenTelemetry', async () => {
  expect(await trace('outer', () => untraced(async () => current().id))).toBe('');
});

test('throws what is thrown', () => {
  expect(() => untraced(() => JSON.parse('{') as unknown)).toThrow(SyntaxError);
});
