import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import OpenAI from 'openai';
import { traced } from 'spoor';
import { wrapOpenAI } from 'spoor/openai';
import { describe, expect, test, vi } from 'vitest';
import { captureClass } from '../../src/integrations/api/capture-library.ts';
import { OPENAI } from '../../src/integrations/openai/openai.ts';
import { foldResponse } from '../../src/integrations/openai/openai-response.ts';
import { fill } from '../../src/testing/masking/made-up-secret.ts';
import { startRecording, treeOf } from '../tracing/recording.ts';
import { startOpenAI } from './openai-provider.ts';
import { everyEvent, OUTPUT } from './openai-provider-responses.ts';
import { SCENARIOS } from './openai-scenarios.ts';
import { recordedCall } from './recorded-call.ts';
import { worldOf } from './wrapped-client.ts';

const world = worldOf({
  start: startOpenAI,
  module: OpenAI,
  create: (url) => new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 2 }),
  wrap: wrapOpenAI,
  scenarios: SCENARIOS,
});
const client = () => world().client();
const run = (name: string) => world().run(name);

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Whoever waits for an object to be gone is told in a later turn. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    gc();
    await sleep(5);
  }
}

const CHAT_USAGE = {
  requests: 1,
  input_tokens: 20,
  output_tokens: 7,
  total_tokens: 42,
  cache_read_tokens: 8,
  cache_write_tokens: 2,
  reasoning_tokens: 5,
};

