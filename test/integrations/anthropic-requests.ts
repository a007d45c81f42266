import type Anthropic from '@anthropic-ai/sdk';
import type { Asked, MakeRequest } from './request-program.ts';

const body = ({ model }: Asked) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Who goes there?' }],
});

const streamed = (asked: Asked) => ({ ...body(asked), stream: true }) as const;

type Promised = ReturnType<Anthropic['messages']['create']>;
type Streamed = ReturnType<typeof streamedMessage>;

function streamedMessage(client: Anthropic, asked: Asked) {
  return client.messages.create(streamed(asked), { signal: asked.signal });
}

/** Promises of the library are asked in all ways that it has. */
const WAYS_TO_ASK: Readonly<Record<string, (promise: Promised) => Promise<unknown>>> = {
  '': (promise) => promise,
  ', catch': (promise) =>
    promise.catch((error: unknown) => {
      throw error;
    }),
  ', withResponse': async (promise) => (await promise.withResponse()).data,
  ', asResponse': async (promise) => (await promise.asResponse()).text(),
};

const STREAM_WAYS: Readonly<Record<string, (promise: Streamed, asked: Asked) => Promise<unknown>>> = {
  '': async (promise, { read }) => read(await promise),
  ', withResponse': async (promise, { read }) => read((await promise.withResponse()).data),
  ', asResponse': async (promise) => (await promise.asResponse()).text(),
};

const PROMISES: Readonly<Record<string, (client: Anthropic, asked: Asked) => Promised>> = {
  message: ({ messages }, asked) => messages.create(body(asked), { signal: asked.signal }),
  'beta message': ({ beta }, asked) =>
    beta.messages.create(body(asked), { signal: asked.signal }) as unknown as Promised,
};

function inAllWays(): Record<string, MakeRequest<Anthropic>> {
  const requests: Record<string, MakeRequest<Anthropic>> = {};
  for (const [way, ask] of Object.entries(WAYS_TO_ASK)) {
    for (const [name, make] of Object.entries(PROMISES)) {
      requests[name + way] = async (client, asked) => ask(make(client, asked));
    }
  }
  for (const [way, ask] of Object.entries(STREAM_WAYS)) {
    requests[`message, stream${way}`] = (client, asked) => ask(streamedMessage(client, asked), asked);
  }
  return requests;
}

/** One for each method that is recorded, and those that make requests with them. */
export const REQUESTS: Readonly<Record<string, MakeRequest<Anthropic>>> = {
  ...inAllWays(),
  // The oldest versions do not have it.
  'message, parse': async ({ messages }, asked) =>
    'parse' in messages ? messages.parse(body(asked), { signal: asked.signal }) : undefined,
  'message, stream, helper': async ({ messages }, asked) =>
    asked.read(messages.stream(body(asked), { signal: asked.signal })),
  'message, stream, helper, final': ({ messages }, asked) =>
    messages.stream(body(asked), { signal: asked.signal }).finalMessage(),
  'beta message, stream': async ({ beta }, asked) =>
    asked.read(await beta.messages.create(streamed(asked), { signal: asked.signal })),
  'beta message, stream, helper, final': ({ beta }, asked) =>
    beta.messages.stream(body(asked), { signal: asked.signal }).finalMessage(),
};
