import { context, ROOT_CONTEXT, trace as otelTrace, type Context, type ContextManager } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTraceId } from '../../src/tracing/call-id.ts';
import { current, withContext } from '../../src/tracing/context.ts';
import { isSampled, type SampleCandidate } from '../../src/tracing/sampler.ts';
import { traced } from '../../src/tracing/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => {
  recording.stop();
  context.disable();
});

const leaf = traced(() => current().isRecording, { name: 'leaf' });
const root = traced(() => [leaf(), leaf()], { name: 'root' });

test('a rate keeps about its share of traces, and decides by trace id', () => {
  const ids = Array.from({ length: 4000 }, () => createTraceId(Date.now() * 1000));
  const candidate = (traceId: string) => ({ opName: 'x', traceId, threadId: undefined, isParentSampled: undefined });
  const kept = ids.filter((id) => isSampled(0.25, candidate(id)));
  expect(kept.length).toBeGreaterThan(800);
  expect(kept.length).toBeLessThan(1200);
  expect(kept.every((id) => isSampled(0.5, candidate(id)))).toBe(true);
  expect(ids.some((id) => isSampled(0, candidate(id)))).toBe(false);
});

test('what is not sampled at the root is recorded nowhere below, and runs all the same', () => {
  recording = startRecording({ sample: 0 });
  expect(root()).toEqual([false, false]);
  expect(recording.records).toEqual([]);
});

test('a function decides about roots alone, with their names', () => {
  const asked: SampleCandidate[] = [];
  recording = startRecording({
    sample: (candidate) => {
      asked.push(candidate);
      return candidate.opName === 'root';
    },
  });
  root();
  leaf();
  expect(asked.map(({ opName }) => opName)).toEqual(['root', 'leaf']);
  expect(treeOf(recording)).toEqual(['root(leaf, leaf)']);
});

test('a sampler that throws is reported, and the function runs', () => {
  recording = startRecording({
    sample: () => {
      throw new Error('sampler');
    },
  });
  expect(leaf()).toBe(false);
  expect(recording.problems.map(({ kind }) => kind)).toEqual(['sample_option']);
});

test('the option of the function wins over the context, the context over the client', () => {
  recording = startRecording({ sample: 0 });
  const always = traced(() => 1, { name: 'always', sample: 1 });
  withContext({ sample: 1 }, () => leaf());
  withContext({ sample: 0 }, () => always());
  leaf();
  expect(treeOf(recording)).toEqual(['leaf', 'always']);
});

const SPAN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

/** Puts a span of OpenTelemetry around everything that the test does. */
function enterSpan(traceFlags: number): void {
  const active: Context = otelTrace.setSpanContext(ROOT_CONTEXT, { ...SPAN, traceFlags });
  const manager: ContextManager = {
    active: () => active,
    with: (_context, fn, self, ...args) => fn.apply(self, args),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
}

test('a root below a span of OpenTelemetry takes over its trace and names it as parent', () => {
  enterSpan(1);
  root();
  const [outer, inner] = recording.calls().map(({ start }) => start);
  expect(outer).toMatchObject({ trace_id: SPAN.traceId, parent_id: SPAN.spanId });
  expect(inner).toMatchObject({ trace_id: SPAN.traceId, parent_id: outer?.id });
});

test('an unsampled span silences us only when asked to', () => {
  enterSpan(0);
  leaf();
  withContext({ sample: 'parent' }, () => leaf());
  expect(recording.calls()).toHaveLength(1);
});
