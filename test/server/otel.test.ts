import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

let running: RunningServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const PATH = '/otel/v1/traces';
const SPAN_ID = '0123456789abcdef';
const TRACE_ID = '0123456789abcdef0123456789abcdef';
const HEADERS = { project_id: PROJECT };

const string = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const integer = (key: string, intValue: string | number) => ({ key, value: { intValue } });
const truth = (key: string, boolValue: boolean) => ({ key, value: { boolValue } });
const any = (key: string, value: unknown) => ({ key, value });

function span(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    name: 'chat',
    kind: 3,
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601500000000',
    status: { code: 1 },
    ...fields,
  };
}

function exportOf(spans: readonly unknown[], resource: readonly unknown[] = []): object {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope: { name: 'x' }, spans }] }] };
}

interface Call {
  readonly [field: string]: unknown;
  readonly attributes: Record<string, unknown>;
}

async function readCall(server: RunningServer, id = SPAN_ID, project_id = PROJECT): Promise<Call> {
  const { body } = await server.post('/call/read', { project_id, id });
  return (body as { call: Call }).call;
}

/** The call that a span with these fields becomes. */
async function callOf(fields: Record<string, unknown>, resource: readonly unknown[] = []): Promise<Call> {
  running ??= await startServer();
  const spanId = typeof fields['spanId'] === 'string' ? fields['spanId'] : SPAN_ID;
  const answer = await running.post(PATH, exportOf([span(fields)], resource), HEADERS);
  expect(answer).toMatchObject({ status: 200, text: '{}' });
  return await readCall(running, spanId.toLowerCase());
}

/** The call of a span with these attributes. */
const callWith = (...attributes: unknown[]) => callOf({ attributes });

const EXAMPLE = exportOf(
  [
    span({
      attributes: [
        string('gen_ai.prompt.0.role', 'user'),
        string('gen_ai.prompt.0.content', 'hi'),
        string('gen_ai.completion.0.content', 'hello'),
        string('gen_ai.response.model', 'gpt-x'),
        integer('gen_ai.usage.input_tokens', '10'),
        integer('gen_ai.usage.output_tokens', '4'),
        string('svc.thread_id', 'chat-7'),
        truth('svc.is_turn', true),
      ],
    }),
  ],
  [string('svc.entity', 'acme'), string('svc.project', 'demo')],
);

describe.each(ENGINES)('spans on %s', (storage) => {
  test('a span becomes a call', async () => {
    running = await startServer({ storage });
    const answer = await running.post(PATH, EXAMPLE);
    expect(answer).toMatchObject({ status: 200, text: '{}' });
    const { attributes, ...call } = await readCall(running);
    expect(call).toMatchObject({
      id: SPAN_ID,
      trace_id: TRACE_ID,
      parent_id: null,
      op_name: 'chat',
      display_name: null,
      started_at: '2026-01-01T00:00:00Z',
      ended_at: '2026-01-01T00:00:01.500000Z',
      thread_id: 'chat-7',
      turn_id: SPAN_ID,
      inputs: { 'gen_ai.prompt': [{ role: 'user', content: 'hi' }] },
      output: { 'gen_ai.completion': [{ content: 'hello' }] },
      exception: null,
      svc_run_id: null,
      summary: {
        usage: { 'gpt-x': { input_tokens: 10, output_tokens: 4, total_tokens: 14 } },
        svc: { status: 'success', latency_ms: 1500 },
      },
    });
    expect(attributes).toEqual({
      model: 'gpt-x',
      otel_span: {
        name: 'chat',
        context: { trace_id: TRACE_ID, span_id: SPAN_ID, trace_state: '' },
        kind: 'CLIENT',
        parent_id: null,
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-01T00:00:01.500000Z',
        status: { code: 'OK', message: '' },
        attributes: {
          gen_ai: {
            prompt: [{ role: 'user', content: 'hi' }],
            completion: [{ content: 'hello' }],
            response: { model: 'gpt-x' },
            usage: { input_tokens: 10, output_tokens: 4 },
          },
          svc: { thread_id: 'chat-7', is_turn: true },
        },
        events: [],
        links: [],
        resource: { attributes: { svc: { entity: 'acme', project: 'demo' } } },
      },
    });
    const threads = await running.post('/threads/stream_query', { project_id: PROJECT });
    expect(threads.text).toContain('"thread_id":"chat-7","turn_count":1');
  });

  test('an export that is sent again changes nothing', async () => {
    running = await startServer({ storage });
    await running.post(PATH, EXAMPLE);
    const before = await readCall(running);
    expect(await running.post(PATH, EXAMPLE)).toMatchObject({ status: 200, text: '{}' });
    expect(await readCall(running)).toEqual(before);
    const stats = await running.post('/calls/query_stats', { project_id: PROJECT });
    expect(stats.body).toMatchObject({ count: 1 });
  });

  test('a deleted call stays deleted when its span comes again', async () => {
    running = await startServer({ storage });
    await running.post(PATH, EXAMPLE);
    await running.post('/calls/delete', { project_id: PROJECT, call_ids: [SPAN_ID] });
    expect(await running.post(PATH, EXAMPLE)).toMatchObject({ status: 200 });
    expect(await readCall(running)).toBeNull();
  });
});