describe('what is recorded', () => {
  test('a chat: parameters, answer, tokens under the model that answered, provider and host', async () => {
    const call = await run('chat');
    expect(call).toMatchObject({
      op: 'openai.chat.completions.create',
      attributes: { kind: 'llm', provider: 'openai', host: new URL(world().provider.url).host },
      inputs: { model: 'plain', messages: [{ role: 'user', content: 'Who goes there?' }] },
      output: { id: 'chatcmpl-1', choices: [{ message: { content: 'Hi there, tracker' } }] },
      summary: { usage: { 'plain-0613': CHAT_USAGE }, raw_usage: { 'plain-0613': { prompt_tokens: 30 } } },
    });
    expect(call.exception).toBeUndefined();
    expect(call.summary['stream']).toBeUndefined();
  });

  test('a conversation that is compacted, by the version that has it', async () => {
    await wrapOpenAI(client()).responses.compact({ model: 'plain', input: 'Where to?' });
    expect(recordedCall(world().recording)).toMatchObject({
      op: 'openai.responses.compact',
      inputs: { model: 'plain', input: 'Where to?' },
      output: { object: 'response.compaction' },
      summary: { usage: { plain: { requests: 1, output_tokens: 15, reasoning_tokens: 10, cache_read_tokens: 16 } } },
    });
  });

  test('a secret in a message is hidden', async () => {
    const { text: key } = fill('openai', 'sk-proj-{w48}');
    await wrapOpenAI(client()).chat.completions.create({
      model: 'plain',
      messages: [{ role: 'user', content: `My key is ${key}` }],
    });
    expect(JSON.stringify(recordedCall(world().recording).inputs)).not.toContain(key);
  });

  test.each(['chat, stream', 'chat, stream, two choices', 'chat, stream, tools', 'chat, stream, refusal'])(
    '%s: the same output as without streaming, with tokens that nobody asked for',
    async (name) => {
      const streamed = await run(name);
      world().recording.records.length = 0;
      const whole = await run(name.replace(', stream', ''));
      const [{ message: wholeMessage } = { message: {} }] = whole.output['choices'] as { message: object }[];
      const { annotations: _none, ...message } = wholeMessage as Record<string, unknown>;
      const choices = streamed.output['choices'] as { message: object; finish_reason: string }[];
      expect(choices[0]?.message).toMatchObject({ ...message, content: message['content'] ?? '' });
      expect(choices.map(({ finish_reason: reason }) => reason)).toEqual(
        (whole.output['choices'] as { finish_reason: string }[]).map(({ finish_reason: reason }) => reason),
      );
      expect(streamed.output).toMatchObject({ object: 'chat.completion', id: 'chatcmpl-1', service_tier: 'default' });
      expect(streamed.summary['usage']).toEqual(whole.summary['usage']);
      expect(streamed.summary['usage']).toEqual({ [`${String(whole.inputs['model'])}-0613`]: CHAT_USAGE });
      const { chunks, first_chunk_ms: firstMs, reason } = streamed.summary['stream'] ?? {};
      expect(chunks).toBeGreaterThan(2);
      expect(firstMs).toBeTypeOf('number');
      expect(reason).toBe('end');
      expect(streamed.inputs['stream_options']).toBeUndefined();
    },
  );

  test('parallel calls of tools whose arguments came in turns', async () => {
    const { output } = await run('chat, stream, tools');
    expect(output['choices']).toMatchObject([
      {
        message: {
          tool_calls: [
            { id: 'call_0', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bergen"}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ]);
    expect(JSON.stringify(output['choices'])).not.toContain('"index":1');
  });

  test('reasoning of a stream', async () => {
    const { output } = await run('chat, stream, reasoning');
    expect(output['choices']).toMatchObject([{ message: { reasoning_content: 'Two and two', content: 'Four' } }]);
  });

  test('a stream whose usage the program asked for, or did not want', async () => {
    const asked = await run('chat, stream, usage wanted');
    expect(asked.summary['usage']).toEqual({ 'plain-0613': CHAT_USAGE });
    expect(asked.inputs['stream_options']).toEqual({ include_usage: true });
    world().recording.records.length = 0;
    const unwanted = await run('chat, stream, usage not wanted');
    expect(unwanted.summary['usage']).toBeUndefined();
  });

  test('a service that does not know the question is asked once, and the request made as it was', async () => {
    const own = wrapOpenAI(client());
    for (let round = 0; round < 2; round++) await world().play('chat, stream, service without that member', own);
    const options = world().provider.requests.map(({ body }) => (body as { stream_options?: unknown }).stream_options);
    expect(options).toEqual([{ include_usage: true }, undefined, undefined]);
    expect(
      world()
        .recording.calls()
        .map(({ end }) => end?.exception),
    ).toEqual([undefined, undefined]);
  });

  test.each([
    ['no-such-name', [true, false]],
    ['no-such-param', [true, false]],
    ['no-such-detail', [true, false]],
    ['no-other-param', [true]],
    ['status-400', [true]],
  ])('%s: a request is made again only where the question may be what is wrong with it', async (model, wanted) => {
    const own = wrapOpenAI(client());
    const ask = own.chat.completions.create({ model, messages: [], stream: true });
    const outcome = await ask.then(
      () => 'answered',
      () => 'refused',
    );
    expect(outcome).toBe(wanted.length === 1 ? 'refused' : 'answered');
    const bodies = world().provider.requests.map(({ body }) => body as { stream_options?: unknown });
    expect(bodies.map(({ stream_options: options }) => options !== undefined)).toEqual(wanted);
  });

  test('a stream that the program leaves: what came until then, and the request is broken off', async () => {
    const { summary, output } = await run('chat, stream, break');
    expect(summary['stream']).toMatchObject({ chunks: 1, reason: 'break' });
    expect(output['choices']).toMatchObject([{ message: { role: 'assistant' } }]);
    await expect(world().provider.requests[0]?.aborted).resolves.toBe(true);
  });

  test('a stream that the program leaves before it reads', async () => {
    const { summary, exception } = await run('chat, stream, left unread');
    expect(summary['stream']).toMatchObject({ chunks: 0, reason: 'break' });
    expect(exception).toBeUndefined();
  });

  test('a stream that the program ends with an error before it reads', async () => {
    expect((await run('chat, stream, failed unread')).exception).toContain('RangeError: Too far');
  });

  test('a stream that the program aborts', async () => {
    const { summary, exception } = await run('chat, stream, abort');
    expect(summary['stream']).toMatchObject({ reason: 'cancel' });
    expect(exception).toBeUndefined();
  });

  test('a stream that breaks: the error, and what came until then', async () => {
    const { exception, summary, output } = await run('chat, stream, torn');
    expect(exception).toContain('terminated');
    expect(summary['stream']).toMatchObject({ reason: 'error' });
    expect(output['choices']).toMatchObject([{ message: { content: 'Hi there, tracker' } }]);
  });

  test('an error within a stream', async () => {
    expect((await run('chat, stream, error within')).exception).toContain('The model broke');
  });

  test('a stream that a second reader wants, too: what the first one reads', async () => {
    const { exception, output, summary } = await run('chat, stream, two readers');
    expect(exception).toBeUndefined();
    expect(output['choices']).toMatchObject([{ message: { content: 'Hi there, tracker' } }]);
    expect(summary['stream']).toMatchObject({ chunks: 6, reason: 'end' });
  });

  test('a stream that is read after its promise is gone', async () => {
    const chunks = await wrapOpenAI(client()).chat.completions.create({ model: 'plain', messages: [], stream: true });
    await collectGarbage();
    for await (const chunk of chunks) expect(chunk.id).toBe('chatcmpl-1');
    const { output, summary } = recordedCall(world().recording);
    expect(output['choices']).toMatchObject([{ message: { content: 'Hi there, tracker' } }]);
    expect(summary['stream']).toMatchObject({ reason: 'end' });
  });

  test('a response that is wanted as it is, and comes after its promise is gone', async () => {
    const slowly = async (...request: Parameters<typeof fetch>) => {
      await collectGarbage();
      return fetch(...request);
    };
    const own = wrapOpenAI(new OpenAI({ apiKey: 'sk-test', baseURL: `${world().provider.url}/v1`, fetch: slowly }));
    const response = await own.chat.completions.create({ model: 'plain', messages: [] }).asResponse();
    await response.text();
    expect(recordedCall(world().recording).output['choices']).toMatchObject([
      { message: { content: 'Hi there, tracker' } },
    ]);
  });

  test('a request whose answer nobody asks for ends when nobody can ask any more', async () => {
    void wrapOpenAI(client()).chat.completions.create({ model: 'plain', messages: [] });
    await vi.waitFor(async () => {
      await collectGarbage();
      expect(recordedCall(world().recording).output).toBeNull();
    }, 20_000);
    expect(world().provider.requests.length).toBe(1);
  });

  test('a stream that is split is one call', async () => {
    const { output, summary } = await run('chat, stream, tee');
    expect(output['choices']).toMatchObject([{ message: { content: 'Hi there, tracker' } }]);
    expect(summary['usage']).toEqual({ 'plain-0613': CHAT_USAGE });
  });

  test.each([
    ['chat, asResponse', { 'plain-0613': CHAT_USAGE }],
    // The program gets the bytes as they come, so nothing was asked.
    ['chat, stream, asResponse', undefined],
  ])('%s: the answer out of the bytes that the program reads', async (name, usage) => {
    const { output, summary } = await run(name);
    expect(output['choices']).toMatchObject([{ message: { content: 'Hi there, tracker' } }]);
    expect(summary['usage']).toEqual(usage);
  });

  test('a request that the library makes again until it succeeds is one call', async () => {
    expect((await run('chat, 500 twice')).exception).toBeUndefined();
    expect(world().provider.requests.length).toBe(3);
  });

  test.each([
    ['chat, 400', 1],
    ['chat, 429', 3],
    ['chat, 500', 3],
    ['chat, reset', 1],
  ])('%s: one call with the error, however often the library tries', async (name, tries) => {
    const { exception, output } = await run(name);
    expect(exception).toMatch(/^(BadRequest|RateLimit|InternalServer|APIConnection)?Error/);
    expect(output).toBeNull();
    expect(world().provider.requests.length).toBe(tries);
  });

  test('each request of the tool runner is a call, below the call that runs it', async () => {
    const agent = traced(async () => world().play('chat, tool runner', wrapOpenAI(client())), { name: 'agent' });
    expect(await agent()).toMatchObject({ content: 'Hi there, tracker' });
    expect(treeOf(world().recording)).toEqual([
      'agent(openai.chat.completions.create, openai.chat.completions.create)',
    ]);
    expect(world().recording.call('agent').end?.summary?.['usage']).toMatchObject({ 'plain-0613': { requests: 2 } });
  });

  test('what is not sampled is not recorded, and behaves the same', async () => {
    world().recording = startRecording({ sample: 0 });
    expect(await world().play('chat, stream', wrapOpenAI(client()))).toHaveLength(5);
    expect(world().recording.calls()).toEqual([]);
  });

  test('wrong use of the library fails the call with the same error', async () => {
    expect((await run('chat, wrong use')).exception).toMatch(/^TypeError/);
  });

  test.each(['responses', 'responses, stream', 'responses, parse', 'responses, stream, helper'])(
    '%s: the response as a whole',
    async (name) => {
      const { op, output, summary } = await run(name);
      expect(op).toBe('openai.responses.create');
      expect(output).toMatchObject({ id: 'resp_1', status: 'completed', output: OUTPUT });
      expect(summary['usage']).toEqual({
        'plain-0613': {
          requests: 1,
          input_tokens: 20,
          output_tokens: 15,
          total_tokens: 65,
          cache_read_tokens: 16,
          cache_write_tokens: 4,
          reasoning_tokens: 10,
        },
      });
    },
  );

  test('a response that is left early is what its events have told', async () => {
    const { output, summary } = await run('responses, stream, break');
    expect(summary['stream']).toMatchObject({ reason: 'break' });
    expect(output['output']).toMatchObject([OUTPUT[0], OUTPUT[1], { name: 'weather', arguments: '{"city":' }]);
  });

  test('no kind of event is unknown to the service of these tests', async () => {
    const events = (await world().play('responses, stream, every event', wrapOpenAI(client()))) as {
      type: string;
    }[];
    const types = readFileSync(new URL('resources/responses/responses.d.ts', import.meta.resolve('openai')), 'utf8');
    const union = /export type ResponseStreamEvent = ([^;]*);/.exec(types)?.[1]?.split(' | ') ?? [];
    const wanted = union.map(
      (name) => new RegExp(`export interface ${name} \\{[^]*?\\n {4}type: '([^']*)'`).exec(types)?.[1],
    );
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((type) => !events.some((event) => event.type === type))).toEqual([]);
    expect(recordedCall(world().recording).output).toMatchObject({ status: 'completed', output: OUTPUT });
  });

  test('of events without a last one everything is put together', () => {
    const fold = foldResponse();
    for (const event of everyEvent({ model: 'plain' }).slice(0, -4)) fold.add(event);
    const { output, audio } = fold.value() as { output: Record<string, unknown>[]; audio: unknown };
    expect(audio).toEqual({ data: 'AAEC', transcript: 'Hm' });
    expect(output).toMatchObject([
      OUTPUT[0],
      { content: [{ text: 'Fresh tracks', annotations: [{ url: 'https://a.example' }] }] },
      OUTPUT[2],
      { code: 'print(1)' },
      { type: 'file_search_call' },
      { type: 'web_search_call' },
      { type: 'image_generation_call' },
      { content: [{ refusal: 'No' }] },
      { arguments: '{}' },
      { type: 'mcp_list_tools' },
      { input: 'go' },
    ]);
  });

  test.each(['responses, failed', 'responses, stream, failed'])(
    '%s: the call fails with what the response says',
    async (name) => {
      const { exception, output } = await run(name);
      expect(exception).toContain('server_error: The model broke');
      expect(output).toMatchObject({ status: 'failed' });
    },
  );

  test('a response that ends with an error', async () => {
    expect((await run('responses, stream, broken')).exception).toContain('server_error: It broke');
  });

  test.each(['completions', 'completions, stream'])('%s: the text', async (name) => {
    const { op, output, summary } = await run(name);
    expect(op).toBe('openai.completions.create');
    expect(output).toMatchObject({ object: 'text_completion', choices: [{ text: ' tracks', finish_reason: 'stop' }] });
    expect(summary['usage']).toMatchObject({ 'plain-0613': { input_tokens: 6, output_tokens: 2 } });
  });

  test('embeddings: numbers as the program gets them', async () => {
    const { op, attributes, inputs, output, summary } = await run('embeddings');
    expect([op, attributes['kind']]).toEqual(['openai.embeddings.create', 'embedding']);
    expect(inputs).toEqual({ model: 'plain', input: 'Fresh tracks' });
    expect(output).toMatchObject({ data: [{ embedding: [0.5, -0.25, 1] }] });
    expect(summary['usage']).toMatchObject({ 'plain-0613': { input_tokens: 5, output_tokens: 0 } });
  });

  test.each(['images', 'images, stream'])('%s: tokens under the model that was asked', async (name) => {
    const { output, summary } = await run(name);
    expect(JSON.stringify(output)).toContain('aW1hZ2U=');
    expect(summary['usage']).toMatchObject({ painter: { input_tokens: 7, output_tokens: 20 } });
  });

  test.each(['transcription', 'transcription, stream'])('%s: the text', async (name) => {
    const { output, summary } = await run(name);
    expect(output).toMatchObject({ text: 'Good morning' });
    expect(summary['usage']).toMatchObject({ ear: { input_tokens: 14, output_tokens: 3 } });
  });

  test('speech: its size, when the program has read it', async () => {
    expect((await run('speech')).output).toEqual({ status: 200, bytes: 4 });
  });
});

type Create = (...args: unknown[]) => unknown;

describe('one layer records', () => {
  test('of two wraps of one client', async () => {
    const own = wrapOpenAI(wrapOpenAI(client()));
    await own.withOptions({ maxRetries: 1 }).chat.completions.create({ model: 'plain', messages: [] });
    expect(world().recording.calls().length).toBe(1);
  });

  test('of a wrapped client whose class is captured later', async () => {
    const own = wrapOpenAI(client());
    class Copy extends OpenAI {}
    const { prototype } = OpenAI.Chat.Completions;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'create') as PropertyDescriptor;
    const origin = { hook: 'import', version: '6.0.0' } as const;
    captureClass({ ...OPENAI, methods: OPENAI.methods.slice(0, 1) }, Copy, origin);
    try {
      await own.chat.completions.create({ model: 'plain', messages: [] });
      expect(world().recording.calls().length).toBe(1);
      await client().chat.completions.create({ model: 'plain', messages: [] });
      expect(world().recording.calls().length).toBe(2);
    } finally {
      Object.defineProperty(prototype, 'create', descriptor);
    }
  });

  test.each([
    [
      'at once',
      (create: Create): Create =>
        (...args) =>
          create(...args),
    ],
    [
      'later',
      (create: Create): Create =>
        async (...args) => {
          await Promise.resolve();
          return create(...args);
        },
    ],
  ])('where the tool of somebody else stands between two, which calls the library %s', async (_when, tool) => {
    const inner = wrapOpenAI(client());
    const { completions } = inner.chat;
    const create = completions.create.bind(completions) as unknown as Create;
    Object.defineProperty(completions, 'create', { value: tool(create), configurable: true, writable: true });
    const outer = wrapOpenAI(inner);
    const ask = () => outer.chat.completions.create({ model: 'plain', messages: [] });
    expect(await Promise.all([ask(), ask()])).toHaveLength(2);
    await ask();
    expect(
      world()
        .recording.calls()
        .map(({ end }) => Object.keys(end?.summary?.['usage'] ?? {})),
    ).toEqual([['plain-0613'], ['plain-0613'], ['plain-0613']]);
  });

  test('a client without the methods is left as it is, and told', () => {
    const odd = { chat: {} };
    expect(wrapOpenAI(odd)).toBe(odd);
    expect(world().recording.problems.splice(0)).toMatchObject([
      { kind: 'capture-changed', message: expect.stringContaining('chat.completions.create') as string },
    ]);
    expect(() => wrapOpenAI(undefined as never)).toThrow(TypeError);
  });

  test('a stream of another shape is recorded nevertheless, and told', async () => {
    class Changed extends Promise<unknown> {
      responsePromise: Promise<unknown> = Promise.resolve({});
      parseResponse: () => Promise<unknown> = async () => chunks();
      // As the library does it.
      // oxlint-disable-next-line unicorn/no-thenable
      override then: Promise<unknown>['then'] = (...handlers) =>
        this.responsePromise.then(() => this.parseResponse()).then(...handlers);
    }
    const chunks = async function* chunks() {
      yield { id: '1', model: 'odd', choices: [{ index: 0, delta: { content: 'Hi' } }] };
      yield { id: '1', model: 'odd', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    };
    const own = wrapOpenAI({ chat: { completions: { create: () => new Changed(() => {}) } } });
    // Each kind of problem is told once.
    world().recording = startRecording();
    const seen: unknown[] = [];
    for await (const chunk of (await own.chat.completions.create()) as AsyncIterable<unknown>) seen.push(chunk);
    expect(seen.length).toBe(2);
    expect(recordedCall(world().recording)).toMatchObject({
      output: { choices: [{ message: { content: 'Hi' } }] },
      summary: { usage: { odd: { input_tokens: 1, output_tokens: 2 } }, stream: { chunks: 2, reason: 'end' } },
    });
    expect(world().recording.problems.splice(0)).toMatchObject([
      { kind: 'capture-changed', message: expect.stringContaining('"openai"') as string },
    ]);
  });

  test('a request that could not be looked at is recorded nevertheless, and told', async () => {
    const create = async (_body: object) => ({ model: 'mock' });
    const own = wrapOpenAI({ chat: { completions: { create } } });
    world().recording.problems.length = 0;
    // No text can be made of it.
    const body = { model: Object.create(null) as unknown, stream: true };
    expect(await own.chat.completions.create(body)).toEqual({ model: 'mock' });
    expect(recordedCall(world().recording).output).toEqual({ model: 'mock' });
    expect(world().recording.problems.splice(0)).toMatchObject([{ kind: 'capture-changed' }]);
  });

  test('what comes back may throw at whoever looks at it: the program gets it', async () => {
    const refuse = (): never => {
      throw new RangeError('Do not look');
    };
    const answer = new Proxy({}, { has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
    const own = wrapOpenAI({ chat: { completions: { create: async () => answer } } });
    world().recording = startRecording();
    expect((await own.chat.completions.create()) === answer).toBe(true);
    expect(world().recording.calls()[0]?.end).toBeDefined();
    expect(world().recording.problems.splice(0)).toMatchObject([{ kind: 'observe' }]);
  });

  test('a stand-in for the library is recorded, too', async () => {
    const create = async () => ({ model: 'mock', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } });
    const own = wrapOpenAI({ chat: { completions: { create } } });
    world().recording.problems.length = 0;
    expect(await own.chat.completions.create()).toMatchObject({ model: 'mock' });
    expect(recordedCall(world().recording).summary['usage']).toMatchObject({
      mock: { input_tokens: 1, output_tokens: 2 },
    });
  });
});
