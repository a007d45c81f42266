import type OpenAI from 'openai';

/** What a program that uses the `openai` package sees, as something that can be written down. */
export type Scenario = (client: OpenAI, module: typeof OpenAI) => Promise<unknown>;

const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Who goes there?' }];
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const TOOLS: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'weather', parameters: PARAMETERS } },
];

function chat(model = 'plain') {
  return { model, messages: MESSAGES };
}

function streamed(model = 'plain') {
  return { ...chat(model), stream: true } as const;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const seen: Item[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

async function first<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

/** Errors by everything that tells one from another. */
async function failure(module: typeof OpenAI, action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: await action() };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: error };
    const { status, requestID: id } = error as Partial<InstanceType<typeof OpenAI.APIError>>;
    const classes = [module.APIError, module.RateLimitError, module.APIUserAbortError, module.APIConnectionError];
    return {
      name: error.constructor.name,
      message: error.message,
      status,
      id,
      classes: classes.filter((type) => error instanceof type).map(({ name }) => name),
    };
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

/** By name; each makes at least one request. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  chat: (client) => client.chat.completions.create(chat()),
  'chat, two choices': (client) => client.chat.completions.create({ ...chat(), n: 2 }),
  'chat, tools': (client) => client.chat.completions.create({ ...chat(), tools: TOOLS }),
  'chat, refusal': (client) => client.chat.completions.create(chat('refusing')),
  'chat, stream': async (client) => all(await client.chat.completions.create(streamed())),
  'chat, stream, two choices': async (client) => all(await client.chat.completions.create({ ...streamed(), n: 2 })),
  'chat, stream, tools': async (client) => all(await client.chat.completions.create({ ...streamed(), tools: TOOLS })),
  'chat, stream, refusal': async (client) => all(await client.chat.completions.create(streamed('refusing'))),
  'chat, stream, reasoning': async (client) => all(await client.chat.completions.create(streamed('thinking'))),
  'chat, stream, usage wanted': async (client) =>
    all(await client.chat.completions.create({ ...streamed(), stream_options: { include_usage: true } })),
  'chat, stream, usage not wanted': async (client) =>
    all(await client.chat.completions.create({ ...streamed(), stream_options: { include_usage: false } })),
  'chat, stream, service without that member': async (client) =>
    all(await client.chat.completions.create(streamed('no-such-member'))),
  'chat, stream, break': async (client) => {
    const stream = await client.chat.completions.create(streamed('endless'));
    return { chunk: await first(stream), isAborted: stream.controller.signal.aborted };
  },
  'chat, stream, left unread': async (client) => {
    const stream = await client.chat.completions.create(streamed());
    const left = await stream[Symbol.asyncIterator]().return?.();
    return { left, isAborted: stream.controller.signal.aborted };
  },
  'chat, stream, failed unread': async (client, module) => {
    const stream = await client.chat.completions.create(streamed());
    return failure(module, async () => stream[Symbol.asyncIterator]().throw?.(new RangeError('Too far')));
  },
  'chat, stream, abort': async (client) => {
    const stream = await client.chat.completions.create(streamed('endless'));
    let chunks = 0;
    for await (const chunk of stream) {
      chunks += chunk.choices.length;
      if (chunks === 2) stream.controller.abort();
    }
    return { hasChunks: chunks >= 2, isAborted: stream.controller.signal.aborted };
  },
  'chat, stream, signal': async (client, module) => {
    const controller = new AbortController();
    return failure(module, async () => {
      const stream = await client.chat.completions.create(streamed('endless'), { signal: controller.signal });
      const iterator = stream[Symbol.asyncIterator]();
      const { done } = await iterator.next();
      controller.abort();
      while ((await iterator.next()).done !== true);
      return { done };
    });
  },
  'chat, stream, torn': async (client, module) => {
    const seen: unknown[] = [];
    const outcome = await failure(module, async () => {
      for await (const chunk of await client.chat.completions.create(streamed('torn'))) seen.push(chunk);
    });
    return { seen, outcome };
  },
  'chat, stream, error within': async (client, module) => {
    const seen: unknown[] = [];
    const outcome = await failure(module, async () => {
      for await (const chunk of await client.chat.completions.create(streamed('failing'))) seen.push(chunk);
    });
    return { seen, outcome };
  },
  'chat, stream, twice read': async (client, module) => {
    const stream = await client.chat.completions.create(streamed());
    const chunks = await all(stream);
    return { chunks, again: await failure(module, () => all(stream)) };
  },
  'chat, stream, two readers': async (client, module) => {
    const stream = await client.chat.completions.create(streamed());
    const [unused, reader, late] = [0, 1, 2].map(() => stream[Symbol.asyncIterator]());
    const chunks = [await reader?.next()];
    const failed = await failure(module, async () => late?.next());
    const left = await unused?.return?.();
    for (let next = await reader?.next(); next?.done === false; next = await reader?.next()) chunks.push(next);
    return { chunks, failed, left };
  },
  'chat, stream, tee': async (client) => {
    const [left, right] = (await client.chat.completions.create(streamed())).tee();
    return Promise.all([all(left), all(right)]);
  },
  'chat, stream, toReadableStream': async (client) => {
    const stream = await client.chat.completions.create(streamed());
    return bytesOf(stream.toReadableStream() as ReadableStream<Uint8Array>);
  },
  'chat, stream, fromReadableStream': async (client, module) => {
    const { Stream } = await import('openai/streaming');
    const stream = await client.chat.completions.create(streamed());
    const again = Stream.fromReadableStream(stream.toReadableStream() as never, new AbortController(), client);
    return { isStream: stream instanceof Stream, chunks: await all(again), module: module.name };
  },
  'chat, stream, withResponse': async (client) => {
    const { data, response, request_id: id } = await client.chat.completions.create(streamed()).withResponse();
    return { status: response.status, id, chunks: await all(data) };
  },
  'chat, stream, asResponse': async (client) => {
    const response = await client.chat.completions.create(streamed()).asResponse();
    return { type: response.headers.get('content-type'), text: await response.text() };
  },
  'chat, stream, helper': async (client) => {
    const stream = client.chat.completions.stream({ ...chat(), tools: TOOLS });
    const events: string[] = [];
    stream.on('chunk', (chunk) => events.push(JSON.stringify(chunk)));
    stream.on('content', (delta) => events.push(`content ${delta}`));
    stream.on('tool_calls.function.arguments.done', ({ name, arguments: args }) => events.push(`${name} ${args}`));
    const completion = await stream.finalChatCompletion();
    return { events, completion };
  },
  'chat, withResponse': async (client) => {
    const { data, response, request_id: id } = await client.chat.completions.create(chat()).withResponse();
    return { data, status: response.status, id, own: Reflect.get(data, '_request_id') as unknown };
  },
  'chat, asResponse': async (client) => {
    const response = await client.chat.completions.create(chat()).asResponse();
    return { status: response.status, text: await response.text() };
  },
  'chat, parse': (client) => {
    const schema = { name: 'answer', strict: true, schema: { type: 'object' } };
    return client.chat.completions.parse({ ...chat(), response_format: { type: 'json_schema', json_schema: schema } });
  },
  'chat, parse, asResponse': async (client) => {
    const response = await client.chat.completions.parse(chat()).asResponse();
    return response.text();
  },
  'chat, tool runner': async (client) => {
    const tool = {
      type: 'function',
      function: { name: 'weather', parameters: PARAMETERS, parse: JSON.parse, function: () => 'snow' },
    } as const;
    const runner = client.chat.completions.runTools({ ...chat(), tools: [tool] as never });
    return { content: await runner.finalContent(), messages: runner.messages, usage: await runner.totalUsage() };
  },
  'chat, promise': async (client, module) => {
    const promise = client.chat.completions.create(chat());
    const { APIPromise } = await import('openai/core/api-promise');
    const same = promise instanceof APIPromise;
    const [one, two] = await Promise.all([promise, promise]);
    const last = await promise.finally(() => undefined).catch(() => undefined);
    return { same, isOne: one === two && two === last, keys: Object.keys(promise), module: module.name };
  },
  'chat, 400': (client, module) => failure(module, () => client.chat.completions.create(chat('status-400'))),
  'chat, 400, stream': (client, module) =>
    failure(module, () => client.chat.completions.create(streamed('status-400'))),
  'chat, 429': (client, module) => failure(module, () => client.chat.completions.create(chat('status-429'))),
  'chat, 500': (client, module) => failure(module, () => client.chat.completions.create(chat('status-500'))),
  'chat, reset': (client, module) =>
    failure(module, () => client.chat.completions.create(chat('reset'), { maxRetries: 0 })),
  'chat, 500 twice': (client) => client.chat.completions.create(chat('twice-500')),
  'chat, withOptions': async (client, module) => {
    const other = client.withOptions({ maxRetries: 0 });
    const outcome = await failure(module, () => other.chat.completions.create(chat('twice-500')));
    return { isClient: other instanceof module, outcome, answer: await other.chat.completions.create(chat()) };
  },
  'chat, wrong use': (client, module) => failure(module, () => client.chat.completions.create(undefined as never)),
  responses: (client) => client.responses.create({ model: 'plain', input: 'Where to?' }),
  'responses, parse': (client) => client.responses.parse({ model: 'plain', input: 'Where to?' }),
  'responses, stream': async (client) =>
    all(await client.responses.create({ model: 'plain', input: 'Where to?', stream: true })),
  'responses, stream, break': async (client) => {
    const stream = await client.responses.create({ model: 'endless', input: 'Where to?', stream: true });
    for await (const event of stream) if (event.type === 'response.function_call_arguments.delta') break;
    return stream.controller.signal.aborted;
  },
  'responses, stream, every event': async (client, module) => {
    const seen: unknown[] = [];
    // Since version 7 an event that tells of an error is one.
    const outcome = await failure(module, async () => {
      const stream = await client.responses.create({ model: 'every-event', input: 'Where to?', stream: true });
      for await (const event of stream) seen.push(event);
    });
    return [...seen, outcome];
  },
  'responses, stream, incomplete': async (client) =>
    all(await client.responses.create({ model: 'short', input: 'Where to?', stream: true })),
  'responses, stream, failed': async (client) =>
    all(await client.responses.create({ model: 'failing', input: 'Where to?', stream: true })),
  'responses, stream, broken': (client, module) =>
    failure(module, async () =>
      all(await client.responses.create({ model: 'broken', input: 'Where to?', stream: true })),
    ),
  'responses, failed': (client) => client.responses.create({ model: 'failing', input: 'Where to?' }),
  'responses, stream, helper': async (client) => {
    const stream = client.responses.stream({ model: 'plain', input: 'Where to?' });
    return { events: await all(stream), response: await stream.finalResponse() };
  },
  completions: (client) => client.completions.create({ model: 'plain', prompt: 'Fresh' }),
  'completions, stream': async (client) =>
    all(await client.completions.create({ model: 'plain', prompt: 'Fresh', stream: true })),
  embeddings: (client) => client.embeddings.create({ model: 'plain', input: 'Fresh tracks' }),
  'embeddings, as text': (client) =>
    client.embeddings.create({ model: 'plain', input: 'Fresh tracks', encoding_format: 'base64' }),
  images: (client) => client.images.generate({ model: 'painter', prompt: 'A fox' }),
  'images, stream': async (client) =>
    all(await client.images.generate({ model: 'painter', prompt: 'A fox', stream: true })),
  'images, edit': (client) =>
    client.images.edit({
      image: new File([new Uint8Array([1, 2])], 'fox.png', { type: 'image/png' }),
      prompt: 'More snow',
    }),
  transcription: (client) =>
    client.audio.transcriptions.create({ model: 'ear', file: new File([new Uint8Array([1, 2])], 'word.mp3') }),
  'transcription, stream': async (client) => {
    const file = new File([new Uint8Array([1, 2])], 'word.mp3');
    const options = { headers: { 'x-test-stream': '1' } };
    return all(await client.audio.transcriptions.create({ model: 'ear', file, stream: true }, options));
  },
  translation: (client) =>
    client.audio.translations.create({ model: 'ear', file: new File([new Uint8Array([1, 2])], 'word.mp3') }),
  speech: async (client) => {
    const response = await client.audio.speech.create({ model: 'voice', voice: 'alloy', input: 'Hello' });
    return { type: response.headers.get('content-type'), bytes: [...new Uint8Array(await response.arrayBuffer())] };
  },
  moderations: (client) => client.moderations.create({ input: 'Hello' }),
};