describe('the project', () => {
  const names = [string('svc.entity', 'acme'), string('svc.project', 'other')];

  test('of the resource goes before the one of the header', async () => {
    running = await startServer();
    await running.post(PATH, exportOf([span()], names), HEADERS);
    expect(await readCall(running)).toBeNull();
    expect(await readCall(running, SPAN_ID, 'acme/other')).toMatchObject({ id: SPAN_ID });
  });

  test('may be named in the vendor spelling, and half a name is none', async () => {
    running = await startServer();
    await running.post(PATH, exportOf([span()], [string('wandb.entity', 'acme'), string('wandb.project', 'other')]));
    expect(await readCall(running, SPAN_ID, 'acme/other')).toMatchObject({ id: SPAN_ID });
    await running.post(PATH, exportOf([span()], names.slice(1)), HEADERS);
    expect(await readCall(running)).toMatchObject({ id: SPAN_ID });
  });

  test('that is missing everywhere refuses the request', async () => {
    running = await startServer();
    const answer = await running.post(PATH, exportOf([span()]));
    expect(answer).toMatchObject({ status: 400, body: { error_code: 'invalid_project_id' } });
    expect((await running.post(PATH, exportOf([span()]), { project_id: 'demo' })).status).toBe(400);
  });

  test('that is missing for some spans leaves out those', async () => {
    running = await startServer();
    const body = { resourceSpans: [...spansOf(exportOf([span(), span()])), ...spansOf(EXAMPLE)] };
    const answer = await running.post(PATH, body);
    expect(answer).toMatchObject({ status: 200, body: { partialSuccess: { rejectedSpans: '2' } } });
    expect(await readCall(running)).toMatchObject({ id: SPAN_ID });
  });

  test('gives runs their full name', async () => {
    const run = string('svc.run_id', 'r1');
    expect(await callOf({ attributes: [run] })).toMatchObject({ svc_run_id: 'acme/demo/r1' });
    expect(await callOf({ spanId: '1'.repeat(16), attributes: [run] }, [string('svc.run_id', 'x/y/r2')])).toMatchObject(
      {
        svc_run_id: 'x/y/r2',
      },
    );
  });
});

function spansOf(body: object): unknown[] {
  return (body as { resourceSpans: unknown[] }).resourceSpans;
}

