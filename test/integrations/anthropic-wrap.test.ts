import Anthropic from '@anthropic-ai/sdk';
import { wrapAnthropic } from 'spoor/anthropic';
import { describe, expect, test } from 'vitest';
import { foldMessage } from '../../src/integrations/anthropic/anthropic-message.ts';
import { CONTENT, startAnthropic } from './anthropic-provider.ts';
import { SCENARIOS } from './anthropic-scenarios.ts';
import { worldOf } from './wrapped-client.ts';

const world = worldOf({
  start: startAnthropic,
  module: Anthropic,
  create: (url) => new Anthropic({ apiKey: 'sk-ant-test', baseURL: url, maxRetries: 2 }),
  wrap: wrapAnthropic,
  scenarios: SCENARIOS,
});
const run = (name: string) => world().run(name);

const USAGE = {
  requests: 1,
  input_tokens: 20,
  output_tokens: 15,
  total_tokens: 65,
  cache_read_tokens: 16,
  cache_write_tokens: 4,
  reasoning_tokens: 10,
};

describe('what is recorded', () => {
  test.each([
    'message',
    'message, stream',
    'message, withResponse',
    'message, stream, withResponse',
    'message, asResponse',
    'message, stream, asResponse',
    'message, stream, tee',
    'message, stream, toReadableStream',
    'beta message',
    'beta message, stream',
    'beta message, stream, helper',
  ])('%s: the whole message with thinking and citations, tokens in buckets', async (name) => {
    const { op, attributes, inputs, output, summary } = await run(name);
    expect(op).toBe(name.startsWith('beta') ? 'anthropic.beta.messages.create' : 'anthropic.messages.create');
    expect(attributes).toEqual({ kind: 'llm', provider: 'anthropic', host: new URL(world().provider.url).host });
    expect(inputs).toMatchObject({ model: 'plain', max_tokens: 100 });
    expect(output).toMatchObject({ id: 'msg_1', role: 'assistant', content: CONTENT, stop_reason: 'end_turn' });
    expect(summary['usage']).toEqual({ 'plain-20250514': USAGE });
  });

  test.each(['message, tools', 'message, stream, tools', 'message, stream, helper'])(
    '%s: calls of tools with their input',
    async (name) => {
      const { output } = await run(name);
      expect(output).toMatchObject({
        stop_reason: 'tool_use',
        content: [
          { type: 'text', text: 'Let me see' },
          { type: 'tool_use', id: 'toolu_1', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'toolu_2', input: { city: 'Bergen' } },
        ],
      });
    },
  );

  test('a stream that the program leaves: what came until then, and the request is broken off', async () => {
    const { summary, output } = await run('message, stream, break');
    expect(summary['stream']).toMatchObject({ reason: 'break' });
    expect(output['content']).toEqual([{ type: 'thinking', thinking: 'Look ', signature: '' }]);
    await expect(world().provider.requests[0]?.aborted).resolves.toBe(true);
  });

  test('a stream that the program aborts, and one that brings an error', async () => {
    expect((await run('message, stream, abort')).summary['stream']).toMatchObject({ reason: 'cancel' });
    world().recording.records.length = 0;
    expect((await run('message, stream, error within')).exception).toContain('The model broke');
  });

  test.each([
    ['message, 400', 1],
    ['message, 429', 3],
    ['message, 529 twice', 3],
  ])('%s: one call, however often the library tries', async (name, tries) => {
    const { exception } = await run(name);
    expect(exception === undefined).toBe(name.includes('twice'));
    expect(world().provider.requests.length).toBe(tries);
  });

  test('the input of a tool that did not come to its end is the text that came', () => {
    const fold = foldMessage();
    const tool = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} };
    fold.add({ type: 'content_block_start', index: 0, content_block: tool });
    fold.add({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"ci' } });
    expect(fold.value()).toEqual({ content: [{ ...tool, input: '{"ci' }] });
  });
});
