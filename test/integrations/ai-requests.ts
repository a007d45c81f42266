import type { ToolLoopAgent } from 'ai';
import { z } from 'zod';
import type { Kit } from './ai-scenarios.ts';
import type { Asked, MakeRequest } from './request-program.ts';

const SCHEMA = z.object({ answer: z.number() });

const asking = ({ openai }: Kit, { model, signal }: Asked) => ({
  model: openai.chat(model),
  prompt: 'Who goes there?',
  abortSignal: signal,
  maxRetries: 0,
});

/** The name differs between the versions. */
function agentOf(kit: Kit, { model }: Asked): ToolLoopAgent {
  const Agent = 'ToolLoopAgent' in kit.ai ? kit.ai.ToolLoopAgent : (kit.ai as Kit['ai']).Experimental_Agent;
  return new Agent({ model: kit.openai.chat(model), maxRetries: 0 });
}

const agentAsked = ({ signal }: Asked) => ({ prompt: 'Who goes there?', abortSignal: signal });

/** One for each function that is recorded. */
export const REQUESTS: Readonly<Record<string, MakeRequest<Kit>>> = {
  text: async (kit, asked) => (await kit.ai.generateText(asking(kit, asked))).text,
  'text, catch': async (kit, asked) =>
    kit.ai.generateText(asking(kit, asked)).then(
      ({ text }) => text,
      (error: unknown) => {
        throw error;
      },
    ),
  'text, stream': async (kit, asked) => asked.read(kit.ai.streamText(asking(kit, asked)).textStream),
  'text, stream, whole': async (kit, asked) => {
    const result = kit.ai.streamText(asking(kit, asked));
    await result.consumeStream();
    return [await result.text, await result.finishReason];
  },
  object: async (kit, asked) => (await kit.ai.generateObject({ ...asking(kit, asked), schema: SCHEMA })).object,
  'object, stream': async (kit, asked) =>
    asked.read(kit.ai.streamObject({ ...asking(kit, asked), schema: SCHEMA }).partialObjectStream),
  embedding: async ({ ai, openai }, { model, signal }) =>
    (await ai.embed({ model: openai.embedding(model), value: 'Fresh', abortSignal: signal, maxRetries: 0 })).embedding,
  embeddings: async ({ ai, openai }, { model, signal }) =>
    (await ai.embedMany({ model: openai.embedding(model), values: ['Fresh'], abortSignal: signal, maxRetries: 0 }))
      .embeddings,
  agent: async (kit, asked) => (await agentOf(kit, asked).generate(agentAsked(asked))).text,
  'agent, stream': async (kit, asked) => asked.read((await agentOf(kit, asked).stream(agentAsked(asked))).textStream),
};
