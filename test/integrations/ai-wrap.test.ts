import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ai from 'ai';
import OpenAI from 'openai';
import { traced } from 'spoor';
import { wrapAISDK } from 'spoor/ai-sdk';
import { wrapOpenAI } from 'spoor/openai';
import { describe, expect, test } from 'vitest';
import { foldParts } from '../../src/integrations/ai-sdk/ai-stream.ts';
import { aiUsage } from '../../src/integrations/ai-sdk/ai-usage.ts';
import { startRecording, treeOf } from '../tracing/recording.ts';
import { memberTypes } from './member-types.ts';
import { connect, type Kit, SCENARIOS } from './ai-scenarios.ts';
import { startOpenAI } from './openai-provider.ts';
import { worldOf } from './wrapped-client.ts';

const world = worldOf({
  start: startOpenAI,
  module: undefined,
  create: connect,
  wrap: (kit) => ({ ...kit, ai: wrapAISDK(kit.ai) }),
  scenarios: SCENARIOS,
});

const TOKENS = {
  requests: 1,
  input_tokens: 20,
  output_tokens: 7,
  total_tokens: 42,
  cache_read_tokens: 8,
  cache_write_tokens: 2,
  reasoning_tokens: 5,
};

const TWICE = {
  requests: 2,
  input_tokens: 40,
  output_tokens: 14,
  total_tokens: 84,
  cache_read_tokens: 16,
  cache_write_tokens: 4,
  reasoning_tokens: 10,
};

const STEPS = ['tool-call', 'tool-call', 'tool-result', 'tool-result', 'text'];

async function play(name: string) {
  await world().play(name, world().wrapped());
  const { recording } = world();
  const [outermost] = recording.calls();
  if (outermost === undefined) throw new Error('Nothing was recorded');
  return { recording, outermost, tree: treeOf(recording) };
}

type Content = readonly { readonly type: string; readonly text?: string }[];

function contentOf(output: unknown): Content {
  return (output as { readonly content: Content }).content;
}

function packageFile(installedAs: string): string {
  return fileURLToPath(new URL(`../../node_modules/${installedAs}/package.json`, import.meta.url));
}

