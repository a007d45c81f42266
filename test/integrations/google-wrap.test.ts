import { readFileSync } from 'node:fs';
import { GoogleGenAI, Models } from '@google/genai';
import { traced } from 'spoor';
import { wrapGoogleGenAI } from 'spoor/google-genai';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { captureGoogleGenAI } from '../../src/integrations/google-genai/google-genai.ts';
import { startRecording, treeOf } from '../tracing/recording.ts';
import { EVERY_PART, PARTS, startGoogle, TOOL_PARTS, USAGE } from './google-provider.ts';
import { SCENARIOS } from './google-scenarios.ts';
import { recordedCall } from './recorded-call.ts';
import { worldOf } from './wrapped-client.ts';

const world = worldOf({
  start: startGoogle,
  module: undefined,
  create: (url) => new GoogleGenAI({ apiKey: 'AIza-test', httpOptions: { baseUrl: url } }),
  wrap: wrapGoogleGenAI,
  scenarios: SCENARIOS,
});
const run = (name: string) => world().run(name);

/** What only Vertex does. */
function vertex(): GoogleGenAI {
  const httpOptions = { baseUrl: world().provider.url };
  return wrapGoogleGenAI(new GoogleGenAI({ vertexai: true, apiKey: 'AIza-test', httpOptions }));
}

const TOKENS = {
  requests: 1,
  input_tokens: 18,
  output_tokens: 12,
  total_tokens: 56,
  cache_read_tokens: 16,
  reasoning_tokens: 10,
};

const CONTENT = 'google.models.generateContent';
const STREAM = 'google.models.generateContentStream';

describe('what is recorded', () => {
  test.each([
    ['content', CONTENT],
    ['content, stream', STREAM],
    ['chat', CONTENT],
    ['chat, stream', STREAM],
  ])('%s: parameters, the whole answer with thoughts, tokens in buckets', async (name, opName) => {
    const { op, attributes, inputs, output, summary } = await run(name);
    expect(op).toBe(opName);
    expect(attributes).toEqual({ kind: 'llm', provider: 'google', host: new URL(world().provider.url).host });
    expect(inputs['model']).toBe('plain');
    expect(JSON.stringify(inputs['contents'])).toContain('Who goes there?');
    expect(output).toMatchObject({
      modelVersion: 'plain-001',
      responseId: 'resp_1',
      usageMetadata: USAGE,
      candidates: [{ content: { role: 'model', parts: PARTS }, finishReason: 'STOP', avgLogprobs: -0.5 }],
    });
    expect(JSON.stringify(output)).not.toContain('sdkHttpResponse');
    expect(summary['usage']).toEqual({ 'plain-001': TOKENS });
    expect(summary['raw_usage']).toEqual({ 'plain-001': USAGE });
    expect(summary['stream']?.['chunks']).toBe(opName === STREAM ? 6 : undefined);
  });

  test.each(['', ', two candidates', ', tools', ', every part'])(
    'a stream%s has the output that it has without streaming',
    async (what) => {
      const whole = await run(`content${what}`);
      world().recording.records.length = 0;
      const streamed = await run(`content, stream${what}`);
      expect(streamed.output).toEqual(whole.output);
      expect(streamed.summary['usage']).toEqual(whole.summary['usage']);
    },
  );

  test.each(['content, tools', 'content, stream, tools'])('%s: calls of functions in parallel', async (name) => {
    expect((await run(name)).output['candidates']).toMatchObject([{ content: { parts: TOOL_PARTS } }]);
  });

  test('no kind of part is unknown to the service of these tests', async () => {
    const types = readFileSync(new URL('../genai.d.ts', import.meta.resolve('@google/genai')), 'utf8');
    const declared = /export declare interface Part \{([^]*?)\n\}/.exec(types)?.[1] ?? '';
    const wanted = [...declared.matchAll(/^ {4}(\w+)\?:/gm)].map(([, name]) => name);
    expect(wanted.length).toBeGreaterThan(15);
    expect(wanted.filter((name) => !EVERY_PART.some((part) => name !== undefined && name in part))).toEqual([]);
    expect((await run('content, stream, every part')).output['candidates']).toMatchObject([
      { content: { parts: EVERY_PART } },
    ]);
  });

  test('arguments of a function that come in parts', async () => {
    const { output } = await run('content, stream, arguments');
    const partialArgs = [
      { jsonPath: '$.city', stringValue: 'Oslo' },
      { jsonPath: '$.days', numberValue: 3 },
    ];
    const functionCall = { id: 'call_1', name: 'weather', partialArgs };
    expect(output['candidates']).toEqual([
      expect.objectContaining({ content: { role: 'model', parts: [{ functionCall }] } }),
    ]);
  });

  test.each([
    ['content, called tools', CONTENT],
    ['content, stream, called tools', STREAM],
  ])('%s by the library: each request is a call, below the call that runs it', async (name, opName) => {
    const agent = traced(async () => world().play(name, world().wrapped()), { name: 'agent' });
    await agent();
    const { recording } = world();
    expect(treeOf(recording)).toEqual([`agent(${opName}, ${opName})`]);
    expect(recording.call('agent').end?.summary?.['usage']).toMatchObject({ 'plain-001': { requests: 2 } });
    expect(JSON.stringify(recording.calls()[2]?.start.inputs)).toContain('"sky":"snow"');
  });

  test('a response that was blocked says why', async () => {
    const { output, exception } = await run('content, blocked');
    expect(output).toMatchObject({ promptFeedback: { blockReason: 'SAFETY' } });
    expect(exception).toBeUndefined();
  });

  test.each(['content, stream, break', 'content, stream, by hand'])(
    '%s: what came until the program left',
    async (name) => {
      const { output, summary } = await run(name);
      expect(summary['stream']).toMatchObject({ chunks: 1, reason: 'break' });
      expect(output['candidates']).toEqual([
        { content: { role: 'model', parts: [{ text: 'Look ', thought: true }] }, index: 0 },
      ]);
    },
  );

  test.each([
    ['content, stream, abort', 'AbortError'],
    ['content, stream, torn', 'terminated'],
    ['content, stream, error within', 'This is a 503'],
  ])('%s: the error, and what came until then', async (name, message) => {
    const { exception, output, summary } = await run(name);
    expect(exception).toContain(message);
    expect(summary['stream']).toMatchObject({ reason: 'error' });
    expect(output['candidates']).toMatchObject([{ content: { parts: PARTS } }]);
  });

  test.each([
    ['content, 400', 1],
    ['content, 429', 1],
    ['content, stream, 429', 1],
    ['content, 500, tried twice', 2],
    ['content, 503 once', 2],
  ])('%s: one call, however often the library tries', async (name, tries) => {
    const { exception } = await run(name);
    expect(exception?.includes('This is a') ?? false).toBe(!name.includes('once'));
    expect(world().provider.requests.length).toBe(tries);
  });

  test.each(['content, signal', 'content, wrong use'])('%s fails the call', async (name) => {
    expect((await run(name)).exception).toMatch(/Error/);
  });

  test('embeddings: numbers as the program gets them', async () => {
    const { op, attributes, inputs, output } = await run('embedding');
    expect([op, attributes['kind']]).toEqual(['google.models.embedContent', 'embedding']);
    expect(inputs).toEqual({ model: 'plain', contents: ['Fresh', 'tracks'] });
    expect(output).toEqual({ embeddings: [{ values: [0.5, -0.25, 1] }, { values: [1, 0, 0] }] });
  });

  test('embeddings of Vertex tell their tokens', async () => {
    await vertex().models.embedContent({ model: 'text-embedding-005', contents: 'Fresh tracks' });
    const { summary } = recordedCall(world().recording);
    expect(summary['usage']).toMatchObject({ 'text-embedding-005': { input_tokens: 5, output_tokens: 0 } });
  });

  test('images', async () => {
    // That this is to go is said once.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    await vertex().models.generateImages({ model: 'painter', prompt: 'A fox' });
    const { op, inputs, output } = recordedCall(world().recording);
    expect([op, inputs['prompt']]).toEqual(['google.models.generateImages', 'A fox']);
    expect(JSON.stringify(output)).toContain('aW1hZ2U=');
  });

  test('a count of tokens is not a use of them', async () => {
    const { op, attributes, output, summary } = await run('count of tokens');
    expect([op, attributes['kind']]).toEqual(['google.models.countTokens', 'other']);
    expect(output).toEqual({ totalTokens: 31, cachedContentTokenCount: 16 });
    expect(summary['usage']).toBeUndefined();
  });

  test('what is not sampled is not recorded, and behaves the same', async () => {
    world().recording = startRecording({ sample: 0 });
    expect(await world().play('content, stream', world().wrapped())).toMatchObject({ chunks: { length: 6 } });
    expect(world().recording.calls()).toEqual([]);
  });
});

