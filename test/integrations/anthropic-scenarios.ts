import type Anthropic from '@anthropic-ai/sdk';

/** What a program that uses the `@anthropic-ai/sdk` package sees, as something that can be written down. */
export type Scenario = (client: Anthropic, module: typeof Anthropic) => Promise<unknown>;

const TOOLS: Anthropic.Tool[] = [
  { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
];

function asked(model = 'plain') {
  return { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Who goes there?' }] };
}

function streamed(model = 'plain') {
  return { ...asked(model), stream: true } as const;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const seen: Item[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

async function failure(module: typeof Anthropic, action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: await action() };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: error };
    const { status } = error as { readonly status?: number };
    const classes = [module.APIError, module.RateLimitError, module.APIUserAbortError, module.APIConnectionError];
    return {
      name: error.constructor.name,
      message: error.message,
      status,
      classes: classes.filter((type) => error instanceof type).map(({ name }) => name),
    };
  }
}

/** By name; each makes at least one request. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  message: (client) => client.messages.create(asked()),
  'message, tools': (client) => client.messages.create({ ...asked(), tools: TOOLS }),
  'message, stream': async (client) => all(await client.messages.create(streamed())),
  'message, stream, tools': async (client) => all(await client.messages.create({ ...streamed(), tools: TOOLS })),
  'message, stream, helper': async (client) => {
    const stream = client.messages.stream({ ...asked(), tools: TOOLS });
    const events: string[] = [];
    stream.on('text', (text) => events.push(`text ${text}`));
    stream.on('inputJson', (json) => events.push(`json ${json}`));
    return { final: await stream.finalMessage(), events };
  },
  'message, stream, break': async (client) => {
    const stream = await client.messages.create(streamed('endless'));
    for await (const event of stream) if (event.type === 'content_block_delta') break;
    return stream.controller.signal.aborted;
  },
  'message, stream, abort': async (client) => {
    const stream = await client.messages.create(streamed('endless'));
    for await (const event of stream) if (event.type === 'content_block_stop') stream.controller.abort();
    return stream.controller.signal.aborted;
  },
  'message, stream, error within': (client, module) =>
    failure(module, async () => all(await client.messages.create(streamed('failing')))),
  'message, stream, tee': async (client) => {
    const [left, right] = (await client.messages.create(streamed())).tee();
    return Promise.all([all(left), all(right)]);
  },
  'message, stream, toReadableStream': async (client) => {
    const stream = await client.messages.create(streamed());
    return new Response(stream.toReadableStream() as ReadableStream<Uint8Array>).text();
  },
  'message, stream, withResponse': async (client) => {
    const { data, response } = await client.messages.create(streamed()).withResponse();
    return { status: response.status, events: await all(data) };
  },
  'message, stream, asResponse': async (client) => (await client.messages.create(streamed()).asResponse()).text(),
  'message, withResponse': async (client) => {
    const { data, response } = await client.messages.create(asked()).withResponse();
    return { data, status: response.status };
  },
  'message, asResponse': async (client) => (await client.messages.create(asked()).asResponse()).text(),
  'message, 400': (client, module) => failure(module, () => client.messages.create(asked('status-400'))),
  'message, 429': (client, module) => failure(module, () => client.messages.create(asked('status-429'))),
  'message, 529 twice': (client) => client.messages.create(asked('twice-529')),
  'message, signal': async (client, module) =>
    failure(module, () => client.messages.create(asked(), { signal: AbortSignal.abort() })),
  'message, withOptions': async (client, module) => {
    const other = client.withOptions({ maxRetries: 0 });
    return { isClient: other instanceof module, message: await other.messages.create(asked()) };
  },
  'message, wrong use': (client, module) => failure(module, async () => client.messages.create(undefined as never)),
  'beta message': (client) => client.beta.messages.create(asked()),
  'beta message, stream': async (client) => all(await client.beta.messages.create(streamed())),
  'beta message, stream, helper': async (client) => client.beta.messages.stream(asked()).finalMessage(),
};
