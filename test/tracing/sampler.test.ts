import { context, ROOT_CONTEXT, trace as otelTrace, type Context, type ContextManager } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTraceId } from '../../src/tracing/record/call-id.ts';
import { extract, inject } from '../../src/tracing/propagation/carrier.ts';
import { current, withContext } from '../../src/tracing/propagation/context.ts';
import { isSampled, type SampleCandidate } from '../../src/tracing/record/sampler.ts';
import { startCall, trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
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

test('a rate keeps the traces that the samplers of OpenTelemetry keep: the last 56 bits decide', () => {
  const candidate = (tail: string) => ({
    opName: 'x',
    traceId: '0af7651916cd43dd84'.slice(0, 18) + tail,
    threadId: undefined,
    isParentSampled: undefined,
  });
  // A threshold of 0x80000000000000 stands for a rate of a half, 0xc0… for a quarter.
  expect(isSampled(0.5, candidate('80000000000000'))).toBe(true);
  expect(isSampled(0.5, candidate('7fffffffffffff'))).toBe(false);
  expect(isSampled(0.25, candidate('c0000000000000'))).toBe(true);
  expect(isSampled(0.25, candidate('bfffffffffffff'))).toBe(false);
  expect(isSampled(0.000001, candidate('ffffffffffffff'))).toBe(true);
});

test('a rate decides about a trace of others by its id, so that all services keep the same ones', () => {
  recording = startRecording({ sample: 0.5 });
  const parent = (tail: string) => ({ traceparent: `00-0af7651916cd43dd84${tail}-b7ad6b7169203331-00` });
  extract(parent('ffffffffffffff'), () => leaf());
  extract(parent('00000000000000'), () => leaf());
  expect(recording.calls()).toHaveLength(1);
});

test('what is not sampled at the root is recorded nowhere below, and runs all the same', () => {
  recording = startRecording({ sample: 0 });
  expect(root()).toEqual([false, false]);
  expect(recording.records).toEqual([]);
});

test('of a root that is not sampled nothing is looked at, and below it no option counts', () => {
  recording = startRecording({ sample: 0 });
  const always = traced(() => current().isRecording, { name: 'always', sample: 1 });
  const looked: string[] = [];
  const watched = {
    get secret() {
      looked.push('value');
      return 1;
    },
  };
  const silent = traced((_value: object) => [always(), withContext({ sample: 1, enabled: true }, () => leaf())], {
    displayName: () => looked.push('displayName').toString(),
    inputs: () => ({ count: looked.push('inputs') }),
    output: () => looked.push('output'),
    usage: () => {
      looked.push('usage');
      return { model: 'm' };
    },
  });
  expect(silent(watched)).toEqual([false, false]);
  expect(startCall('by hand').run(() => [always(), trace('inner', () => leaf())])).toEqual([false, false]);
  expect(looked).toEqual([]);
  expect(recording.records).toEqual([]);
});

test('a root that is not sampled tells other services one trace id, and that nothing is recorded', () => {
  recording = startRecording({ sample: 0 });
  const [first, second] = trace('root', () => [inject({}), trace('inner', () => inject({}))]) as Record<
    string,
    string
  >[];
  expect(first?.['traceparent']).toMatch(/-00$/);
  expect(first?.['traceparent']?.slice(0, 35)).toBe(second?.['traceparent']?.slice(0, 35));
  expect(second?.['tracestate']).toBe('spoor=none');
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
