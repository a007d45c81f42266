import { describe, expect, test } from 'vitest';
import { CONVENTIONS } from '../../flow/otel-conventions.ts';
import { outlineOf, readChat } from './outline.ts';

describe('spans of instrumentations', () => {
  test('GenAI messages with parts, and parameters as settings', () => {
    const { call } = CONVENTIONS.genAi;
    expect(outlineOf(call)).toEqual(['user: What is a spoor?', 'assistant: A track.']);
    const settings = readChat(call)?.settings.map(({ name, value }) => [name, value]);
    expect(settings).toContainEqual(['temperature', 0.5]);
    expect(settings).toContainEqual(['finish_reason', 'stop']);
  });

  test('OpenInference, OpenLLMetry and the telemetry of the AI SDK', () => {
    expect(outlineOf(CONVENTIONS.openInference.call)).toEqual(['user: hi', 'assistant: hello']);
    expect(outlineOf(CONVENTIONS.openLlmetry.call)).toEqual(['system: Be brief.', 'user: hi', 'assistant: hello']);
    expect(outlineOf(CONVENTIONS.aiSdk.call)).toEqual(['user: hi', 'assistant: hello']);
  });

  test('a retriever and a task are no conversation', () => {
    expect(outlineOf({ ...CONVENTIONS.mlflow.call, kind: 'retriever' })).toBeUndefined();
    expect(outlineOf({ ...CONVENTIONS.traceloop.call, kind: 'task' })).toBeUndefined();
  });

  test('messages that OpenInference wraps one by one', () => {
    const calls = [{ tool_call: { id: 'c1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } } }];
    const image = { message_content: { type: 'image', image: { image: { url: 'https://a.example/cat.png' } } } };
    const inputs = {
      'llm.input_messages': [
        { message: { role: 'user', contents: [{ message_content: { type: 'text', text: 'Look' } }, image] } },
        { message: { role: 'assistant', tool_calls: calls } },
        { message: { role: 'tool', tool_call_id: 'c1', content: 'snow' } },
      ],
    };
    expect(outlineOf({ inputs })).toEqual([
      'user: Look | <image/* address>',
      'assistant: weather({"city":"Oslo"}) = snow',
    ]);
  });

  test('tool calls and their answers as parts of GenAI messages', () => {
    const messages = [
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rainy' }] },
    ];
    expect(outlineOf({ inputs: { 'gen_ai.input.messages': messages } })).toEqual([
      'assistant: weather({"city":"Oslo"}) = rainy',
    ]);
  });

  test('instructions that stand beside the messages come first', () => {
    const attributes = { system: [{ type: 'text', content: 'Be kind.' }] };
    expect(outlineOf({ ...CONVENTIONS.genAi.call, attributes })?.[0]).toBe('system: Be kind.');
    expect(outlineOf({ ...CONVENTIONS.genAi.call, attributes: { system: 'openai' } })?.[0]).toContain('user:');
  });
});

describe('requests as libraries take them', () => {
  test('Anthropic: system blocks, images, and results beside their calls', () => {
    const inputs = {
      model: 'claude',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: [{ name: 'weather', description: 'Tells it', input_schema: {} }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' } },
            { type: 'document', source: { type: 'url', url: 'https://a.example/x.pdf' } },
            { type: 'text', text: 'Weather?' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Oslo' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'storm', is_error: true }] },
      ],
    };
    const output = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Sorry' }],
      stop_reason: 'end_turn',
    };
    expect(outlineOf({ inputs, output })).toEqual([
      'system: Be brief.',
      'user: <image/png base64> | <? address> | Weather?',
      'assistant: weather({"city":"Oslo"}) = storm failed',
      'assistant: Sorry',
    ]);
    const chat = readChat({ inputs, output });
    expect(chat?.tools).toMatchObject([{ name: 'weather', description: 'Tells it' }]);
    expect(chat?.settings).toEqual([
      { name: 'model', value: 'claude' },
      { name: 'max_tokens', value: 100 },
      { name: 'finish_reason', value: 'end_turn' },
    ]);
  });

  test('OpenAI responses: instructions, items between messages, calls with their outputs', () => {
    const inputs = {
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Weather?' },
            { type: 'input_image', image_url: 'https://a.example/b.png' },
          ],
        },
        { type: 'reasoning', id: 'r', summary: [] },
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"sky":"snow"}' },
        { type: 'web_search_call', id: 'w', action: { query: 'snow' } },
      ],
    };
    expect(outlineOf({ inputs })).toEqual([
      'system: Be brief.',
      'user: Weather? | <image/* address>',
      'assistant: reasoning ',
      'assistant: weather({"city":"Oslo"}) = {"sky":"snow"}',
      'assistant: {"type":"web_search_call","id":"w","action":{"query":"snow"}}',
    ]);
  });

  test('Gemini: contents with roles, instructions and functions in the configuration', () => {
    const inputs = {
      model: 'gemini',
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }, { inlineData: { mimeType: 'audio/mp3', data: 'aaaa' } }] },
        { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'snow' } } }] },
      ],
      config: {
        systemInstruction: 'Be brief.',
        temperature: 0.1,
        tools: [{ functionDeclarations: [{ name: 'weather' }, { name: 'tide' }] }],
      },
    };
    expect(outlineOf({ inputs })).toEqual([
      'system: Be brief.',
      'user: Weather? | <audio/mp3 base64>',
      'assistant: weather({"city":"Oslo"}) = {"output":"snow"}',
    ]);
    const chat = readChat({ inputs });
    expect(chat?.tools.map(({ name }) => name)).toEqual(['weather', 'tide']);
    expect(chat?.settings.map(({ name }) => name)).toEqual(['model', 'temperature']);
  });

  test('the AI SDK: prompts of models with parts, files and outputs of tools', () => {
    const inputs = {
      model: 'm',
      prompt: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather?' },
            { type: 'file', mediaType: 'image/png', data: 'aaaa' },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 't', toolName: 'weather', input: { city: 'Oslo' } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 't',
              toolName: 'weather',
              output: { type: 'json', value: { sky: 'snow' } },
            },
          ],
        },
      ],
    };
    expect(outlineOf({ inputs })).toEqual([
      'system: Be brief.',
      'user: Weather? | <image/png base64>',
      'assistant: weather({"city":"Oslo"}) = {"sky":"snow"}',
    ]);
  });

  test('LangChain: messages by type, calls with results', () => {
    const inputs = {
      messages: [
        { type: 'system', content: 'Be brief.' },
        { type: 'human', content: 'Weather?' },
        {
          type: 'ai',
          content: '',
          tool_calls: [{ name: 'weather', args: { city: 'Oslo' }, id: 'c', type: 'tool_call' }],
        },
        { type: 'tool', content: 'snow', tool_call_id: 'c', name: 'weather', status: 'error' },
      ],
    };
    const output = { type: 'ai', content: 'It snows', id: 'run-1' };
    expect(outlineOf({ inputs, output })).toEqual([
      'system: Be brief.',
      'user: Weather?',
      'assistant: weather({"city":"Oslo"}) = snow failed',
      'assistant: It snows',
    ]);
  });

  test('an image that the recording keeps as a file is that file', () => {
    const marker = {
      _type: 'CustomType',
      svc_type: { type: 'PIL.Image.Image' },
      files: { 'image.png': 'd' },
      media_type: 'image/png',
    };
    const content = [{ type: 'image_url', image_url: { url: marker } }];
    expect(outlineOf({ inputs: { messages: [{ role: 'user', content }] } })).toEqual(['user: <image/png file>']);
  });
});

