import { context, trace as openTelemetry } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extract, inject } from '../../src/tracing/propagation/carrier.ts';
import { spanIdOf } from '../../src/protocol/values/id.ts';
import { current, withContext, withThread } from '../../src/tracing/propagation/context.ts';
import { trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const leaf = traced((value: number) => value, { name: 'leaf' });
const start = (name: string) => recording.call(name).start;

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const PARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

test('what one process injects is the parent in the other', () => {
  const headers = trace('send', () => inject({}));
  expect(headers).toEqual({
    traceparent: `00-${start('send').trace_id}-${spanIdOf(start('send').id ?? '')}-01`,
    tracestate: `spoor=${start('send').id}`,
  });
  expect(extract(headers, () => leaf(3))).toBe(3);
  expect(start('leaf')).toMatchObject({ trace_id: start('send').trace_id, parent_id: start('send').id });
  expect(treeOf(recording)).toEqual(['send(leaf)']);
});

test('the carrier comes back: an object, Headers or a Map, with the fields of others', () => {
  const headers = new Headers({ accept: 'application/json', tracestate: 'vendor=1,spoor=old', baggage: 'a=1;p=2' });
  const map = new Map<string, string>();
  const object = { TraceState: 'vendor=1', Accept: '*/*' };
  withThread('chat-1', () =>
    trace('send', () => {
      expect(inject(headers)).toBe(headers);
      expect(inject(map)).toBe(map);
      expect(inject(object)).toBe(object);
    }),
  );
  const { id } = start('send');
  expect(headers.get('accept')).toBe('application/json');
  expect(headers.get('tracestate')).toBe(`spoor=${id},vendor=1`);
  expect(headers.get('baggage')).toBe(`a=1;p=2,spoor-thread=chat-1,spoor-turn=${id}`);
  expect([...map.keys()]).toEqual(['traceparent', 'tracestate', 'baggage']);
  expect(Object.keys(object)).toEqual(['TraceState', 'Accept', 'traceparent', 'baggage']);
  expect(object.TraceState).toBe(`spoor=${id},vendor=1`);
});

test('injecting again replaces what was injected', () => {
  const headers = {};
  withThread('one', () => trace('first', () => void inject(headers)));
  trace('second', () => void inject(headers));
  expect(headers).toEqual({
    traceparent: expect.stringContaining(start('second').trace_id ?? '-') as string,
    tracestate: `spoor=${start('second').id}`,
    baggage: '',
  });
});

test('outside of a call only the thread goes along', () => {
  expect(inject({})).toEqual({});
  expect(withThread('ä,;=', () => inject({}))).toEqual({ baggage: 'spoor-thread=%C3%A4%2C%3B%3D' });
  expect(withThread('a\ud800', () => inject({}))).toEqual({ baggage: 'spoor-thread=a%EF%BF%BD' });
});

test('thread and turn go along, and another thread inside begins turns of its own', () => {
  const headers = withThread('chat 1', () => trace('ask', () => inject({})));
  extract(headers, () => {
    leaf(1);
    withThread('other', () => trace('inner', () => undefined));
  });
  expect(start('leaf')).toMatchObject({ thread_id: 'chat 1', turn_id: start('ask').id });
  expect(start('inner')).toMatchObject({ thread_id: 'other', turn_id: start('inner').id, parent_id: start('ask').id });
});

test('attributes go along only when asked, masked, and never too many', () => {
  const values = { tenant: 'ü', api_key: 'sk-1234567890abcdef1234567890abcdef', other: 1 };
  const carry = (attributes: boolean | string[]) =>
    withContext({ attributes: values }, () => trace('send', () => inject({}, { attributes }))) as { baggage?: string };
  expect(carry(false).baggage).toBeUndefined();
  extract(carry(['tenant', 'missing']), () => leaf(1));
  expect(recording.calls().at(-1)?.start.attributes).toMatchObject({ tenant: 'ü' });
  expect(recording.calls().at(-1)?.start.attributes).not.toHaveProperty('other');
  const all = carry(true).baggage ?? '';
  expect(decodeURIComponent(all)).toContain('"other":1');
  expect(decodeURIComponent(all)).not.toContain('sk-1234567890');
  const tooMany = withContext({ attributes: { long: 'x'.repeat(5000) } }, () => inject({}, { attributes: true }));
  expect(tooMany).toEqual({});
  expect(recording.problems).toMatchObject([{ kind: 'inject_attributes' }]);
});

test('inside of a call an extracted parent wins, and a thread alone changes no parent', () => {
  trace('consumer', () => {
    extract({ traceparent: PARENT }, () => leaf(1));
    extract({ baggage: 'a=1, spoor-thread=chat;p=1' }, () => leaf(2));
  });
  const [, first, second] = recording.calls();
  expect(first?.start).toMatchObject({ trace_id: TRACE_ID, parent_id: SPAN_ID });
  expect(second?.start).toMatchObject({ parent_id: start('consumer').id, thread_id: 'chat' });
});

test('of too much that others send along, what matters is kept', () => {
  const attributes = encodeURIComponent(JSON.stringify({ long: 'x'.repeat(5000) }));
  extract({ traceparent: PARENT, baggage: `spoor-attributes=${attributes}` }, () => leaf(1));
  expect(start('leaf').attributes).not.toHaveProperty('long');
  const tracestate = Array.from({ length: 40 }, (_, index) => `v${index}=1`).join(',');
  const { tracestate: members } = trace('send', () => inject({ tracestate }));
  expect(members.split(',')).toHaveLength(32);
  expect(members).toMatch(/^spoor=/);
});

test('a span of another tracer is a parent, and its trace goes on', () => {
  extract({ traceparent: PARENT, tracestate: 'vendor=1' }, () => leaf(1));
  expect(start('leaf')).toMatchObject({ trace_id: TRACE_ID, parent_id: SPAN_ID });
});

test('our entry counts only while no other tracer took part since', () => {
  const headers = trace('send', () => inject({})) as Record<string, string>;
  const between = { ...headers, traceparent: `00-${start('send').trace_id}-${SPAN_ID}-01` };
  extract(between, () => leaf(1));
  expect(start('leaf')).toMatchObject({ parent_id: SPAN_ID });
});

test('what came in goes out again where nothing of ours runs', () => {
  const headers = trace('send', () => inject({}));
  expect(extract(headers, () => inject({}))).toEqual(headers);
  expect(extract({ traceparent: PARENT }, () => inject({}))).toEqual({
    traceparent: PARENT,
    tracestate: `spoor=${SPAN_ID}`,
  });
});

test('what other tracers said of the trace is passed on with it, and with no other', () => {
  extract({ traceparent: PARENT, tracestate: 'vendor=1,spoor=old,other=2' }, () => {
    const { tracestate } = trace('below', () => inject({})) as { tracestate?: string };
    expect(tracestate).toBe(`spoor=${start('below').id},vendor=1,other=2`);
    expect(inject({})).toMatchObject({ tracestate: `spoor=${SPAN_ID},vendor=1,other=2` });
  });
  const elsewhere = trace('root', () => extract({ baggage: 'spoor-thread=chat' }, () => inject({})));
  expect(elsewhere).toMatchObject({ tracestate: `spoor=${start('root').id}` });
});

test('a turn that is no id is not taken for one', () => {
  extract({ traceparent: PARENT, baggage: 'spoor-thread=chat,spoor-turn=%00' }, () => leaf(1));
  expect(start('leaf')).toMatchObject({ thread_id: 'chat', turn_id: start('leaf').id });
});

test('without a trace nothing is left out', () => {
  extract({ traceparent: 'broken', tracestate: 'spoor=none', baggage: 'spoor-thread=chat' }, () => leaf(1));
  expect(start('leaf').thread_id).toBe('chat');
});

test('an unsampled span does not silence us, unless the sampler follows it', () => {
  const headers = { traceparent: PARENT.replace(/01$/, '00') };
  extract(headers, () => leaf(1));
  expect(recording.calls()).toHaveLength(1);
  withContext({ sample: 'parent' }, () => extract(headers, () => leaf(2)));
  expect(recording.calls()).toHaveLength(1);
});

test('what our root left out stays out in every process', () => {
  const headers = withContext({ sample: 0 }, () => trace('root', () => inject({}))) as Record<string, string>;
  expect(headers).toMatchObject({ traceparent: expect.stringMatching(/-00$/) as string, tracestate: 'spoor=none' });
  const onward = extract(headers, () => {
    leaf(1);
    return inject({});
  }) as Record<string, string>;
  expect(recording.calls()).toEqual([]);
  expect(onward['traceparent']?.slice(0, 35)).toBe(headers['traceparent']?.slice(0, 35));
});

test('fields that are none change nothing', () => {
  const broken = [
    {},
    { traceparent: '' },
    { traceparent: `ff-${TRACE_ID}-${SPAN_ID}-01` },
    { traceparent: `00-${'0'.repeat(32)}-${SPAN_ID}-01` },
    { traceparent: `00-${TRACE_ID}-${'0'.repeat(16)}-01` },
    { traceparent: `${PARENT}-more` },
    { traceparent: PARENT.toUpperCase() },
    { baggage: 'spoor-thread=%', tracestate: 'spoor' },
    { baggage: 'spoor-attributes=%7B' },
    { traceparent: 7 },
    null,
  ];
  for (const carrier of broken) {
    trace('outer', () => extract(carrier as never, () => leaf(1)));
    const [outer, inner] = recording.calls().slice(-2);
    expect([carrier, inner?.start.parent_id]).toEqual([carrier, outer?.start.id]);
  }
  expect(recording.problems).toEqual([]);
});

test('a version to come is read as far as it is known, and a list of values is one field', () => {
  extract({ traceparent: [`cc-${TRACE_ID}-${SPAN_ID}-01-more`] }, () => leaf(1));
  expect(start('leaf')).toMatchObject({ trace_id: TRACE_ID });
});

test('an entry that is no id of a call is not taken for one', () => {
  extract({ traceparent: PARENT, tracestate: `spoor=../../${SPAN_ID}` }, () => leaf(1));
  expect(start('leaf').parent_id).toBe(SPAN_ID);
});

test('extract hands on results and errors, and leaves the context outside alone', async () => {
  const error = new Error('no');
  expect(() =>
    extract({ traceparent: PARENT }, () => {
      throw error;
    }),
  ).toThrow(error);
  const traceId = await extract({ traceparent: PARENT }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return await trace('later', async () => current().traceId);
  });
  expect(traceId).toBe(TRACE_ID);
  expect(current().isRecording).toBe(false);
});

