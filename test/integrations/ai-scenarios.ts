import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { z } from 'zod';

/** What a program that uses the `ai` package has at hand. */
export interface Kit {
  readonly ai: typeof ai;
  readonly openai: ReturnType<typeof createOpenAI>;
}

/** What such a program sees, as something that can be written down. */
export type Scenario = (kit: Kit) => Promise<unknown>;

export function connect(providerUrl: string): Kit {
  return { ai, openai: createOpenAI({ apiKey: 'sk-test', baseURL: `${providerUrl}/v1` }) };
}

const PROMPT = { prompt: 'Who goes there?' } as const;

function tools({ ai: { tool } }: Kit) {
  const inputSchema = z.object({ city: z.string() });
  return { weather: tool({ inputSchema, execute: async ({ city }) => ({ city, sky: 'snow' }) }) };
}

/** The name differs between the versions. */
function agentOf(kit: Kit): ai.ToolLoopAgent<never, ReturnType<typeof tools>> {
  const Agent = 'ToolLoopAgent' in kit.ai ? kit.ai.ToolLoopAgent : (kit.ai as typeof ai).Experimental_Agent;
  return new Agent({ model: kit.openai.chat('plain'), tools: tools(kit), stopWhen: kit.ai.stepCountIs(3) });
}

function shown(result: {
  readonly text: string;
  readonly finishReason: unknown;
  readonly steps: readonly { readonly content: readonly unknown[]; readonly usage: unknown }[];
}): unknown {
  const { text, finishReason, steps } = result;
  const told = steps.map(({ content, usage }) => ({ content, usage }));
  return { class: result.constructor.name, names: Object.keys(result), text, finishReason, steps: told };
}

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

/** Without what differs from run to run. */
function fixed(parts: readonly unknown[]): unknown {
  const text = JSON.stringify(parts, (key, value: unknown) =>
    ['date', 'timestamp', 'headers', 'messageId', 'request', 'response', 'performance', 'callId'].includes(key)
      ? undefined
      : value,
  );
  return text.replaceAll(/aitxt-\w+/g, 'aitxt');
}

async function failure(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: await action() };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: error };
    const { name, message, cause } = error;
    const { statusCode, reason } = error as { readonly statusCode?: number; readonly reason?: string };
    return { class: error.constructor.name, name, message, statusCode, reason, cause: String(cause) };
  }
}

const OBJECT = z.object({ answer: z.number() });

/** By name; each makes at least one request. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  text: async ({ ai: { generateText }, openai }) =>
    shown(await generateText({ model: openai.chat('plain'), ...PROMPT })),
  'text, tools': async (kit) => {
    const { generateText, stepCountIs } = kit.ai;
    const stopWhen = stepCountIs(3);
    return shown(await generateText({ model: kit.openai.chat('plain'), tools: tools(kit), stopWhen, ...PROMPT }));
  },
  'text, 400': ({ ai: { generateText }, openai }) =>
    failure(() => generateText({ model: openai.chat('status-400'), ...PROMPT })),
  'text, 429': ({ ai: { generateText }, openai }) =>
    failure(() => generateText({ model: openai.chat('status-429'), ...PROMPT })),
  'text, 500 twice': ({ ai: { generateText }, openai }) =>
    failure(async () => shown(await generateText({ model: openai.chat('twice-500'), ...PROMPT }))),
  'text, signal': ({ ai: { generateText }, openai }) =>
    failure(() => generateText({ model: openai.chat('plain'), abortSignal: AbortSignal.abort(), ...PROMPT })),
  'text, model by its name': async ({ ai: { generateText }, openai }) => {
    const holder = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    holder.AI_SDK_DEFAULT_PROVIDER = { ...openai, languageModel: (name: string) => openai.chat(name) };
    try {
      return shown(await generateText({ model: 'plain', ...PROMPT }));
    } finally {
      delete holder.AI_SDK_DEFAULT_PROVIDER;
    }
  },
  'text, stream': async ({ ai: { streamText }, openai }) => {
    const result = streamText({ model: openai.chat('plain'), ...PROMPT });
    const names = Object.keys(result);
    const texts = await all(result.textStream);
    return {
      class: result.constructor.name,
      names,
      texts,
      usage: await result.totalUsage,
      reason: await result.finishReason,
    };
  },
  'text, stream, parts': async ({ ai: { streamText }, openai }) =>
    fixed(await all(streamText({ model: openai.chat('plain'), ...PROMPT }).fullStream)),
  'text, stream, tools': async (kit) => {
    const { streamText, stepCountIs } = kit.ai;
    const stopWhen = stepCountIs(3);
    const result = streamText({ model: kit.openai.chat('plain'), tools: tools(kit), stopWhen, ...PROMPT });
    return fixed(await all(result.fullStream));
  },
  'text, stream, consumed': async ({ ai: { streamText }, openai }) => {
    const result = streamText({ model: openai.chat('plain'), ...PROMPT });
    await result.consumeStream();
    return [await result.text, await result.usage];
  },
  'text, stream, response': async ({ ai: { streamText }, openai }) =>
    streamText({ model: openai.chat('plain'), ...PROMPT })
      .toTextStreamResponse()
      .text(),
  'text, stream, abort': async ({ ai: { streamText }, openai }) => {
    const abort = new AbortController();
    const result = streamText({ model: openai.chat('endless'), abortSignal: abort.signal, ...PROMPT });
    const types: unknown[] = [];
    for await (const part of result.fullStream) {
      types.push(part.type);
      if (part.type === 'text-delta') abort.abort();
    }
    return [...new Set(types)];
  },
  'text, stream, error within': async ({ ai: { streamText }, openai }) => {
    const onError = () => {};
    return fixed(await all(streamText({ model: openai.chat('failing'), onError, ...PROMPT }).fullStream));
  },
  'text, stream, break': async ({ ai: { streamText }, openai }) => {
    const abort = new AbortController();
    const result = streamText({ model: openai.chat('endless'), abortSignal: abort.signal, ...PROMPT });
    let first: unknown;
    for await (const text of result.textStream) {
      first = text;
      break;
    }
    // The library keeps the rest for other readers, and the connection with it, on which the program would wait.
    abort.abort();
    await result.consumeStream();
    return first;
  },
  'text, stream, 400': async ({ ai: { streamText }, openai }) => {
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(String(error));
    const result = streamText({ model: openai.chat('status-400'), onError, ...PROMPT });
    return [await all(result.textStream), errors];
  },
  object: async ({ ai: { generateObject }, openai }) => {
    const { object, finishReason, usage } = await generateObject({
      model: openai.chat('json'),
      schema: OBJECT,
      ...PROMPT,
    });
    return { object, finishReason, usage };
  },
  'object, stream': async ({ ai: { streamObject }, openai }) => {
    const result = streamObject({ model: openai.chat('json'), schema: OBJECT, ...PROMPT });
    return [await all(result.partialObjectStream), await result.object, await result.usage];
  },
  embedding: async ({ ai: { embed }, openai }) => {
    const { embedding, usage, value } = await embed({ model: openai.embedding('plain'), value: 'Fresh' });
    return { embedding, usage, value };
  },
  embeddings: async ({ ai: { embedMany }, openai }) => {
    const { embeddings, usage } = await embedMany({ model: openai.embedding('plain'), values: ['Fresh'] });
    return { embeddings, usage };
  },
  agent: async (kit) => shown(await agentOf(kit).generate(PROMPT)),
  'agent, stream': async (kit) => fixed(await all((await agentOf(kit).stream(PROMPT)).fullStream)),
};
