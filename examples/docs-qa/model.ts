import OpenAI from 'openai';
import { wrapOpenAI } from 'spoor/openai';
import type { Ledger } from './ledger.ts';
import { startModelServer } from './model-server.ts';

export type Message = OpenAI.ChatCompletionMessageParam;

export interface Model {
  /** Says which model answers, for the reader of the output. */
  readonly description: string;
  /** One answer as a whole; it may ask for a tool. */
  complete(
    messages: readonly Message[],
    tools: readonly OpenAI.ChatCompletionTool[],
  ): Promise<OpenAI.ChatCompletionMessage>;
  /** One answer piece by piece. */
  stream(messages: readonly Message[]): AsyncGenerator<string>;
  close(): Promise<void>;
}

/** As which a request to the model is recorded. */
const REQUEST = 'openai.chat.completions.create';

/** The model that the environment names, else a small local server that answers from the passages. */
export async function openModel(ledger: Ledger, { isWrapped }: { readonly isWrapped: boolean }): Promise<Model> {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL } = process.env;
  const isLocal = OPENAI_BASE_URL === undefined && OPENAI_API_KEY === undefined;
  const server = isLocal ? await startModelServer() : undefined;
  const client = new OpenAI({
    apiKey: OPENAI_API_KEY ?? 'no-key-needed',
    ...(server === undefined ? {} : { baseURL: server.baseUrl }),
  });
  const model = OPENAI_MODEL ?? (isLocal ? 'local-extract' : 'gpt-4o-mini');
  return {
    ...answering(isWrapped ? wrapOpenAI(client) : client, model, ledger),
    description: isLocal
      ? `a small local server (${model}) that answers with sentences of the pages; set OPENAI_API_KEY or OPENAI_BASE_URL for a real model`
      : `${model} at ${OPENAI_BASE_URL ?? 'the provider of OPENAI_API_KEY'}`,
    close: async () => server?.close(),
  };
}

/** Requests are recorded because the client is wrapped, or by `spoor run`: nothing here speaks of it. */
function answering(client: OpenAI, model: string, ledger: Ledger): Pick<Model, 'complete' | 'stream'> {
  return {
    async complete(messages, tools) {
      ledger.note(REQUEST);
      const answer = await client.chat.completions.create({ model, messages: [...messages], tools: [...tools] });
      const message = answer.choices[0]?.message;
      if (message === undefined) throw new Error('The model answered without a choice');
      return message;
    },
    async *stream(messages) {
      ledger.note(REQUEST);
      const chunks = await client.chat.completions.create({ model, messages: [...messages], stream: true });
      for await (const { choices } of chunks) yield choices[0]?.delta.content ?? '';
    },
  };
}