test('an extracted context wins over a span around it', () => {
  const provider = new NodeTracerProvider();
  provider.register();
  try {
    openTelemetry.getTracer('test').startActiveSpan('server', (span) => {
      extract({ traceparent: PARENT }, () => leaf(1));
      leaf(2);
      span.end();
      const [extracted, plain] = recording.calls();
      expect(extracted?.start.trace_id).toBe(TRACE_ID);
      expect(plain?.start).toMatchObject({
        trace_id: span.spanContext().traceId,
        parent_id: span.spanContext().spanId,
      });
    });
  } finally {
    openTelemetry.disable();
    context.disable();
  }
});

test('wrong arguments are refused at once', () => {
  const wanted = 'want an object, Headers or a Map';
  expect(() => inject('headers' as never)).toThrow(new TypeError(`Cannot inject into "headers": ${wanted}`));
  expect(() => inject([['accept', '*/*']])).toThrow(new TypeError(`Cannot inject into a list: ${wanted}`));
  expect(() => extract({}, 'fn' as never)).toThrow(new TypeError('Cannot run a value of type string: want a function'));
  expect(inject(Object.freeze({}))).toEqual({});
});

test('where recording is switched off inside a call, that call is not told as a parent', () => {
  const [outer, inner] = trace('outer', () => [inject({}), withContext({ enabled: false }, () => inject({}))]);
  const { id, trace_id } = recording.call('outer').start;
  expect(outer).toEqual({ traceparent: `00-${trace_id}-${spanIdOf(id ?? '')}-01`, tracestate: `spoor=${id}` });
  expect(inner).toEqual({
    traceparent: expect.stringMatching(`^00-${trace_id}-[0-9a-f]{16}-00$`),
    tracestate: 'spoor=none',
  });
  expect(inner).not.toHaveProperty('traceparent', expect.stringContaining(spanIdOf(id ?? '')));
  expect(extract(inner ?? {}, () => withContext({ enabled: true }, () => current().isRecording))).toBe(false);
});

test('a carrier that takes no fields is reported', () => {
  expect(trace('send', () => inject(Object.freeze({})))).toEqual({});
  expect(recording.problems).toMatchObject([
    { kind: 'inject', message: 'Cannot write the context into a carrier: its traceparent cannot be set' },
  ]);
});