describe('a span that cannot be a call', () => {
  test.each([
    ['the trace id is short', { traceId: '0123' }],
    ['the trace id is zero', { traceId: '0'.repeat(32) }],
    ['the trace id is missing', { traceId: undefined }],
    ['the span id is no hexadecimal number', { spanId: 'x123456789abcdef' }],
    ['the span id is zero', { spanId: '0'.repeat(16) }],
    ['the start time is zero', { startTimeUnixNano: '0' }],
    ['the start time is missing', { startTimeUnixNano: undefined }],
    ['the start time is beyond all years', { startTimeUnixNano: '18446744073709551615' }],
    ['the end time is beyond all years', { endTimeUnixNano: '18446744073709551615' }],
    ['the name is a broken reference', { name: 'svc:///acme' }],
  ])('is left out and counted when %s', async (_reason, fields) => {
    running = await startServer();
    const answer = await running.post(PATH, exportOf([span(fields), span({ spanId: '2'.repeat(16) })]), HEADERS);
    expect(answer).toMatchObject({ status: 200, body: { partialSuccess: { rejectedSpans: '1' } } });
    expect(await readCall(running)).toBeNull();
    expect(await readCall(running, '2'.repeat(16))).not.toBeNull();
  });

  test('says why, in at most 20 messages', async () => {
    running = await startServer();
    const spans = Array.from({ length: 30 }, (_, index) => span({ name: `n${index}`, spanId: '' }));
    const { status, body } = await running.post(PATH, exportOf(spans), HEADERS);
    const { partialSuccess } = body as { partialSuccess: { rejectedSpans: string; errorMessage: string } };
    expect(status).toBe(200);
    expect(partialSuccess.rejectedSpans).toBe('30');
    expect(partialSuccess.errorMessage.split('; ')).toHaveLength(20);
    expect(partialSuccess.errorMessage).toContain('span "n0": the span id');
  });
});

