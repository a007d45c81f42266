import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { wrapAISDK } from 'spoor/ai-sdk';
import { wrapAnthropic } from 'spoor/anthropic';
import { wrapGoogleGenAI } from 'spoor/google-genai';
import { wrapOpenAI } from 'spoor/openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect, SCENARIOS as AI } from './ai-scenarios.ts';
import { startAnthropic } from './anthropic-provider.ts';
import { SCENARIOS as ANTHROPIC } from './anthropic-scenarios.ts';
import { EVERY_PART, startGoogle } from './google-provider.ts';
import { SCENARIOS as GOOGLE } from './google-scenarios.ts';
import { startOpenAI } from './openai-provider.ts';
import { SCENARIOS as OPENAI } from './openai-scenarios.ts';
import { type ClientUnderTest, WrapWorld } from './wrapped-client.ts';
import { outlineOf, readChat } from '../ui/chat/outline.ts';

/** A library with its provider, for each test. */
function worldOf<Client>(under: ClientUnderTest<Client, never>): () => WrapWorld<Client, never> {
  let world: WrapWorld<Client, never>;
  beforeEach(async () => {
    world = new WrapWorld(under, await under.start());
  });
  afterEach(async () => {
    world.recording.stop();
    await world.provider.close();
  });
  return () => world;
}

const WEATHER = 'weather({"city":"Oslo"}) | weather({"city":"Bergen"})';

describe('what the OpenAI library recorded', () => {
  const world = worldOf({
    start: startOpenAI,
    module: undefined as never,
    create: (url) => new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1` }),
    wrap: wrapOpenAI,
    scenarios: OPENAI,
  });

  test.each([
    ['chat', ['user: Who goes there?', 'assistant: Hi there, tracker']],
    ['chat, two choices', ['user: Who goes there?', 'assistant: Hi there, tracker', 'assistant: Hi number 1']],
    ['chat, stream, tools', ['user: Who goes there?', `assistant: ${WEATHER}`]],
    ['chat, refusal', ['user: Who goes there?', 'assistant: refusal I cannot help with that']],
    ['chat, stream, reasoning', ['user: Who goes there?', 'assistant: reasoning Two and two | Four']],
    [
      'responses, stream',
      ['user: Where to?', 'assistant: reasoning Look down\n\nSnow melts | Fresh tracks | weather({"city":"Oslo"})'],
    ],
  ])('%s', async (name, wanted) => {
    expect(outlineOf(await world().run(name))).toEqual(wanted);
  });

  test('tools, settings and the reason to stop are told beside the messages', async () => {
    const chat = readChat(await world().run('chat, stream, tools'));
    expect(chat?.tools.map(({ name }) => name)).toEqual(['weather']);
    const settings = chat?.settings.map(({ name, value }) => [name, value]);
    expect(settings).toContainEqual(['model', 'plain']);
    expect(settings).toContainEqual(['finish_reason', 'tool_calls']);
  });

  test('embeddings are no conversation', async () => {
    const { inputs, output } = await world().run('embeddings');
    expect(outlineOf({ kind: 'embedding', inputs, output })).toBeUndefined();
  });
});

describe('what the Anthropic library recorded', () => {
  const world = worldOf({
    start: startAnthropic,
    module: undefined as never,
    create: (url) => new Anthropic({ apiKey: 'sk-ant-test', baseURL: url }),
    wrap: wrapAnthropic,
    scenarios: ANTHROPIC,
  });

  test('thinking, also the hidden one, and text with its citations', async () => {
    const outline = outlineOf(await world().run('message, stream'));
    expect(outline?.[0]).toBe('user: Who goes there?');
    expect(outline?.[1]).toMatch(/^assistant: reasoning Look down \| reasoning  \| Fresh tracks \| {"citations":/);
  });

  test('calls of tools', async () => {
    const outline = outlineOf(await world().run('message, stream, tools'));
    expect(outline).toEqual(['user: Who goes there?', `assistant: Let me see | ${WEATHER}`]);
  });
});

describe('what the Gemini library recorded', () => {
  const world = worldOf({
    start: startGoogle,
    module: undefined as never,
    create: (url) => new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } }),
    wrap: wrapGoogleGenAI,
    scenarios: GOOGLE,
  });

  test('texts, thoughts and calls of functions', async () => {
    const outline = outlineOf(await world().run('content, tools'));
    expect(outline).toEqual(['user: Who goes there?', `assistant: Let me see | ${WEATHER}`]);
  });

  test('results of functions stand beside their calls', async () => {
    await world().play('content, called tools', world().wrapped());
    const last = world().recording.calls().at(-1);
    const outline = outlineOf({ inputs: last?.start.inputs ?? {}, output: last?.end?.output });
    expect(outline?.join('\n')).toMatch(/weather\({"city":"Oslo"}\) = /);
  });

  test('no part is left out, of whatever kind', async () => {
    const { inputs, output } = await world().run('content, every part');
    const chat = readChat({ inputs, output });
    const answer = chat?.messages.at(-1);
    expect(answer?.parts.length).toBe(EVERY_PART.length + 1);
    const shown = JSON.stringify(chat);
    for (const said of ['print(1)', 'OUTCOME_OK', 'https://files.example/1', 'snow', 'GOOGLE_SEARCH_WEB', 'Ada']) {
      expect(shown).toContain(said);
    }
  });

  test('a blocked prompt says why', async () => {
    expect(outlineOf(await world().run('content, blocked'))?.at(-1)).toContain('SAFETY');
  });
});

describe('what the AI SDK recorded', () => {
  const world = worldOf({
    start: startOpenAI,
    module: undefined as never,
    create: connect,
    wrap: (kit) => ({ ...kit, ai: wrapAISDK(kit.ai) }),
    scenarios: AI,
  });
  const played = async (name: string) => {
    await world().play(name, world().wrapped());
    return world()
      .recording.calls()
      .map(({ start, end }) => ({
        kind: String(start.attributes?.['kind']),
        inputs: start.inputs ?? {},
        output: end?.output,
      }));
  };

  test('the function and each request of the model, with results beside their calls', async () => {
    const [outermost, first, ...rest] = await played('text, tools');
    expect(outlineOf(first ?? {})).toEqual(['user: Who goes there?', `assistant: ${WEATHER}`]);
    const wanted = 'weather({"city":"Oslo"}) = {"city":"Oslo","sky":"snow"}';
    const last = rest.findLast(({ kind }) => kind === 'llm');
    expect(outlineOf(last ?? {})?.[1]).toContain(wanted);
    expect(outlineOf({ ...outermost, kind: 'llm' })?.[1]).toContain(wanted);
  });

  test('a tool that the SDK called is no conversation', async () => {
    const tools = (await played('text, tools')).filter(({ kind }) => kind === 'tool');
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.map((call) => outlineOf(call))).toEqual(tools.map(() => undefined));
  });
});
