import type OpenAI from 'openai';
import type { Asked, MakeRequest } from './request-program.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Who goes there?' }];

const SCHEMA = { name: 'answer', strict: true, schema: { type: 'object' } } as const;

const FORMAT = { response_format: { type: 'json_schema', json_schema: SCHEMA } } as const;

const TOOL = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object' }, parse: JSON.parse, function: () => 'snow' },
} as const;

const chat = ({ model }: Asked) => ({ model, messages: MESSAGES });
const stream = (asked: Asked) => ({ ...chat(asked), stream: true }) as const;
const input = ({ model }: Asked) => ({ model, input: 'Where to?' });
const file = () => new File([new Uint8Array([1, 2])], 'word.mp3');

/** Promises of the library are asked in all ways that it has. */
const WAYS_TO_ASK = {
  '': (promise: PromiseLike<unknown>) => promise,
  ', catch': (promise: Promise<unknown>) =>
    promise.catch((error: unknown) => {
      throw error;
    }),
  ', withResponse': async (promise: Promise<unknown>) => {
    const { data, request_id: id } = await (promise as ReturnType<OpenAI['embeddings']['create']>).withResponse();
    return { data, id };
  },
  ', asResponse': async (promise: Promise<unknown>) => {
    const response = await (promise as ReturnType<OpenAI['embeddings']['create']>).asResponse();
    return response.text();
  },
} as const;

type Made = (client: OpenAI, asked: Asked, options: { readonly signal: AbortSignal }) => Promise<unknown>;

const PROMISES: Readonly<Record<string, Made>> = {
  chat: ({ chat: { completions } }, asked, options) => completions.create(chat(asked), options),
  'chat, parse': ({ chat: { completions } }, asked, options) =>
    completions.parse({ ...chat(asked), ...FORMAT }, options),
  responses: ({ responses }, asked, options) => responses.create(input(asked), options),
  'responses, parse': ({ responses }, asked, options) => responses.parse(input(asked), options),
  embeddings: ({ embeddings }, asked, options) => embeddings.create(input(asked), options),
};

function inAllWays(): Record<string, MakeRequest<OpenAI>> {
  const requests: Record<string, MakeRequest<OpenAI>> = {};
  for (const [name, make] of Object.entries(PROMISES)) {
    for (const [way, ask] of Object.entries(WAYS_TO_ASK)) {
      requests[name + way] = async (client, asked) => ask(make(client, asked, { signal: asked.signal }));
    }
  }
  return requests;
}

/** One for each method that is recorded, and those that make requests with them. */
export const REQUESTS: Readonly<Record<string, MakeRequest<OpenAI>>> = {
  ...inAllWays(),
  'chat, stream': async (client, asked) =>
    asked.read(await client.chat.completions.create(stream(asked), { signal: asked.signal })),
  'chat, stream, withResponse': async (client, asked) => {
    const { data } = await client.chat.completions.create(stream(asked), { signal: asked.signal }).withResponse();
    return asked.read(data);
  },
  'chat, stream, asResponse': async (client, asked) => {
    const response = await client.chat.completions.create(stream(asked), { signal: asked.signal }).asResponse();
    return response.text();
  },
  'chat, stream, helper': async (client, asked) => {
    const helper = client.chat.completions.stream(chat(asked), { signal: asked.signal });
    return asked.read(helper);
  },
  'chat, stream, helper, final': (client, asked) =>
    client.chat.completions.stream(chat(asked), { signal: asked.signal }).finalChatCompletion(),
  'chat, tool runner': (client, asked) =>
    client.chat.completions
      .runTools({ ...chat(asked), tools: [TOOL] as never }, { signal: asked.signal })
      .finalContent(),
  'responses, stream': async (client, asked) =>
    asked.read(await client.responses.create({ ...input(asked), stream: true }, { signal: asked.signal })),
  'responses, stream, helper': async (client, asked) =>
    asked.read(client.responses.stream(input(asked), { signal: asked.signal })),
  'responses, stream, helper, final': (client, asked) =>
    client.responses.stream(input(asked), { signal: asked.signal }).finalResponse(),
  // Old versions have no such method: that is then what the program gets.
  'responses, compact': async ({ responses }, asked) => responses.compact(input(asked), { signal: asked.signal }),
  completions: ({ completions }, { model, signal }) => completions.create({ model, prompt: 'Fresh' }, { signal }),
  'completions, stream': async ({ completions }, asked) =>
    asked.read(
      await completions.create({ model: asked.model, prompt: 'Fresh', stream: true }, { signal: asked.signal }),
    ),
  images: ({ images }, { model, signal }) => images.generate({ model, prompt: 'A fox' }, { signal }),
  'images, stream': async ({ images }, asked) =>
    asked.read(await images.generate({ model: asked.model, prompt: 'A fox', stream: true }, { signal: asked.signal })),
  'images, edit': ({ images }, { model, signal }) =>
    images.edit({ model, image: file(), prompt: 'More snow' }, { signal }),
  'images, variation': ({ images }, { model, signal }) => images.createVariation({ model, image: file() }, { signal }),
  transcription: ({ audio }, { model, signal }) => audio.transcriptions.create({ model, file: file() }, { signal }),
  translation: ({ audio }, { model, signal }) => audio.translations.create({ model, file: file() }, { signal }),
  speech: async ({ audio }, { model, signal }) => {
    const response = await audio.speech.create({ model, voice: 'alloy', input: 'Hello' }, { signal });
    return [...new Uint8Array(await response.arrayBuffer())];
  },
  moderations: ({ moderations }, { model, signal }) => moderations.create({ model, input: 'Hello' }, { signal }),
};
