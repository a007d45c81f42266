import { setTimeout as delay } from 'node:timers/promises';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { extract, inject, startCall, traced, withContext, withThread } from 'spoor';
import { afterEach, describe, expect, test } from 'vitest';
import { spanIdOf } from '../../../src/protocol/values/id.ts';
import { treeOf } from '../../tracing/recording.ts';
import { inSpan, parentIdOf, SDKS, setUp, type Setup, type SetupOptions } from './sdks.ts';

let setup: Setup;

afterEach(() => setup.stop());

const call = <Result>(name: string, fn: () => Result): Result => traced(fn, { name, op: false })();

/** The trees of both sides, which are the same. */
function trees(): string[] {
  const calls = treeOf(setup.recording);
  expect(calls.map(shape).sort()).toEqual(setup.tree().map(shape).sort());
  expect(setup.recording.problems).toEqual([]);
  return calls.map(shape).sort();
}

/** Spans are recorded when they end, so that neighbours have no order. */
function shape(tree: string): string {
  const [, name = '', below] = /^([^(]*)(?:\((.*)\))?$/.exec(tree) ?? [];
  return below === undefined ? name : `${name}(${neighbours(below).map(shape).sort().join(', ')})`;
}

function neighbours(list: string): string[] {
  const found: string[] = [];
  let open = '';
  for (const part of list.split(', ')) {
    open = open === '' ? part : `${open}, ${part}`;
    if (open.split('(').length !== open.split(')').length) continue;
    found.push(open);
    open = '';
  }
  return found;
}

describe.each(SDKS)('with SDK %s', (_name, sdk) => {
  const start = (options?: SetupOptions) => {
    setup = setUp(sdk, options);
  };

  test('calls and spans are one tree on both sides, whichever is within which', () => {
    start();
    call('a', () => inSpan('b', () => call('c', () => inSpan('d', () => call('e', () => 1)))));
    inSpan('f', () => call('g', () => inSpan('h', () => 2)));
    expect(trees()).toEqual(['a(b(c(d(e))))', 'f(g(h))']);
  });

  test('both sides have the same ids, and no call stands for two', () => {
    start();
    call('a', () => inSpan('b', () => call('c', () => 1)));
    const spans = new Map(setup.spans().map((span) => [span.name, span]));
    expect(spans.size).toBe(3);
    expect(setup.recording.calls()).toHaveLength(3);
    for (const { start: recorded } of setup.recording.calls()) {
      const span = spans.get(recorded.op_name);
      expect(spanIdOf(recorded.id ?? '')).toBe(span?.spanContext().spanId);
      expect(recorded.trace_id).toBe(span?.spanContext().traceId);
      expect(recorded.parent_id && spanIdOf(recorded.parent_id)).toBe(span && parentIdOf(span));
    }
  });

  test('across awaits, timers, parallel branches and concurrent roots', async () => {
    start();
    const branch = (name: string) =>
      inSpan(name, async () => {
        await delay(2);
        await call(`${name}1`, async () => {
          await delay(1);
          await new Promise((resolve) => setTimeout(() => resolve(inSpan(`${name}2`, () => 1)), 1));
        });
      });
    const root = (name: string) =>
      call(name, async () => {
        await delay(1);
        await Promise.all([branch(`${name}x`), branch(`${name}y`)]);
      });
    await Promise.all([root('a'), root('b')]);
    expect(trees()).toEqual(['a(ax(ax1(ax2)), ay(ay1(ay2)))', 'b(bx(bx1(bx2)), by(by1(by2)))']);
  });

  test('a context that was kept holds where it is entered, and the root context holds nothing', () => {
    start();
    let kept = ROOT_CONTEXT;
    call('a', () => {
      kept = context.active();
      inSpan('b', () => context.with(kept, () => inSpan('c', () => 1)));
    });
    call('other', () => context.with(kept, () => call('d', () => 1)));
    inSpan('e', () => context.with(ROOT_CONTEXT, () => inSpan('f', () => 1)));
    expect(trees()).toEqual(['a(b, c, d)', 'e', 'f', 'other']);
  });

  test('a bound function and a call that is run by hand know where they belong', () => {
    start();
    const bound = call('a', () => context.bind(context.active(), () => inSpan('b', () => call('c', () => 1))));
    bound();
    const started = startCall('d');
    inSpan('e', () => started.run(() => inSpan('f', () => 1)));
    started.end();
    expect(trees()).toEqual(['a(b(c))', 'd(f)', 'e']);
  });

  test('what a generator calls is below it, wherever it is read', () => {
    start();
    const pages = call('a', () =>
      traced(
        function* open() {
          yield call('b', () => 1);
          yield inSpan('c', () => 2);
        },
        { name: 'pages', op: false },
      )(),
    );
    inSpan('reader', () => expect([...pages]).toEqual([1, 2]));
    expect(trees()).toEqual(['a(pages(b, c))', 'reader']);
  });

  test('a carrier names the parent of calls and spans', () => {
    start();
    const carrier = call('a', () => inSpan('b', () => call('c', () => inject({}))));
    extract(carrier, () => {
      inSpan('d', () => call('e', () => 1));
      call('f', () => 1);
    });
    inSpan('g', () => extract(carrier, () => call('h', () => 1)));
    expect(trees()).toEqual(['a(b(c(d(e), f, h)))', 'g']);
  });

  test('threads, sums of tokens and errors go through spans', () => {
    start();
    const fail = () =>
      call('fails', () => {
        throw new TypeError('no such page');
      });
    withThread('chat-7', () => call('a', () => inSpan('b', () => expect(fail).toThrow('no such page'))));
    const calls = setup.recording.calls();
    expect(calls.map(({ start: { thread_id } }) => thread_id)).toEqual(['chat-7', 'chat-7', 'chat-7']);
    expect(new Set(calls.map(({ start: { turn_id } }) => turn_id))).toEqual(
      new Set([setup.recording.call('a').start.id]),
    );
    expect(setup.recording.call('a').end?.summary).toMatchObject({ status_counts: { success: 2, error: 1 } });
    const span = setup.spans().find(({ name }) => name === 'fails');
    expect(span).toMatchObject({
      status: { code: 2, message: 'no such page' },
      attributes: { 'error.type': 'TypeError', 'gen_ai.conversation.id': 'chat-7' },
      events: [{ name: 'exception', attributes: { 'exception.type': 'TypeError' } }],
    });
  });

  test('the processor alone records spans as calls, and tells them where they are', () => {
    start({ isBridged: false });
    call('a', () => inSpan('b', () => call('c', () => inSpan('d', () => 1))));
    expect(treeOf(setup.recording)).toEqual(['a(b(c(d)))']);
    expect(setup.tree().sort()).toEqual(['b', 'd']);
    const states = setup.spans().map((span) => span.spanContext().traceState?.get('spoor'));
    const { a, c } = { a: setup.recording.call('a').start.id, c: setup.recording.call('c').start.id };
    expect(states).toEqual([c, a]);
    expect(setup.spans().map(parentIdOf)).toEqual([c, a].map((id) => spanIdOf(id ?? '')));
  });

  test('the bridge alone makes spans of calls, and records no spans', () => {
    start({ isProcessed: false });
    call('a', () => inSpan('b', () => call('c', () => inSpan('d', () => 1))));
    expect(setup.tree()).toEqual(['a(b(c(d)))']);
    expect(treeOf(setup.recording)).toEqual(['a(c)']);
  });

  test('what is sampled out by either side is not there, and what is below it is one trace', () => {
    start({ sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOffSampler() }) });
    call('a', () => inSpan('b', () => call('c', () => 1)));
    expect(setup.tree()).toEqual([]);
    expect(treeOf(setup.recording)).toEqual(['a(c)']);
    expect(new Set(setup.recording.calls().map(({ start: { trace_id } }) => trace_id)).size).toBe(1);
  });

  test('a root that is left out leaves out what is below, spans too', () => {
    start({ recording: { sample: 0 } });
    call('a', () => inSpan('b', () => call('c', () => 1)));
    inSpan('d', () => call('e', () => inSpan('f', () => 1)));
    withContext({ enabled: false }, () => inSpan('g', () => call('h', () => 1)));
    expect(setup.recording.calls()).toEqual([]);
    expect(setup.tree()).toEqual(['b', 'd(f)', 'g']);
  });

  test('a span that is left out leaves out what is below, and one for the program alone stays with it', () => {
    start({ recording: { sample: ({ opName }) => opName !== 'left' } });
    inSpan('left', () => inSpan('a', () => call('b', () => inSpan('c', () => 1))));
    expect(setup.recording.calls()).toEqual([]);
    inSpan('kept', () => call('d', () => 1));
    expect(treeOf(setup.recording)).toEqual(['kept(d)']);
  });

  test('a span that is recorded in the program, and not sampled, is no call', () => {
    const decision = sdk.SamplingDecision.RECORD;
    start({ sampler: { shouldSample: () => ({ decision }), toString: () => 'records' } });
    inSpan('a', () => call('b', () => inSpan('c', () => 1)));
    expect(setup.recording.calls().map(({ start: { op_name: name } }) => name)).toEqual(['b']);
  });

  test('spans that begin and end where nothing runs take their own context', () => {
    start();
    const tracer = trace.getTracer('program');
    const outer = tracer.startSpan('outer', {}, ROOT_CONTEXT);
    call('a', () => {
      const inner = tracer.startSpan('inner', {}, trace.setSpan(context.active(), outer));
      tracer.startSpan('root', { root: true }).end();
      inner.end();
    });
    outer.end();
    expect(trees()).toEqual(['a', 'outer(inner)', 'root']);
  });
});