describe('what is recorded', () => {
  test.each([
    ['text', 'ai.generateText(ai.doGenerate)'],
    ['text, stream', 'ai.streamText(ai.doStream)'],
    ['text, stream, parts', 'ai.streamText(ai.doStream)'],
    ['text, stream, consumed', 'ai.streamText(ai.doStream)'],
    ['text, stream, response', 'ai.streamText(ai.doStream)'],
  ])('%s: the function, and the request of the model below it with its tokens', async (name, wanted) => {
    const { recording, outermost, tree } = await play(name);
    expect(tree).toEqual([wanted]);
    expect(outermost.start).toMatchObject({
      attributes: { kind: 'chain' },
      inputs: { model: 'plain', prompt: 'Who goes there?' },
    });
    expect(outermost.end?.output).toEqual({
      content: [{ type: 'text', text: 'Hi there, tracker' }],
      finishReason: 'stop',
    });
    expect(outermost.end?.summary?.['usage']).toEqual({ 'plain-0613': TOKENS });
    const [, request] = recording.calls();
    expect(request?.start).toMatchObject({
      attributes: { kind: 'llm', provider: 'openai.chat' },
      inputs: { model: 'plain' },
    });
    expect(request?.end?.output).toMatchObject({ content: [{ type: 'text', text: 'Hi there, tracker' }] });
    expect(request?.end?.summary).toMatchObject({ raw_usage: { 'plain-0613': { prompt_tokens: 30 } } });
  });

  test('no headers: they may be keys of any name', async () => {
    const { recording } = world();
    const kit = world().wrapped();
    const headers = { 'x-portkey-virtual-key': 'mine' };
    await kit.ai.generateText({ model: kit.openai.chat('plain'), prompt: 'Who goes there?', headers });
    expect(recording.calls().map(({ start }) => start.op_name)).toEqual(['ai.generateText', 'ai.doGenerate']);
    expect(JSON.stringify(recording.records)).not.toContain('virtual');
  });

  test.each([
    ['text, tools', 'ai.generateText', 'ai.doGenerate', 'chain'],
    ['text, stream, tools', 'ai.streamText', 'ai.doStream', 'chain'],
    ['agent', 'ai.Agent.generate', 'ai.doGenerate', 'agent'],
    ['agent, stream', 'ai.Agent.stream', 'ai.doStream', 'agent'],
  ])('%s: steps and tools in their order, tokens of all steps', async (name, op, request, kind) => {
    const { recording, outermost, tree } = await play(name);
    expect(tree).toEqual([`${op}(${request}, ai.executeTool, ai.executeTool, ${request})`]);
    expect(outermost.start).toMatchObject({ attributes: { kind }, inputs: { tools: ['weather'] } });
    expect(contentOf(outermost.end?.output).map(({ type }) => type)).toEqual(STEPS);
    expect(outermost.end?.summary?.['usage']).toEqual({ 'plain-0613': TWICE });
    expect(recording.calls()[2]).toMatchObject({
      start: { display_name: 'weather', attributes: { kind: 'tool', tool: 'weather' }, inputs: { city: 'Oslo' } },
      end: { output: { city: 'Oslo', sky: 'snow' } },
    });
  });

  test.each([
    ['object', 'ai.generateObject(ai.doGenerate)', { object: { answer: 42 }, finishReason: 'stop' }],
    ['object, stream', 'ai.streamObject(ai.doStream)', { object: { answer: 42 }, finishReason: 'stop' }],
    ['embedding', 'ai.embed(ai.doEmbed)', { embedding: [0.5, -0.25, 1] }],
    ['embeddings', 'ai.embedMany(ai.doEmbed)', { embeddings: [[0.5, -0.25, 1]] }],
  ])('%s', async (name, wanted, output) => {
    const { outermost, tree } = await play(name);
    expect(tree).toEqual([wanted]);
    expect(outermost.end?.output).toEqual(output);
    expect(JSON.stringify(outermost.end?.summary?.['usage'])).toMatch(/"input_tokens":(20|5)/);
  });

  test.each([
    ['text, 400', 1, 'This is a 400'],
    ['text, 429', 3, 'Failed after 3 attempts'],
    ['text, signal', 1, 'AbortError'],
    ['text, stream, 400', 1, 'This is a 400'],
    ['text, stream, error within', 1, 'The model broke'],
  ])('%s: the error, and each request that was made', async (name, requests, message) => {
    const { recording, outermost } = await play(name);
    expect(outermost.end?.exception).toContain(message);
    expect(recording.calls().length).toBe(1 + requests);
  });

  test('requests that the library makes again: those that failed, and the one that did not', async () => {
    const { recording, outermost } = await play('text, 500 twice');
    expect(outermost.end?.exception).toBeUndefined();
    expect(recording.calls().map(({ end }) => end?.exception !== undefined)).toEqual([false, true, true, false]);
    expect(outermost.end?.summary?.['usage']).toEqual({ 'twice-500-0613': TOKENS });
  });

  test.each([
    ['text, stream, abort', 'cancel'],
    ['text, stream, break', 'break'],
  ])('%s: what came until then', async (name, reason) => {
    const { outermost } = await play(name);
    expect(outermost.end?.summary?.['stream']).toMatchObject({ reason });
    expect(contentOf(outermost.end?.output)).toEqual([{ type: 'text', text: expect.stringMatching(/^Hi/) as string }]);
  });

  test('a model that is given by its name: nobody sees its request, but its tokens', async () => {
    const { outermost, tree } = await play('text, model by its name');
    expect(tree).toEqual(['ai.generateText']);
    expect(outermost.end?.summary?.['usage']).toEqual({ 'plain-0613': TOKENS });
  });

  test('what is not sampled is not recorded, and behaves the same', async () => {
    world().recording = startRecording({ sample: 0 });
    expect(await world().play('text, stream, consumed', world().wrapped())).toMatchObject(['Hi there, tracker', {}]);
    expect(world().recording.calls()).toEqual([]);
  });

  const CONTENT = ['file', 'reasoning', 'source', 'text', 'tool-call', 'tool-error', 'tool-result'];
  const OF_6 = ['tool-approval-request', 'tool-output-denied'];
  const OF_7 = ['custom', 'reasoning-file', 'steering-message', 'tool-approval-response'];

  test.each([
    ['ai-5', 'LanguageModelV2StreamPart', CONTENT],
    ['ai', 'LanguageModelV3StreamPart', [...CONTENT, ...OF_6]],
    ['ai-7', 'LanguageModelV4StreamPart', [...CONTENT, ...OF_6, ...OF_7]],
  ])('no kind of part of a stream of %s is unknown', (installedAs, ofModels, wanted) => {
    const models = createRequire(packageFile(installedAs)).resolve('@ai-sdk/provider/package.json');
    const told = { delta: 'Hi', text: 'Hi', toolName: 'weather', finishReason: 'stop', usage: {}, error: 'It broke' };
    const contentOfParts = (types: readonly string[]) => {
      const fold = foldParts();
      for (const type of types) fold.add({ type, id: type.replace(/-(start|delta|end)$/, ''), ...told });
      expect([types.length > 15, fold.isWhole(), fold.failure()?.message]).toEqual([true, true, 'It broke']);
      const content = contentOf(fold.value());
      expect(content.find(({ type }) => type === 'text')?.text).toBe('Hi');
      return content.map(({ type }) => type);
    };
    const ofModel = contentOfParts(memberTypes(join(dirname(models), 'dist/index.d.ts'), ofModels));
    const ofProgram = contentOfParts(
      memberTypes(join(dirname(packageFile(installedAs)), 'dist/index.d.ts'), 'TextStreamPart'),
    );
    expect([...new Set([...ofModel, ...ofProgram])].toSorted()).toEqual(wanted.toSorted());
  });

  test('what a piece of text or reasoning tells at its end is told of it', () => {
    const fold = foldParts();
    const citations = [{ source: { type: 'source', id: 'fox' } }];
    fold.add({ type: 'text-start', id: '1' });
    fold.add({ type: 'text-delta', id: '1', delta: 'Hi' });
    fold.add({ type: 'text-end', id: '1', citations });
    fold.add({ type: 'reasoning-start', id: '2', providerMetadata: { own: { first: 1 } } });
    fold.add({ type: 'reasoning-end', id: '2', providerMetadata: { own: { signature: 'x' } } });
    expect(fold.value()).toEqual({
      content: [
        { type: 'text', text: 'Hi', citations },
        { type: 'reasoning', text: '', providerMetadata: { own: { signature: 'x' } } },
      ],
    });
  });

  test('tokens as models of version 5 tell them', () => {
    const usage = { inputTokens: 30, outputTokens: 12, totalTokens: 42, cachedInputTokens: 8, reasoningTokens: 5 };
    const of = (provider: string, more = {}) => aiUsage({ usage: { ...usage, ...more } }, { provider, modelId: 'm' });
    expect(of('openai.chat')).toMatchObject({ model: 'm', input: 22, cacheRead: 8, output: 7, reasoning: 5 });
    expect(of('anthropic.messages')).toMatchObject({ input: 30, cacheRead: 8 });
    expect(of('google.generative-ai', { totalTokens: 47 })).toMatchObject({ input: 22, output: 12, reasoning: 5 });
  });
});

