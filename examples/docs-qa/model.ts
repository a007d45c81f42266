import OpenAI from 'openai';
import { current, traced } from 'spoor';
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

/** The model that the environment names, else a small local server that answers from the passages. */
export async function openModel(ledger: Ledger): Promise<Model> {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL } = process.env;
  const isLocal = OPENAI_BASE_URL === undefined && OPENAI_API_KEY === undefined;
  const server = isLocal ? await startModelServer() : undefined;
  const client = new OpenAI({
    apiKey: OPENAI_API_KEY ?? 'no-key-needed',
    ...(server === undefined ? {} : { baseURL: server.baseUrl }),
  });
  const model = OPENAI_MODEL ?? (isLocal ? 'local-extract' : 'gpt-4o-mini');
  return {
    ...tracedModel(client, model, ledger),
    description: isLocal
      ? `a small local server (${model}) that answers with sentences of the pages; set OPENAI_API_KEY or OPENAI_BASE_URL for a real model`
      : `${model} at ${OPENAI_BASE_URL ?? 'the provider of OPENAI_API_KEY'}`,
    close: async () => server?.close(),
  };
}

function tracedModel(client: OpenAI, model: string, ledger: Ledger) {
  const complete = traced(
    async function complete(messages: readonly Message[], tools: readonly OpenAI.ChatCompletionTool[]) {
      ledger.note('complete');
      const answer = await client.chat.completions.create({ model, messages: [...messages], tools: [...tools] });
      countTokens(answer.usage);
      const message = answer.choices[0]?.message;
      if (message === undefined) throw new Error('The model answered without a choice');
      return message;
    },
    { kind: 'llm' },
  );

  const stream = traced(
    async function* stream(messages: readonly Message[]): AsyncGenerator<string> {
      ledger.note('stream');
      const options = { stream: true, stream_options: { include_usage: true } } as const;
      for await (const chunk of await client.chat.completions.create({ model, messages: [...messages], ...options })) {
        const text = chunk.choices[0]?.delta.content;
        if (text) yield text;
        countTokens(chunk.usage);
      }
    },
    { kind: 'llm', aggregate: (pieces: readonly string[]) => pieces.join('') },
  );

  function countTokens(usage: OpenAI.CompletionUsage | null | undefined): void {
    if (usage) current().usage(model, { input: usage.prompt_tokens, output: usage.completion_tokens });
  }

  return { complete, stream };
}
