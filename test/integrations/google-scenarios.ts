import type { CallableTool, Content, GenerateContentParameters, GoogleGenAI } from '@google/genai';

/** What a program that uses the `@google/genai` package sees, as something that can be written down. */
export type Scenario = (client: GoogleGenAI) => Promise<unknown>;

const RETRIES = { retryOptions: { attempts: 2, initialDelay: 0.001 } };

const TOOLS = [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: { type: 'object' } }] }];

function asked(model = 'plain', config: GenerateContentParameters['config'] = {}): GenerateContentParameters {
  return { model, contents: 'Who goes there?', config };
}

/** A tool that the library calls by itself. */
function weather(): CallableTool {
  return {
    tool: async () => TOOLS[0] ?? {},
    callTool: async (calls) =>
      calls.map(({ id, name }) => ({
        functionResponse: { id: id ?? '', name: name ?? '', response: { sky: 'snow' } },
      })),
  };
}

/** A response with what its class adds to the data, and without the headers, which tell the time. */
function shown(response: object): unknown {
  const { sdkHttpResponse, ...rest } = response as Record<string, unknown>;
  const names = Object.keys(response);
  const { text, functionCalls } = response as { text?: string; functionCalls?: unknown };
  return {
    class: response.constructor.name,
    names,
    hasHeaders: sdkHttpResponse !== undefined,
    rest,
    text,
    functionCalls,
  };
}

async function all(stream: Promise<AsyncIterable<object>>): Promise<unknown> {
  const chunks: unknown[] = [];
  const found = await stream;
  const names = Object.keys(found);
  for await (const chunk of found) chunks.push(shown(chunk));
  return { names, chunks };
}

async function failure(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: await action() };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: error };
    const { name, message } = error;
    return { class: error.constructor.name, name, message, status: (error as { readonly status?: number }).status };
  }
}

/** By name; each makes at least one request. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  content: async ({ models }) => shown(await models.generateContent(asked())),
  'content, two candidates': async ({ models }) =>
    shown(await models.generateContent(asked('plain', { candidateCount: 2 }))),
  'content, tools': async ({ models }) => shown(await models.generateContent(asked('plain', { tools: TOOLS }))),
  'content, blocked': async ({ models }) => shown(await models.generateContent(asked('blocked'))),
  'content, every part': async ({ models }) => shown(await models.generateContent(asked('parts'))),
  'content, called tools': async ({ models }) =>
    shown(await models.generateContent(asked('plain', { tools: [weather()] }))),
  'content, stream': ({ models }) => all(models.generateContentStream(asked())),
  'content, stream, two candidates': ({ models }) =>
    all(models.generateContentStream(asked('plain', { candidateCount: 2 }))),
  'content, stream, tools': ({ models }) => all(models.generateContentStream(asked('plain', { tools: TOOLS }))),
  'content, stream, every part': ({ models }) => all(models.generateContentStream(asked('parts'))),
  'content, stream, arguments': ({ models }) => all(models.generateContentStream(asked('arguments'))),
  'content, stream, called tools': ({ models }) =>
    all(models.generateContentStream(asked('plain', { tools: [weather()] }))),
  'content, stream, by hand': async ({ models }) => {
    const stream = await models.generateContentStream(asked());
    const first = await stream.next();
    return [shown(first.value as object), await stream.return(undefined), await stream.next()];
  },
  'content, stream, break': async ({ models }) => {
    const abort = new AbortController();
    let first: unknown;
    for await (const chunk of await models.generateContentStream(asked('endless', { abortSignal: abort.signal }))) {
      first = shown(chunk);
      break;
    }
    // The library leaves the connection open, on which the program would wait.
    abort.abort();
    return first;
  },
  'content, stream, abort': ({ models }) => {
    const abort = new AbortController();
    return failure(async () => {
      const config = { abortSignal: abort.signal };
      for await (const chunk of await models.generateContentStream(asked('endless', config))) {
        if (chunk.text === 'North') abort.abort();
      }
    });
  },
  'content, stream, torn': ({ models }) => failure(() => all(models.generateContentStream(asked('torn')))),
  'content, stream, error within': ({ models }) => failure(() => all(models.generateContentStream(asked('failing')))),
  'content, stream, 429': ({ models }) => failure(() => all(models.generateContentStream(asked('status-429')))),
  'content, 400': ({ models }) => failure(() => models.generateContent(asked('status-400'))),
  'content, 429': ({ models }) => failure(() => models.generateContent(asked('status-429'))),
  'content, 500, tried twice': ({ models }) =>
    failure(() => models.generateContent(asked('status-500', { httpOptions: RETRIES }))),
  'content, 503 once': ({ models }) =>
    failure(async () => shown(await models.generateContent(asked('once-503', { httpOptions: RETRIES })))),
  'content, signal': ({ models }) =>
    failure(() => models.generateContent(asked('plain', { abortSignal: AbortSignal.abort() }))),
  'content, wrong use': ({ models }) =>
    failure(() => models.generateContent({ model: 'plain', contents: undefined as unknown as Content })),
  chat: async ({ chats }) => {
    const chat = chats.create({ model: 'plain', history: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
    const answer = shown(await chat.sendMessage({ message: 'Who goes there?' }));
    return { answer, history: chat.getHistory() };
  },
  'chat, stream': async ({ chats }) => {
    const chat = chats.create({ model: 'plain' });
    const answer = await all(chat.sendMessageStream({ message: 'Who goes there?' }));
    return { answer, history: chat.getHistory() };
  },
  embedding: async ({ models }) => shown(await models.embedContent({ model: 'plain', contents: ['Fresh', 'tracks'] })),
  'count of tokens': async ({ models }) =>
    shown(await models.countTokens({ model: 'plain', contents: 'Fresh tracks' })),
};