describe('what is a conversation', () => {
  test('an agent that is handed messages has one, a function with a text has none', () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(outlineOf({ kind: 'agent', inputs: { messages }, output: { role: 'assistant', content: 'Ho' } })).toEqual([
      'user: Hi',
      'assistant: Ho',
    ]);
    expect(outlineOf({ kind: 'tool', inputs: { prompt: 'Hi', input: 'x' }, output: 'Ho' })).toBeUndefined();
    expect(outlineOf({ kind: 'llm', inputs: { prompt: 'Hi' }, output: 'Ho' })).toEqual(['user: Hi', 'assistant: Ho']);
  });

  test.each([[{ messages: 7 }], [{ messages: [null, 1, [[]]] }], [{ contents: {} }], [{ prompt: [[[]]] }], [{}]])(
    'odd inputs are no matter: %j',
    (inputs) => {
      expect(() => outlineOf({ inputs, output: { choices: [null, 3, {}], message: null } })).not.toThrow();
    },
  );

  test('a result whose call is not there stays where it stands', () => {
    const messages = [{ role: 'tool', tool_call_id: 'gone', content: 'snow' }];
    expect(outlineOf({ inputs: { messages } })).toEqual(['tool: result snow']);
  });

  test('members of a message that nobody knows are shown', () => {
    const messages = [{ role: 'user', content: 'Hi', mood: 'good' }];
    expect(outlineOf({ inputs: { messages } })).toEqual(['user: Hi | {"mood":"good"}']);
  });

  test('arguments that were cut off stay the text that they are', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":' } };
    const messages = [{ role: 'assistant', tool_calls: [call] }];
    expect(outlineOf({ inputs: { messages } })).toEqual(['assistant: f("{\\"a\\":")']);
  });
});
