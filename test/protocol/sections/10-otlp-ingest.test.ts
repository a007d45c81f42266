import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import { describe, expect, test } from 'vitest';
import { PROTOBUF_SCHEMA } from '../../../src/server/ingest/otlp/protobuf-schema.ts';
import { onEveryEngine, openService, refusal } from './service.ts';

const PATH = '/otel/v1/traces';
const TRACE = '0123456789abcdef0123456789abcdef';
const SPAN = '0123456789abcdef';

type Attributes = Readonly<Record<string, unknown>>;

/** Attributes as OTLP/JSON writes them. */
function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(Object(value) as Attributes) } };
}

function spanOf(fields: object = {}): object {
  return {
    traceId: TRACE,
    spanId: SPAN,
    name: 'chat',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601500000000',
    ...fields,
  };
}

const exportOf = (spans: readonly object[], resource: Attributes = {}) => ({
  resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans: [{ spans }] }],
});

/** The attributes of a call but for its raw span. */
function withoutSpan(attributes: Attributes): object {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== 'otel_span'));
}

/** The example of 10.6, as it is printed. */
const EXAMPLE = `{"resourceSpans":[{"resource":{"attributes":[{"key":"svc.entity","value":{"stringValue":"acme"}},{"key":"svc.project","value":{"stringValue":"demo"}}]},
 "scopeSpans":[{"scope":{"name":"x"},"spans":[{"traceId":"0123456789abcdef0123456789abcdef","spanId":"0123456789abcdef","name":"chat","kind":3,
  "startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601500000000","status":{"code":1},
  "attributes":[{"key":"gen_ai.prompt.0.role","value":{"stringValue":"user"}},{"key":"gen_ai.prompt.0.content","value":{"stringValue":"hi"}},
   {"key":"gen_ai.completion.0.content","value":{"stringValue":"hello"}},{"key":"gen_ai.response.model","value":{"stringValue":"gpt-x"}},
   {"key":"gen_ai.usage.input_tokens","value":{"intValue":"10"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"4"}},
   {"key":"svc.thread_id","value":{"stringValue":"chat-7"}},{"key":"svc.is_turn","value":{"boolValue":true}}]}]}]}]}`;

const INPUTS = [
  'ai.prompt gen_ai.prompt input.value mlflow.spanInputs gen_ai.input.messages pydantic_ai.all_messages',
  'traceloop.entity.input gcp.vertex.agent.tool_call_args gcp.vertex.agent.llm_request events.gen_ai.user.message',
  'llm.input_messages ai.toolCall.args ai.value ai.values gen_ai.tool.call.arguments events.gen_ai.content.prompt',
  'input inputs',
].flatMap((line) => line.split(' '));
const OUTPUTS = [
  'ai.response gen_ai.completion output.value gen_ai.output.messages mlflow.spanOutputs final_result',
  'gen_ai.content.completion traceloop.entity.output gcp.vertex.agent.tool_response gcp.vertex.agent.llm_response',
  'events.gen_ai.choice llm.output_messages ai.toolCall.result ai.embedding ai.embeddings gen_ai.tool.call.result',
  'events.gen_ai.content.completion output outputs',
].flatMap((line) => line.split(' '));