describe('one layer records', () => {
  test('of two wraps', async () => {
    const { ai: once, openai } = world().wrapped();
    await world().play('text', { ai: wrapAISDK(once), openai });
    expect(treeOf(world().recording)).toEqual(['ai.generateText(ai.doGenerate)']);
  });

  test('where a model makes its requests with a captured library', async () => {
    const client = wrapOpenAI(new OpenAI({ apiKey: 'sk-test', baseURL: `${world().provider.url}/v1` }));
    const model = {
      specificationVersion: 'v3',
      provider: 'own',
      modelId: 'plain',
      supportedUrls: {},
      async doGenerate() {
        const { choices } = await client.chat.completions.create({ model: 'plain', messages: [] });
        const inputTokens = { total: 30, noCache: 22, cacheRead: 8, cacheWrite: 0 };
        const outputTokens = { total: 12, text: 7, reasoning: 5 };
        const content = [{ type: 'text', text: choices[0]?.message.content ?? '' }];
        return {
          content,
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens, outputTokens },
          warnings: [],
        };
      },
      doStream: () => Promise.reject(new Error('No')),
    };
    const { generateText } = world().wrapped().ai;
    await generateText({ model: model as unknown as ai.LanguageModel, prompt: 'Who?' });
    expect(treeOf(world().recording)).toEqual(['ai.generateText(ai.doGenerate)']);
    expect(world().recording.calls()[0]?.end?.summary?.['usage']).toMatchObject({ plain: { requests: 1 } });
  });

  test('a tool that asks a model has its own request below it', async () => {
    const { ai: wrapped, openai } = world().wrapped();
    const ask = () => wrapped.generateText({ model: openai.chat('plain'), prompt: 'Which city?' });
    const inputSchema = wrapped.jsonSchema<object>({ type: 'object' });
    const tools = { weather: wrapped.tool({ inputSchema, execute: async () => (await ask()).text }) };
    const stopWhen = wrapped.stepCountIs(1);
    await traced(() => wrapped.generateText({ model: openai.chat('plain'), prompt: 'Hm', tools, stopWhen }), {
      name: 'own',
    })();
    const below = 'ai.executeTool(ai.generateText(ai.doGenerate))';
    expect(treeOf(world().recording)).toEqual([`own(ai.generateText(ai.doGenerate, ${below}, ${below}))`]);
  });
});