describe('a request', () => {
  test.each([
    ['[]', 400],
    ['null', 400],
    ['1.0', 400],
    ['"x"', 400],
    ['false', 400],
    ['{', 400],
    ['{"resourceSpans":{}}', 400],
    ['{"resourceSpans":[1]}', 400],
    ['{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":{}}]}]}]}', 400],
    ['{}', 200],
    ['{"resourceSpans":[],"unknown":1}', 200],
    ['{"resourceSpans":[{"resource":null,"scopeSpans":null,"x":[]}]}', 200],
  ])('with the body %s is answered with %i', async (body, status) => {
    running = await startServer();
    expect((await running.post(PATH, body, HEADERS)).status).toBe(status);
  });

  test('of another content type is refused', async () => {
    running = await startServer();
    const answer = await running.post(PATH, '{}', { 'content-type': 'application/cbor' });
    expect(answer).toMatchObject({ status: 415, body: { error_code: 'unsupported_media_type' } });
  });

  test('may be packed', async () => {
    running = await startServer();
    const response = await fetch(running.url + PATH, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${running.apiKey}`,
        'content-encoding': 'gzip',
        'content-type': 'application/json',
      },
      body: gzipSync(JSON.stringify(EXAMPLE)),
    });
    expect(response.status).toBe(200);
    expect(await readCall(running)).not.toBeNull();
  });

  test('may spell names in snake case, numbers as numbers and enumerations by name', async () => {
    running = await startServer();
    const body = {
      resource_spans: [
        {
          scope_spans: [
            {
              spans: [
                {
                  trace_id: TRACE_ID.toUpperCase(),
                  span_id: SPAN_ID,
                  parent_span_id: 'AAAAAAAAAAAAAAAA',
                  name: 'f',
                  kind: 'SPAN_KIND_SERVER',
                  start_time_unix_nano: 1,
                  end_time_unix_nano: 2000,
                  status: { code: 'STATUS_CODE_ERROR', message: 'no' },
                  attributes: [{ key: 'input', value: { string_value: 'hi' } }],
                },
              ],
            },
          ],
        },
      ],
    };
    expect((await running.post(PATH, body, HEADERS)).text).toBe('{}');
    expect(await readCall(running)).toMatchObject({
      trace_id: TRACE_ID,
      parent_id: 'a'.repeat(16),
      started_at: '1970-01-01T00:00:00Z',
      ended_at: '1970-01-01T00:00:00.000002Z',
      exception: 'no',
      inputs: { input: 'hi' },
      attributes: { otel_span: { kind: 'SERVER', start_time: '1970-01-01T00:00:00.000000001Z' } },
    });
  });
});

describe('fields of the call', () => {
  test('a span without an end time runs', async () => {
    const call = await callOf({ endTimeUnixNano: '0' });
    expect(call).toMatchObject({ ended_at: null, summary: { svc: { status: 'running' } } });
  });

  test('the parent in the trace state is used when it ends in the parent span', async () => {
    const callId = '0190a000-0000-7000-aaaa-aaaaaaaaaaaa';
    const parent = { parentSpanId: 'a'.repeat(16) };
    expect(await callOf({ ...parent, traceState: `x=1, spoor=${callId}` })).toMatchObject({ parent_id: callId });
    const other = { spanId: '1'.repeat(16), parentSpanId: 'b'.repeat(16), traceState: `spoor=${callId}` };
    expect(await callOf(other)).toMatchObject({ parent_id: 'b'.repeat(16) });
    expect(await callOf({ spanId: '2'.repeat(16), parentSpanId: '0'.repeat(16) })).toMatchObject({ parent_id: null });
  });

  test('a span that stands for a call of ours is taken, and is no second call', async () => {
    const copy = { spanId: 'a'.repeat(16), traceState: 'x=1,spoor=0190a000-0000-7000-aaaa-aaaaaaaaaaaa' };
    expect(await callOf({ parentSpanId: copy.spanId, traceState: copy.traceState })).toMatchObject({ id: SPAN_ID });
    const answer = await running?.post(PATH, exportOf([span(copy)]), HEADERS);
    expect(answer).toMatchObject({ status: 200, text: '{}' });
    const read = await running?.post('/call/read', { project_id: PROJECT, id: copy.spanId });
    expect(read?.body).toMatchObject({ call: null });
  });

  test('long names are cut at a word and marked with their digest', async () => {
    const word = 'w'.repeat(60);
    const name = `${word} ${word}.${word}`;
    const mark = createHash('sha256').update(name).digest('hex').slice(0, 4);
    expect(await callOf({ name })).toMatchObject({ op_name: `${word} ${word}:${mark}` });
    const single = 'ü'.repeat(129);
    const call = await callOf({ spanId: '1'.repeat(16), name: single });
    expect(call['op_name']).toMatch(/^ü{123}:[0-9a-f]{4}$/);
    expect(await callOf({ spanId: '2'.repeat(16), name: '' })).toMatchObject({ op_name: 'unnamed' });
    expect(await callOf({ spanId: '3'.repeat(16), name: 'x'.repeat(128) })).toMatchObject({ op_name: 'x'.repeat(128) });
  });

  test('display names are cut', async () => {
    const call = await callWith(string('svc.display_name', 'd'.repeat(1025)));
    expect(call['display_name']).toBe(`${'d'.repeat(1021)}...`);
  });

  test('times may be given by attributes, as text or in nanoseconds', async () => {
    const call = await callWith(
      string('langfuse.startTime', '2025-12-31T23:59:59Z'),
      string('langfuse.endTime', '1767225600000001999'),
    );
    expect(call).toMatchObject({ started_at: '2025-12-31T23:59:59Z', ended_at: '2026-01-01T00:00:00.000001Z' });
  });

  test('an error has the message of its status, of its event, or a word', async () => {
    const event = (name: string, ...attributes: unknown[]) => ({ name, timeUnixNano: '1', attributes });
    const error = (id: number, fields: object) =>
      callOf({ spanId: String(id).repeat(16), status: { code: 2 }, ...fields });
    const raised = event('exception', string('exception.type', 'TypeError'), string('exception.message', 'no'));
    expect(await error(1, { status: { code: 2, message: 'late' }, events: [raised] })).toMatchObject({
      exception: 'late',
    });
    expect(await error(2, { events: [raised] })).toMatchObject({ exception: 'TypeError: no' });
    expect(await error(3, { events: [raised, event('exception')] })).toMatchObject({ exception: 'TypeError: no' });
    expect(await error(4, {})).toMatchObject({ exception: 'ERROR' });
    expect(await error(5, { status: { code: 0, message: 'x' }, events: [raised] })).toMatchObject({ exception: null });
  });

  test('steps are integers', async () => {
    const call = await callWith(integer('svc.run_step', '7'), string('svc.run_step_end', '9'));
    expect(call).toMatchObject({ svc_run_step: 7, svc_run_step_end: 9 });
  });

  test.each([
    ['a session of the agent framework', [string('gcp.vertex.agent.session_id', 's')], {}, 's', true],
    ['a thread', [string('svc.thread_id', 's')], {}, 's', false],
    ['a thread and a turn', [string('wandb.thread_id', 's'), string('wandb.is_turn', 'true')], {}, 's', true],
    ['a thread and no turn', [string('svc.thread_id', 's'), truth('svc.is_turn', false)], {}, 's', false],
    ['a conversation at the root', [string('gen_ai.conversation.id', 's')], {}, 's', true],
    ['a conversation below', [string('session.id', 's')], { parentSpanId: 'a'.repeat(16) }, 's', false],
    ['a number as a session', [integer('session.id', 5)], {}, '5', true],
    ['a turn without a thread', [truth('svc.is_turn', true)], {}, null, false],
    ['a thread id that is too long', [string('svc.thread_id', 'x'.repeat(1025))], {}, null, false],
  ])('thread and turn of %s', async (_name, attributes, fields, threadId, isTurn) => {
    const call = await callOf({ attributes, ...fields });
    expect(call).toMatchObject({ thread_id: threadId, turn_id: isTurn ? SPAN_ID : null });
  });
});

describe('attributes', () => {
  const treeOf = async (...attributes: unknown[]) => {
    const call = await callWith(...attributes);
    return (call.attributes['otel_span'] as { attributes: unknown }).attributes;
  };

  test('keep the value of every type', async () => {
    running = await startServer();
    const attributes = [
      string('s', ' [1'),
      truth('b', false),
      integer('i', '9007199254740993'),
      any('d', { doubleValue: 1 }),
      any('nan', { doubleValue: 'NaN' }),
      any('inf', { doubleValue: '-Infinity' }),
      any('a', { arrayValue: { values: [{ intValue: 1 }, {}, { stringValue: '{"x":[1.50]}' }] } }),
      any('o', { kvlistValue: { values: [string('k', 'v')] } }),
      any('bytes', { bytesValue: 'aGk=' }),
      any('none', null),
    ];
    await running.post(PATH, exportOf([span({ attributes })]), HEADERS);
    const { text } = await running.post('/call/read', { project_id: PROJECT, id: SPAN_ID });
    expect(text).toContain(
      '"a":[1,null,{"x":[1.5]}],"b":false,"bytes":"aGk=","d":1.0,"i":9007199254740993,"inf":"-Infinity",' +
        '"nan":"NaN","none":null,"o":{"k":"v"},"s":" [1"',
    );
  });

  test('are a tree, whatever their order', async () => {
    const attributes = [string('a.b.c', '1'), string('a', '0'), string('b.c', '2'), string('b', '{"d":3}')];
    const tree = { a: '0', 'a.b.c': '1', b: { c: '2', d: 3 } };
    expect(await treeOf(...attributes)).toEqual(tree);
    await running?.close();
    running = undefined;
    expect(await treeOf(...attributes.reverse())).toEqual(tree);
  });

  test('stay whole where their place is taken', async () => {
    expect(await treeOf(string('b', '{"c":1}'), string('b.c', '2'))).toEqual({ b: { c: 1 }, 'b.c': '2' });
  });

  test('with the keys 0 to n are arrays, others are not', async () => {
    expect(await treeOf(string('a.1', 'y'), string('a.0', 'x'), string('b.1', 'z'), string('c.00', 'w'))).toEqual({
      a: ['x', 'y'],
      b: { 1: 'z' },
      c: { '00': 'w' },
    });
  });

  test('named like parts of JavaScript objects are ordinary', async () => {
    const call = await callWith(string('__proto__.polluted', 'x'), string('constructor', 'y'));
    expect(JSON.stringify(call.attributes)).toContain('"constructor":"y","__proto__":{"polluted":"x"}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('with thousands of parts or levels are kept as texts', async () => {
    const key = 'k.'.repeat(5000);
    const text = '['.repeat(5000) + ']'.repeat(5000);
    expect(await treeOf(string(key, 'v'), string('deep', text))).toEqual({ [key]: 'v', deep: text });
  });

  test('that nobody knows are all kept, with the events', async () => {
    const events = [
      { name: 'retry', timeUnixNano: '1', attributes: [integer('n', 1)] },
      { name: 'retry', timeUnixNano: '2', attributes: [integer('n', 2)] },
      { name: 'a.b', timeUnixNano: '3' },
    ];
    const { otel_span: dump, ...attributes } = (await callOf({ attributes: [string('x.y', 'z')], events })).attributes;
    expect(attributes).toEqual({ x: { y: 'z' }, events: { retry: [{ n: 1 }, { n: 2 }], a: { b: {} } } });
    expect(dump).toMatchObject({
      attributes: { x: { y: 'z' } },
      events: [{ name: 'retry', timestamp: '1970-01-01T00:00:00.000000001Z', attributes: { n: 1 } }, {}, {}],
    });
  });

  test('of the conventions get neutral names, the ones of the user win', async () => {
    const call = await callWith(
      string('gen_ai.system', 'openai'),
      string('openinference.span.kind', 'LLM'),
      string('gen_ai.request.model', 'm'),
      any('gen_ai.request.temperature', { doubleValue: 0.5 }),
      string('gen_ai.provider.name', 'p'),
      string('gen_ai.agent.name', 'a'),
      string('gen_ai.tool.definitions', '[{"name":"t"}]'),
      string('gen_ai.operation.name', 'chat'),
      string('svc.attributes', '{"env":"prod","kind":"mine"}'),
      string('other', 'x'),
    );
    const { otel_span: _dump, ...attributes } = call.attributes;
    expect(attributes).toEqual({
      system: 'openai',
      kind: 'mine',
      model: 'm',
      model_parameters: { model: 'm', temperature: 0.5 },
      provider: 'p',
      agent: 'a',
      tools: [{ name: 't' }],
      operation: 'chat',
      env: 'prod',
    });
  });
});

describe('cached and reasoning tokens', () => {
  const usageWith = async (...attributes: unknown[]) => {
    const { usage } = (await callWith(...attributes))['summary'] as { usage: Record<string, object> };
    return usage['usage'];
  };
  const WHOLES = [
    ['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', 'input_tokens', 'output_tokens'],
    ['llm.token_count.prompt', 'llm.token_count.completion', 'prompt_tokens', 'completion_tokens'],
  ] as const;

  test.each(
    WHOLES.flatMap((names) =>
      [
        [10, 3, 2, 5],
        [10, 6, 4, 0],
        [10, 0, 0, 3],
      ].map(([whole = 0, read = 0, written = 0, thought = 0]) => ({ names, whole, read, written, thought })),
    ),
  )('are taken out of the whole, so that buckets share nothing: %j', async (each) => {
    const { names, whole, read, written, thought } = each;
    const usage = await usageWith(
      integer(names[0], whole),
      integer(names[1], whole),
      integer('gen_ai.usage.cache_read.input_tokens', read),
      integer('llm.token_count.prompt_details.cache_write', written),
      integer('ai.usage.reasoningTokens', thought),
    );
    expect(usage).toEqual({
      [names[2]]: whole - read - written,
      [names[3]]: whole - thought,
      cache_read_tokens: read,
      cache_write_tokens: written,
      reasoning_tokens: thought,
      total_tokens: 2 * whole,
    });
  });

  test('are counted beside a whole that they are more than', async () => {
    const parts = [integer('gen_ai.usage.cache_read_input_tokens', 8), integer('gen_ai.usage.reasoning_tokens', 4)];
    const cached = integer('gen_ai.usage.cache_creation_input_tokens', 3);
    const usage = await usageWith(
      integer('gen_ai.usage.input_tokens', 10),
      integer('gen_ai.usage.output_tokens', 3),
      ...parts,
      cached,
    );
    expect(usage).toEqual({
      input_tokens: 10,
      output_tokens: 3,
      cache_read_tokens: 8,
      cache_write_tokens: 3,
      reasoning_tokens: 4,
      total_tokens: 28,
    });
  });

  test('a total that was sent is kept, and parts without a whole stand alone', async () => {
    const read = integer('ai.usage.cachedInputTokens', 8);
    expect(await usageWith(read, integer('ai.usage.totalTokens', 11))).toEqual({
      cache_read_tokens: 8,
      total_tokens: 11,
    });
    expect(await usageWith(read)).toEqual({ cache_read_tokens: 8, total_tokens: 8 });
  });
});

describe('inputs, output and usage', () => {
  test.each([
    [[string('ai.prompt', '{"messages":[]}'), string('gen_ai.prompt', 'x')], { 'ai.prompt': { messages: [] } }],
    [[string('ai.prompt', ''), string('input.value', 'x')], { 'input.value': 'x' }],
    [[string('ai.prompt', '{}'), truth('input.value', false)], { 'input.value': false }],
    [[integer('input', 0)], { input: 0 }],
    [[string('input', '{"q":"hi"}')], { q: 'hi' }],
    [[string('inputs.q', 'hi')], { q: 'hi' }],
    [[string('input.value', 'x'), string('input.mime_type', 'text/plain')], { 'input.value': 'x' }],
    [[string('unknown', 'x')], {}],
  ])('inputs of %j', async (attributes, inputs) => {
    expect((await callWith(...attributes))['inputs']).toEqual(inputs);
  });

  test.each([
    [[string('output.value', '[1]')], { 'output.value': [1] }],
    [[string('output', 'x')], 'x'],
    [[string('outputs', '[1,2]')], [1, 2]],
    [[string('gen_ai.completion.0.content', 'x'), string('output', 'y')], { 'gen_ai.completion': [{ content: 'x' }] }],
    [[string('unknown', 'x')], null],
  ])('output of %j', async (attributes, output) => {
    expect((await callWith(...attributes))['output']).toEqual(output);
  });

  test('messages may come as events', async () => {
    const events = [
      { name: 'gen_ai.user.message', attributes: [string('content', 'hi')] },
      { name: 'gen_ai.choice', attributes: [string('message', 'hello')] },
    ];
    expect(await callOf({ events })).toMatchObject({
      inputs: { 'events.gen_ai.user.message': { content: 'hi' } },
      output: { 'events.gen_ai.choice': { message: 'hello' } },
    });
  });

  test('references in inputs and output are found', async () => {
    const ref = 'svc:///acme/demo/object/a:v1';
    await callWith(string('input', ref));
    const request = { project_id: PROJECT, filter: { input_refs: [ref] } };
    expect((await (running as RunningServer).post('/calls/query_stats', request)).body).toMatchObject({ count: 1 });
  });

  test.each([
    [
      [integer('gen_ai.usage.prompt_tokens', 1), integer('gen_ai.usage.completion_tokens', 2)],
      'usage',
      [1, 2, null, null, 3],
    ],
    [[integer('llm.token_count.prompt', 1), integer('llm.token_count.total', 9)], 'usage', [1, null, null, null, 9]],
    [[integer('ai.usage.promptTokens', 0)], 'usage', [0, null, null, null, 0]],
    [
      [integer('gen_ai.usage.input_tokens', 1), integer('gen_ai.usage.prompt_tokens', 5)],
      'usage',
      [null, null, 1, null, 1],
    ],
    [
      [integer('gen_ai.usage.prompt_tokens', 5), integer('gen_ai.usage.output_tokens', 2)],
      'usage',
      [null, null, 5, 2, 7],
    ],
    [[string('gen_ai.usage.input_tokens', '12'), string('llm.model_name', 'm')], 'm', [null, null, 12, null, 12]],
    [[string('gen_ai.usage.input_tokens', 'x'), integer('ai.usage.tokens', 3)], 'usage', [null, null, 3, null, 3]],
    [
      [integer('ai.usage.totalTokens', 3), string('llm.invocation_parameters', '{"model":"m2"}')],
      'm2',
      [null, null, null, null, 3],
    ],
  ])('usage of %j', async (attributes, model, counts) => {
    const names = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'total_tokens'];
    const expected = names.flatMap((name, index) => (counts[index] === null ? [] : [[name, counts[index]]]));
    const { usage } = (await callWith(...attributes))['summary'] as { usage: unknown };
    expect(usage).toEqual({ [model]: Object.fromEntries(expected) });
  });

  test('without usage the summary has none', async () => {
    expect((await callWith(string('input', 'x')))['summary']).not.toHaveProperty('usage');
  });
});
