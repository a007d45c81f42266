import type { GoogleGenAI } from '@google/genai';
import type { Asked, MakeRequest } from './request-program.ts';

const asked = ({ model, signal }: Asked) => ({ model, contents: 'Who goes there?', config: { abortSignal: signal } });

/** Headers of responses tell the time. */
async function shown(promise: Promise<object>): Promise<unknown> {
  const { sdkHttpResponse: _headers, ...rest } = (await promise) as Record<string, unknown>;
  return rest;
}

async function pieces({ read }: Asked, promise: Promise<AsyncIterable<object>>): Promise<unknown> {
  const stream = await promise;
  async function* shownPieces() {
    for await (const piece of stream) yield shown(Promise.resolve(piece));
  }
  return read(shownPieces());
}

/** One for each method that is recorded, and those that make requests with them. */
export const REQUESTS: Readonly<Record<string, MakeRequest<GoogleGenAI>>> = {
  content: ({ models }, given) => shown(models.generateContent(asked(given))),
  'content, catch': ({ models }, given) =>
    shown(
      models.generateContent(asked(given)).catch((error: unknown) => {
        throw error;
      }),
    ),
  'content, stream': ({ models }, given) => pieces(given, models.generateContentStream(asked(given))),
  embedding: ({ models }, given) => shown(models.embedContent(asked(given))),
  images: ({ models }, given) => shown(models.generateImages({ ...asked(given), prompt: 'A fox' })),
  'count of tokens': ({ models }, given) => shown(models.countTokens(asked(given))),
  chat: ({ chats }, given) =>
    shown(chats.create({ model: given.model, config: { abortSignal: given.signal } }).sendMessage({ message: 'Hi' })),
  'chat, stream': ({ chats }, given) =>
    pieces(
      given,
      chats.create({ model: given.model, config: { abortSignal: given.signal } }).sendMessageStream({ message: 'Hi' }),
    ),
};
