import {
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from '@opentelemetry/api';
import { current, traced, withThread } from 'spoor';
import { SpoorTracerBridge } from 'spoor/otel';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fill } from '../../../src/testing/masking/made-up-secret.ts';
import { registry } from '../../../src/tracing/propagation/registry.ts';
import { treeOf } from '../../tracing/recording.ts';
import { inSpan, SDKS, setUp, type Setup, type SetupOptions } from './sdks.ts';

let setup: Setup;

afterEach(() => setup.stop());

const SECRET = fill('OpenAI', 'sk-{w48}').text;

const chat = traced(
  (_request: Record<string, unknown>): object => ({
    id: 'chatcmpl-1',
    choices: [{ message: { role: 'assistant', content: 'A track.' }, finish_reason: 'stop' }],
  }),
  {
    name: 'chat',
    kind: 'llm',
    op: false,
    attributes: { provider: 'openai', host: 'api.openai.com:8443', env: 'prod', tags: ['a'], deep: { b: 1 } },
    inputs: (request: Record<string, unknown>) => request,
    usage: () => ({ model: 'gpt-x-1', input: 10, output: 4, cacheRead: 5, reasoning: 2 }),
  },
);
const REQUEST = {
  model: 'gpt-x',
  temperature: 0.5,
  messages: [
    { role: 'system', content: `The key is ${SECRET}` },
    { role: 'user', content: [{ type: 'text', text: 'What is a spoor?' }] },
    { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
  ],
};
const find = traced((_what: string) => ['page'], { name: 'find', kind: 'tool', op: false });

describe.each(SDKS)('with SDK %s', (_name, sdk) => {
  const start = (options?: SetupOptions) => {
    setup = setUp(sdk, options);
  };
  const onlySpan = () => {
    const [span, ...others] = setup.spans();
    expect(others).toEqual([]);
    if (span === undefined) throw new Error('There is no span');
    return span;
  };

  test('a model call has the attributes of the GenAI conventions, and no content', () => {
    start();
    withThread('chat-7', () => chat(REQUEST));
    const span = onlySpan();
    expect(span).toMatchObject({ name: 'chat', kind: SpanKind.CLIENT, status: { code: SpanStatusCode.UNSET } });
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.conversation.id': 'chat-7',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.model': 'gpt-x-1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 15,
      'gen_ai.usage.output_tokens': 6,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'server.address': 'api.openai.com',
      'server.port': 8443,
      env: 'prod',
      tags: ['a'],
      deep: '{"b":1}',
    });
  });

  test('content goes along where it is asked for, masked', () => {
    start({ bridge: { content: true } });
    chat(REQUEST);
    const { attributes } = onlySpan();
    expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
      { role: 'system', parts: [{ type: 'text', content: expect.not.stringContaining(SECRET) as string }] },
      { role: 'user', parts: [{ type: 'text', content: 'What is a spoor?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'found' }] },
    ]);
    expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'A track.' }], finish_reason: 'stop' },
    ]);
  });

  test('a tool has its name, and what is said of a call later is there', () => {
    start({ bridge: { content: true } });
    find('tracks');
    const tool = onlySpan();
    expect(tool.kind).toBe(SpanKind.INTERNAL);
    expect(tool.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'find',
      'gen_ai.tool.call.arguments': '{"_what":"tracks"}',
      'gen_ai.tool.call.result': '["page"]',
    });
    traced(() => current().set({ later: true }), { name: 'plain', op: false })();
    expect(setup.spans().at(-1)?.attributes).toMatchObject({ later: true, 'input.value': '{}' });
  });

  test('times of a call and its span are the same', () => {
    start();
    chat(REQUEST);
    const { start: begun, end } = setup.recording.call('chat');
    const { startTime, endTime } = onlySpan();
    const text = ([seconds, nanos]: readonly [number, number]) =>
      `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(nanos / 1000).padStart(6, '0')}Z`;
    expect([begun.started_at, end?.ended_at]).toEqual([text(startTime), text(endTime)]);
  });

  test('a span is a call by the conventions, masked, with all that it has beside them', () => {
    start({ isBridged: false });
    inSpan('first name', (span) => {
      span.updateName('chat');
      span.setAttributes({
        'gen_ai.prompt': '[{"role":"user","content":"hi"}]',
        'gen_ai.completion.0.content': `Use ${SECRET}`,
        'gen_ai.response.model': 'gpt-x',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 4,
        'shop.basket': ['a', 'b'],
        password: 'wolf',
      });
      span.addEvent('cache.miss', { key: 'k1' });
      span.recordException(new TypeError('no such page'));
      span.setStatus({ code: SpanStatusCode.ERROR });
    });
    const { start: begun, end } = setup.recording.call('chat');
    expect(begun).toMatchObject({
      inputs: { 'gen_ai.prompt': [{ role: 'user', content: 'hi' }] },
      attributes: {
        model: 'gpt-x',
        otel_span: {
          name: 'chat',
          kind: 'INTERNAL',
          attributes: { shop: { basket: ['a', 'b'] } },
          events: [{ name: 'cache.miss' }, { name: 'exception' }],
        },
      },
    });
    expect(end).toMatchObject({ exception: 'TypeError: no such page' });
    expect(end?.summary?.['usage']).toMatchObject({ 'gpt-x': { input_tokens: 10, output_tokens: 4 } });
    const all = JSON.stringify(setup.recording.records);
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain('wolf');
    expect(end?.output).toBeDefined();
  });

  test('tokens that are told by a span and by the one around it are counted once', () => {
    start({ isBridged: false });
    const usage = { 'gen_ai.response.model': 'm', 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 2 };
    inSpan('outer', (outer) => {
      inSpan('inner', (inner) => inner.setAttributes(usage));
      outer.setAttributes(usage);
    });
    expect(setup.recording.call('outer').end?.summary?.['usage']).toMatchObject({
      m: { requests: 1, input_tokens: 3 },
    });
  });

  test('a provider and a context manager that throw are no reason to fail, and calls are recorded', () => {
    start();
    const broken = () => {
      throw new Error('broken');
    };
    const span = {
      spanContext: trace.getTracer('x').startSpan('x').spanContext.bind({}),
      end: broken,
    } as unknown as Span;
    const providers: TracerProvider[] = [
      { getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) },
      { getTracer: () => ({ startSpan: () => span, startActiveSpan: broken }) },
      {
        getTracer: () => ({
          startSpan: () => Object.freeze({ ...span, setAttributes: broken }),
          startActiveSpan: broken,
        }),
      },
    ];
    for (const tracerProvider of providers) {
      const bridge = new SpoorTracerBridge({ tracerProvider }).enable();
      expect(find('tracks')).toEqual(['page']);
      bridge.disable();
    }
    const manager = vi.spyOn(context, 'active').mockImplementation(broken);
    expect(find('tracks')).toEqual(['page']);
    manager.mockRestore();
    expect(treeOf(setup.recording)).toEqual(['find', 'find', 'find', 'find']);
    expect(setup.recording.problems.map(({ kind }) => kind)).toEqual(['open-telemetry']);
  });
});

test('without the bridge nothing of it is there', () => {
  setup = setUp(SDKS[0]![1], { isBridged: false, isProcessed: false });
  find('tracks');
  inSpan('span', () => find('tracks'));
  expect(setup.tree()).toEqual(['span']);
  expect(setup.recording.calls()).toHaveLength(2);
  expect(Object.hasOwn(registry, 'bridge')).toBe(false);
  expect(context.active()).toBe(ROOT_CONTEXT);
});

test('a bridge wants a provider', () => {
  setup = setUp(SDKS[0]![1]);
  expect(() => new SpoorTracerBridge({ tracerProvider: {} as TracerProvider })).toThrow(TypeError);
});