describe('what a program has', () => {
  test('stays as it is: the module, its class of agents, models and tools', async () => {
    const names = Object.keys(ai);
    const wrapped = wrapAISDK(ai);
    expect(Object.keys(wrapped)).toEqual(names);
    expect(wrapped.generateText.name).toBe(ai.generateText.name);
    expect(wrapped.generateText.length).toBe(ai.generateText.length);
    expect(new wrapped.ToolLoopAgent({ model: 'plain' })).toBeInstanceOf(ai.ToolLoopAgent);
    expect(wrapped.ToolLoopAgent.name).toBe(ai.ToolLoopAgent.name);
    const { openai }: Kit = world().client();
    const model = openai.chat('plain');
    const before = JSON.stringify(model);
    await wrapped.generateText({ model, prompt: 'Who?' });
    expect([JSON.stringify(model), Object.keys(model).includes('doGenerate')]).toEqual([before, false]);
  });

  test('may be frozen, or throw', async () => {
    const { ai: wrapped, openai } = world().wrapped();
    const frozen = Object.freeze(openai.chat('plain'));
    expect((await wrapped.generateText({ model: frozen, prompt: 'Who?' })).text).toBe('Hi there, tracker');
    const hostile = new Proxy(openai.chat('plain'), {
      get(target, key) {
        if (key === 'doEmbed') throw new Error('No');
        return Reflect.get(target, key) as unknown;
      },
    });
    expect((await wrapped.generateText({ model: hostile, prompt: 'Who?' })).text).toBe('Hi there, tracker');
    // Tokens that are not told by the model are those of the result.
    const calls = world().recording.calls();
    expect(
      calls.filter(({ start }) => start.op_name === 'ai.generateText').map(({ end }) => end?.summary),
    ).toMatchObject([{ usage: { 'plain-0613': TOKENS } }, { usage: { 'plain-0613': { input_tokens: 20 } } }]);
    expect(world().recording.problems.splice(0)).toMatchObject([{ kind: 'capture-changed' }]);
  });

  test('is told when it is no such module', () => {
    world().recording = startRecording();
    expect(wrapAISDK({ other: 1 })).toEqual({ other: 1 });
    expect(world().recording.problems.splice(0)).toMatchObject([
      { kind: 'capture-changed', message: expect.stringContaining('generateText') as string },
    ]);
    expect(() => wrapAISDK(undefined as never)).toThrow(TypeError);
  });
});