describe('one layer records', () => {
  test('of two wraps of one client', async () => {
    await world().play('content', wrapGoogleGenAI(world().wrapped()));
    expect(world().recording.calls().length).toBe(1);
  });

  test('of a wrapped client whose class is captured later', async () => {
    const own = world().wrapped();
    const before = Object.getOwnPropertyDescriptors(Models.prototype);
    captureGoogleGenAI({ Models }, { hook: 'import', version: '2.0.0' });
    try {
      await world().play('content', own);
      expect(world().recording.calls().length).toBe(1);
      await world().play('content', world().client());
      expect(world().recording.calls().length).toBe(2);
    } finally {
      Object.defineProperties(Models.prototype, before);
    }
  });

  test('a client without the methods is left as it is, and told', () => {
    const odd = { models: {} };
    world().recording = startRecording();
    expect(wrapGoogleGenAI(odd)).toBe(odd);
    expect(world().recording.problems.splice(0)).toMatchObject([
      { kind: 'capture-changed', message: expect.stringContaining('models.generateContentInternal') as string },
    ]);
    expect(() => wrapGoogleGenAI(undefined as never)).toThrow(TypeError);
  });

  test('a stand-in for the library is recorded, too', async () => {
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2 };
    const chunks = async function* chunks() {
      yield { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] };
      yield { candidates: [{ content: { parts: [{ text: ' there' }] } }], usageMetadata };
    };
    const own = wrapGoogleGenAI({ models: { generateContentStream: async (_params: object) => chunks() } });
    world().recording.problems.length = 0;
    for await (const chunk of await own.models.generateContentStream({ model: 'mock' })) expect(chunk).toBeDefined();
    expect(recordedCall(world().recording)).toMatchObject({
      output: { candidates: [{ content: { parts: [{ text: 'Hi there' }] } }] },
      summary: { usage: { mock: { input_tokens: 1, output_tokens: 2 } } },
    });
  });
});