onEveryEngine((service) => {
  const send = async (body: unknown, headers: Record<string, string> = {}) =>
    await service.post(PATH, body, { project_id: service.project, ...headers });
  /** The call of a span. */
  const callOf = async (fields: object = {}, resource: Attributes = {}) => {
    const answer = await send(exportOf([spanOf(fields)], resource));
    if (answer.text !== '{}') throw new Error(answer.text);
    return (await service.read(SPAN)) as unknown as Record<string, unknown> & { attributes: Attributes };
  };
  const callWith = async (attributes: Attributes, fields: object = {}) =>
    await callOf({ attributes: keyValues(attributes), ...fields });

  describe('10.1 request and response', () => {
    const root = protobuf.Root.fromJSON(PROTOBUF_SCHEMA);
    const Request = root.lookupType('ExportTraceServiceRequest');
    const bytes = Buffer.from(
      Request.encode(
        Request.fromObject(
          exportOf([spanOf({ traceId: Buffer.from(TRACE, 'hex'), spanId: Buffer.from(SPAN, 'hex') })]),
        ),
      ).finish(),
    );
    const sendBytes = async (body: Buffer, headers: Record<string, string>) =>
      await fetch(service.server.url + PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, project_id: service.project, ...headers },
        body,
      });

    test.each(['application/x-protobuf', 'application/protobuf'])(
      '%s is protobuf, and so is its answer',
      async (type) => {
        const answer = await sendBytes(bytes, { 'content-type': type });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
        expect((await answer.arrayBuffer()).byteLength).toBe(0);
        expect(await service.read(SPAN)).toMatchObject({ op_name: 'chat', trace_id: TRACE });
      },
    );

    test.each<readonly [name: string, pack: (body: Buffer) => Buffer]>([
      ['gzip', (body) => gzipSync(body)],
      ['deflate', (body) => deflateSync(body)],
    ])('%s is unpacked', async (encoding, pack) => {
      const answer = await sendBytes(pack(bytes), {
        'content-type': 'application/x-protobuf',
        'content-encoding': encoding,
      });
      expect(answer.status).toBe(200);
      const json = Buffer.from(JSON.stringify(exportOf([spanOf({ spanId: 'fedcba9876543210' })])));
      expect(
        (await sendBytes(pack(json), { 'content-type': 'application/json', 'content-encoding': encoding })).status,
      ).toBe(200);
      expect(await service.ids()).toEqual([SPAN, 'fedcba9876543210']);
    });

    test('JSON is JSON, whether it says so or not', async () => {
      for (const type of ['application/json', '']) {
        const answer = await sendBytes(
          Buffer.from(JSON.stringify(exportOf([spanOf()]))),
          type ? { 'content-type': type } : {},
        );
        expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
          200,
          'application/json',
          '{}',
        ]);
      }
    });

    test('names may be in snake case, numbers numbers, enumerations names, bytes base64', async () => {
      const span = {
        trace_id: TRACE.toUpperCase(),
        span_id: SPAN,
        name: 'chat',
        kind: 'SPAN_KIND_CLIENT',
        start_time_unix_nano: 1_767_225_600_000_000_000,
        end_time_unix_nano: '1767225601500000000',
        status: { code: 'STATUS_CODE_ERROR', message: 'no' },
        attributes: [{ key: 'input', value: { bytes_value: 'aGk=' } }],
      };
      expect((await send({ resource_spans: [{ scope_spans: [{ spans: [span] }] }] })).text).toBe('{}');
      expect(await service.read(SPAN)).toMatchObject({ trace_id: TRACE, exception: 'no', inputs: { input: 'aGk=' } });
    });

    test('other types and bodies that are no export are refused in the shape of all errors', async () => {
      const xml = await sendBytes(Buffer.from('<a/>'), { 'content-type': 'application/xml' });
      expect([xml.status, await xml.json()]).toEqual([
        415,
        expect.objectContaining({ error_code: 'unsupported_media_type' }),
      ]);
      const junk = await sendBytes(Buffer.from([255, 255, 255]), { 'content-type': 'application/x-protobuf' });
      expect([junk.status, junk.headers.get('content-type'), await junk.json()]).toEqual([
        400,
        'application/json',
        expect.objectContaining({ error_code: 'invalid_request' }),
      ]);
      expect(refusal(await send('{"resourceSpans":'))).toBe('400 invalid_json');
    });

    test('the project is that of the resource, else that of the header', async () => {
      const mine = { 'svc.entity': 'acme', 'svc.project': 'of-the-resource' };
      await send(exportOf([spanOf()], mine));
      const { body } = await service.post('/call/read', { project_id: 'acme/of-the-resource', id: SPAN });
      expect(body).toMatchObject({ call: { id: SPAN } });
      expect(await service.read(SPAN)).toBeNull();
      await send(exportOf([spanOf()], { 'svc.entity': 'acme' }));
      expect(await service.read(SPAN)).toMatchObject({ id: SPAN });
    });

    test('spans without a project are rejected, and when none is left the request is', async () => {
      const without = async (body: object) => await service.post(PATH, body);
      expect(refusal(await without(exportOf([spanOf()])))).toBe('400 invalid_project_id');
      const [entity, project] = service.project.split('/');
      const one = exportOf([spanOf()], { 'svc.entity': entity, 'svc.project': project });
      const two = exportOf([spanOf({ spanId: 'fedcba9876543210' })]);
      const both = await without({ resourceSpans: [...one.resourceSpans, ...two.resourceSpans] });
      expect(both.body).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage: expect.any(String) as string } });
      expect(await service.ids()).toEqual([SPAN]);
    });

    test('the run is that of the resource, else that of the span, with its project before it', async () => {
      expect(await callOf({ attributes: keyValues({ 'svc.run_id': 'mine' }) }, { 'svc.run_id': 'r1' })).toMatchObject({
        svc_run_id: `${service.project}/r1`,
      });
      service.renew();
      expect(await callWith({ 'svc.run_id': 'r2' })).toMatchObject({ svc_run_id: `${service.project}/r2` });
      service.renew();
      expect(await callWith({ 'svc.run_id': 'a/b/c' })).toMatchObject({ svc_run_id: 'a/b/c' });
    });

    test.each<readonly [name: string, fields: object]>([
      ['a short trace id', { traceId: '0123' }],
      ['a trace id of zeros', { traceId: '0'.repeat(32) }],
      ['a short span id', { spanId: '01' }],
      ['a span id of zeros', { spanId: '0'.repeat(16) }],
      ['no start time', { startTimeUnixNano: '0' }],
    ])('a span with %s is rejected, others are not', async (_name, fields) => {
      const { body } = await send(exportOf([spanOf({ spanId: 'fedcba9876543210', ...fields }), spanOf()]));
      expect(body).toEqual({
        partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringMatching(/./) as string },
      });
      expect(await service.ids()).toEqual([SPAN]);
    });

    test('at most 20 messages say why', async () => {
      const broken = Array.from({ length: 30 }, (_, index) => spanOf({ name: `n${index}`, traceId: '' }));
      const { partialSuccess } = (await send(exportOf([...broken, spanOf()]))).body as {
        partialSuccess: { rejectedSpans: string; errorMessage: string };
      };
      expect(partialSuccess.rejectedSpans).toBe('30');
      expect(partialSuccess.errorMessage.split('; ')).toHaveLength(20);
    });

    test('a span that comes again changes nothing', async () => {
      const before = await callWith({ input: 'x', output: 'y' });
      expect(await callWith({ input: 'x', output: 'y' })).toEqual(before);
    });
  });

  describe('10.2 the call of a span', () => {
    test('has the ids of the span', async () => {
      expect(await callOf({ parentSpanId: 'AAAAAAAAAAAAAAAA' })).toMatchObject({
        id: SPAN,
        trace_id: TRACE,
        parent_id: 'aaaaaaaaaaaaaaaa',
        svc_user_id: 'user-1',
      });
    });

    test.each<readonly [name: string, fields: object, parent: string | null]>([
      ['none', {}, null],
      ['an empty one', { parentSpanId: '' }, null],
      ['zeros', { parentSpanId: '0'.repeat(16) }, null],
      [
        'a call of ours',
        { parentSpanId: 'aaaaaaaaaaaaaaaa', traceState: 'a=b,spoor=0190a000-0000-7000-aaaa-aaaaaaaaaaaa' },
        '0190a000-0000-7000-aaaa-aaaaaaaaaaaa',
      ],
      [
        'a call that is not the parent',
        { parentSpanId: 'aaaaaaaaaaaaaaaa', traceState: 'spoor=c1' },
        'aaaaaaaaaaaaaaaa',
      ],
    ])('has as its parent: %s', async (_name, fields, parent_id) => {
      expect(await callOf(fields)).toMatchObject({ parent_id });
    });

    const marked = (name: string, kept: string) =>
      `${kept}:${createHash('sha256').update(name).digest('hex').slice(0, 4)}`;
    const words = `${'w'.repeat(100)}, ${'x'.repeat(40)}`;
    const solid = 'y'.repeat(200);
    test.each([
      ['f', 'f'],
      ['', 'unnamed'],
      ['n'.repeat(128), 'n'.repeat(128)],
      [solid, marked(solid, solid.slice(0, 123))],
    ])('named %s is of the op %s', async (name, op_name) => {
      expect(await callOf({ name })).toMatchObject({ op_name });
    });

    test('has a long name that is cut at a word', async () => {
      const { op_name } = await callOf({ name: words });
      expect(op_name).toMatch(/^w{100}[, ]*:[0-9a-f]{4}$/);
      expect(op_name).toBe(marked(words, String(op_name).slice(0, -5)));
    });

    test.each<readonly [name: string, fields: object, call: object]>([
      [
        'nanoseconds cut to microseconds',
        { startTimeUnixNano: '1767225600000001999' },
        { started_at: '2026-01-01T00:00:00.000001Z' },
      ],
      ['no end', { endTimeUnixNano: '0' }, { ended_at: null, summary: { svc: { status: 'running' } } }],
      ['a status of unset', { status: { code: 0, message: 'm' } }, { exception: null }],
      ['a status of OK', { status: { code: 1, message: 'm' } }, { exception: null }],
      ['an error with a message', { status: { code: 2, message: 'm' } }, { exception: 'm' }],
      ['an error without', { status: { code: 2 } }, { exception: 'ERROR' }],
      [
        'an error with an event',
        {
          status: { code: 2 },
          events: [{ name: 'exception', attributes: keyValues({ 'exception.type': 'E', 'exception.message': 'no' }) }],
        },
        { exception: 'E: no' },
      ],
      [
        'the raw span',
        {},
        { attributes: { otel_span: { name: 'chat', context: { trace_id: TRACE, span_id: SPAN }, parent_id: null } } },
      ],
    ])('has %s', async (_name, fields, call) => {
      expect(await callOf(fields)).toMatchObject(call);
    });

    test.each<readonly [name: string, attributes: Attributes, fields: object, call: object]>([
      ['a display name', { 'svc.display_name': 'shown' }, {}, { display_name: 'shown' }],
      ['a display name cut', { 'svc.display_name': 'x'.repeat(1025) }, {}, { display_name: `${'x'.repeat(1021)}...` }],
      [
        'times of its own',
        { 'langfuse.startTime': '2025-01-01T00:00:00Z' },
        {},
        { started_at: '2025-01-01T00:00:00Z' },
      ],
      [
        'an end in nanoseconds',
        { 'langfuse.endTime': '1767225602000000000' },
        {},
        { ended_at: '2026-01-01T00:00:02Z' },
      ],
      ['steps', { 'svc.run_step': 3, 'svc.run_step_end': 4 }, {}, { svc_run_step: 3, svc_run_step_end: 4 }],
      ['no thread', { 'svc.is_turn': true }, {}, { thread_id: null, turn_id: null }],
      ['a thread without a turn', { 'svc.thread_id': 't' }, {}, { thread_id: 't', turn_id: null }],
      ['a thread with a turn', { 'svc.thread_id': 't', 'svc.is_turn': true }, {}, { thread_id: 't', turn_id: SPAN }],
      [
        'the turn of an agent',
        { 'gcp.vertex.agent.session_id': 's', 'svc.thread_id': 't' },
        {},
        { thread_id: 's', turn_id: SPAN },
      ],
      ['a conversation', { 'gen_ai.conversation.id': 'c', 'session.id': 's' }, {}, { thread_id: 'c', turn_id: SPAN }],
      ['a session', { 'session.id': 's' }, {}, { thread_id: 's', turn_id: SPAN }],
      [
        'a call inside of a session',
        { 'session.id': 's' },
        { parentSpanId: 'aaaaaaaaaaaaaaaa' },
        { thread_id: 's', turn_id: null },
      ],
      ['the vendor names', { 'wandb.thread_id': 't', 'wandb.is_turn': true }, {}, { thread_id: 't', turn_id: SPAN }],
    ])('has %s', async (_name, attributes, fields, call) => {
      expect(await callWith(attributes, fields)).toMatchObject(call);
    });
  });

  describe('10.3 the tree of attributes', () => {
    /** Attributes that mean nothing to the service are kept as a whole. */
    const treeOf = async (attributes: readonly object[], fields: object = {}) => {
      return withoutSpan((await callOf({ attributes, ...fields })).attributes);
    };

    test.each<readonly [value: object, json: unknown]>([
      [{ stringValue: 'x' }, 'x'],
      [{ boolValue: false }, false],
      [{ intValue: '9007199254740991' }, 9_007_199_254_740_991],
      [{ doubleValue: 1.5 }, 1.5],
      [{ doubleValue: 'NaN' }, 'NaN'],
      [{ doubleValue: 'Infinity' }, 'Infinity'],
      [{ doubleValue: '-Infinity' }, '-Infinity'],
      [{ arrayValue: { values: [{ intValue: 1 }, {}] } }, [1, null]],
      [{ kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } }, { k: 'v' }],
      [{ bytesValue: 'aGk=' }, 'aGk='],
      [{}, null],
      [{ stringValue: '{"a":[1]}' }, { a: [1] }],
      [{ stringValue: '[1]' }, [1]],
      [{ stringValue: '{no json' }, '{no json'],
      [{ stringValue: '5' }, '5'],
    ])('%j is %j', async (value, json) => {
      expect(await treeOf([{ key: 'mine', value }])).toEqual({ mine: json });
    });

    test('integers keep their digits', async () => {
      await callOf({ attributes: [{ key: 'mine', value: { intValue: '-9007199254740993' } }] });
      const { text } = await service.post('/call/read', { project_id: service.project, id: SPAN });
      expect(text).toContain('"mine":-9007199254740993');
    });

    test.each<readonly [name: string, attributes: Attributes, tree: object]>([
      ['keys are split at dots', { 'a.b': 1, 'a.c.d': 2 }, { a: { b: 1, c: { d: 2 } } }],
      ['a taken prefix keeps both', { a: 1, 'a.b': 2 }, { a: 1, 'a.b': 2 }],
      ['in any order', { 'a.b': 2, a: 1 }, { a: 1, 'a.b': 2 }],
      ['objects grow', { a: '{"x":1}', 'a.b': 2 }, { a: { x: 1, b: 2 } }],
      ['a taken place keeps both', { a: '{"b":1}', 'a.b': 2 }, { a: { b: 1 }, 'a.b': 2 }],
      ['keys from 0 on make a list', { 'a.0.x': 1, 'a.1.x': 2 }, { a: [{ x: 1 }, { x: 2 }] }],
      ['keys with a gap do not', { 'a.0': 1, 'a.2': 2 }, { a: { 0: 1, 2: 2 } }],
    ])('%s', async (_name, attributes, tree) => {
      expect(await treeOf(keyValues(attributes))).toEqual(tree);
    });

    test('events are in it, as a list when there are several of a name', async () => {
      const event = (name: string, n: number) => ({ name, attributes: keyValues({ n }) });
      expect(await treeOf([], { events: [event('one', 1), event('two', 2), event('two', 3)] })).toEqual({
        events: { one: { n: 1 }, two: [{ n: 2 }, { n: 3 }] },
      });
    });
  });

  describe('10.4 inputs, output, usage', () => {
    /** A span with the keys from `at` on, so that the first of them has to win. */
    const spanWith = (keys: readonly string[], at: number) => {
      const rest = keys.slice(at);
      const isEvent = (key: string) => key.startsWith('events.');
      const attributes = Object.fromEntries(rest.filter((key) => !isEvent(key)).map((key) => [key, `of ${key}`]));
      const events = rest.filter(isEvent).map((key) => ({ name: key.slice(7), attributes: keyValues({ text: key }) }));
      return spanOf({ spanId: String(at + 1).padStart(16, '0'), attributes: keyValues(attributes), events });
    };
    const winners = async (keys: readonly string[], field: string) => {
      expect((await send(exportOf(keys.map((_, at) => spanWith(keys, at))))).text).toBe('{}');
      return (await service.query({ sort_by: [{ field: 'id', direction: 'asc' }] })).map((call) => call[field]);
    };
    const found = (key: string) => (key.startsWith('events.') ? { text: key } : `of ${key}`);

    test('of the keys of inputs the first that is there counts', async () => {
      expect(await winners(INPUTS, 'inputs')).toEqual(INPUTS.map((key) => ({ [key]: found(key) })));
    });

    test('of the keys of the output the first that is there counts', async () => {
      expect(await winners(OUTPUTS, 'output')).toEqual(
        OUTPUTS.map((key) => (key.startsWith('output') && key !== 'output.value' ? found(key) : { [key]: found(key) })),
      );
    });

    test.each<readonly [attributes: Attributes, inputs: unknown, output: unknown]>([
      [{ input: '{"a":1}', output: '{"b":1}' }, { a: 1 }, { b: 1 }],
      [{ inputs: '[1]', outputs: '[2]' }, { inputs: [1] }, [2]],
      [{ 'input.value': '', input: 'x', 'output.value': '{}', output: 'y' }, { input: 'x' }, 'y'],
      [{ input: 0, output: false }, { input: 0 }, false],
      [{ other: 1 }, {}, null],
    ])('%j has inputs %j and the output %j', async (attributes, inputs, output) => {
      expect(await callWith(attributes)).toMatchObject({ inputs, output });
    });

    test.each<readonly [name: string, attributes: Attributes, usage: unknown]>([
      [
        'GenAI',
        { 'gen_ai.usage.prompt_tokens': 1, 'gen_ai.usage.completion_tokens': 2 },
        { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      ],
      [
        'OpenInference',
        { 'llm.token_count.prompt': 1, 'llm.token_count.completion': 2, 'llm.token_count.total': 9 },
        { prompt_tokens: 1, completion_tokens: 2, total_tokens: 9 },
      ],
      [
        'the AI SDK',
        { 'ai.usage.promptTokens': 1, 'ai.usage.completionTokens': 2 },
        { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      ],
      [
        'input and output',
        { 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.output_tokens': 2 },
        { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      ],
      [
        'the newer AI SDK',
        { 'ai.usage.inputTokens': 1, 'ai.usage.outputTokens': 2, 'ai.usage.totalTokens': 4 },
        { input_tokens: 1, output_tokens: 2, total_tokens: 4 },
      ],
      ['embeddings', { 'ai.usage.tokens': 5 }, { input_tokens: 5, total_tokens: 5 }],
      [
        'both names, of which one counts',
        {
          'gen_ai.usage.prompt_tokens': 7,
          'gen_ai.usage.completion_tokens': 8,
          'gen_ai.usage.input_tokens': 1,
          'gen_ai.usage.output_tokens': 2,
        },
        { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      ],
      [
        'digits',
        { 'gen_ai.usage.input_tokens': '12', 'llm.usage.total_tokens': '20' },
        { input_tokens: 12, total_tokens: 20 },
      ],
      [
        'what is no count',
        { 'gen_ai.usage.input_tokens': 1.5, 'gen_ai.usage.output_tokens': 2 },
        { output_tokens: 2, total_tokens: 2 },
      ],
    ])('tokens of %s are counted', async (_name, attributes, usage) => {
      expect(await callWith({ 'gen_ai.request.model': 'm', ...attributes })).toMatchObject({
        summary: { usage: { m: usage } },
      });
      service.renew();
      expect(((await callWith(attributes))['summary'] as { usage: unknown }).usage).toEqual({ usage });
    });

    test('without tokens there is no usage', async () => {
      expect((await callWith({ 'gen_ai.request.model': 'm' }))['summary']).not.toHaveProperty('usage');
    });
  });

  describe('10.5 attributes', () => {
    const NAMES: Readonly<Record<string, string>> = {
      system: 'gen_ai.system llm.system gen_ai.system_instructions system_prompt',
      kind: 'svc.span.kind traceloop.span.kind openinference.span.kind mlflow.spanType',
      model: 'gen_ai.response.model gen_ai.request.model llm.model_name ai.model.id embedding.model_name',
      provider: 'llm.provider ai.model.provider gen_ai.provider.name',
      agent: 'gen_ai.agent.name',
      tools: 'gen_ai.agent.tools gen_ai.tool.definitions',
      operation: 'gen_ai.operation.name',
    };

    test.each(Object.entries(NAMES))('%s is the first of %s', async (name, line) => {
      const keys = line.split(' ');
      for (const [index, key] of keys.entries()) {
        service.renew();
        const { attributes } = await callWith(
          Object.fromEntries(keys.slice(index).map((other) => [other, `of ${other}`])),
        );
        expect(attributes[name]).toBe(`of ${key}`);
      }
    });

    test('parameters of a model are those of its request', async () => {
      const { attributes } = await callWith({
        'gen_ai.request.temperature': 0.5,
        'llm.invocation_parameters': '{"n":1}',
      });
      expect(attributes['model_parameters']).toEqual({ temperature: 0.5 });
      service.renew();
      const other = await callWith({
        'llm.invocation_parameters': '{"model":"m","n":1}',
        'gen_ai.usage.input_tokens': 1,
      });
      expect(other).toMatchObject({
        attributes: { model_parameters: { model: 'm', n: 1 } },
        summary: { usage: { m: { input_tokens: 1 } } },
      });
    });

    test('attributes of the user are merged at the root and win', async () => {
      const { attributes } = await callWith({
        'gen_ai.system': 'x',
        'svc.attributes': '{"system":"mine","env":"prod"}',
      });
      expect(attributes).toMatchObject({ system: 'mine', env: 'prod' });
    });

    test('where nothing was found the whole tree is kept', async () => {
      const { attributes } = await callWith({ 'my.own': 1, other: 'x' });
      expect(withoutSpan(attributes)).toEqual({ my: { own: 1 }, other: 'x' });
    });
  });
});

test('10.6 the example', async () => {
  const service = await openService({ storage: 'sqlite' });
  const answer = await service.post(PATH, EXAMPLE);
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect(await service.read('0123456789abcdef')).toEqual({
    id: '0123456789abcdef',
    project_id: 'acme/demo',
    trace_id: '0123456789abcdef0123456789abcdef',
    parent_id: null,
    op_name: 'chat',
    display_name: null,
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:01.500000Z',
    thread_id: 'chat-7',
    turn_id: '0123456789abcdef',
    inputs: { 'gen_ai.prompt': [{ role: 'user', content: 'hi' }] },
    output: { 'gen_ai.completion': [{ content: 'hello' }] },
    summary: {
      usage: { 'gpt-x': { input_tokens: 10, output_tokens: 4, total_tokens: 14 } },
      svc: { status: 'success', trace_name: 'chat', latency_ms: 1500 },
    },
    attributes: { model: 'gpt-x', otel_span: expect.objectContaining({ name: 'chat', kind: 'CLIENT' }) as object },
    exception: null,
    svc_user_id: 'user-1',
    svc_run_id: null,
    svc_run_step: null,
    deleted_at: null,
    storage_size_bytes: null,
    total_storage_size_bytes: null,
  });
  await service.close();
});
