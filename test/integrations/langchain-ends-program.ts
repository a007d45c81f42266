import { HumanMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda, RunnableMap } from '@langchain/core/runnables';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { traced } from 'spoor';

/*
 * A program whose requests end otherwise than well, each below a traced function of its own. It prints what it sees.
 */

interface ChatOptions {
  readonly maxRetries?: number;
  /** Called when a request leaves. */
  readonly onSent?: () => void;
}

function chat(model: string, { maxRetries = 0, onSent = () => undefined }: ChatOptions = {}): ChatOpenAI {
  const send: typeof fetch = async (...args) => {
    onSent();
    return fetch(...args);
  };
  const configuration = { baseURL: `${process.env['PROVIDER'] ?? ''}/v1`, fetch: send };
  return new ChatOpenAI({ model, apiKey: 'sk-test', configuration, maxRetries });
}

const chain = (model: string, options?: ChatOptions) =>
  ChatPromptTemplate.fromTemplate('Tell of {topic}').pipe(chat(model, options)).pipe(new StringOutputParser());
const topic = { topic: 'foxes' };

const graph = (model: string, options?: ChatOptions) =>
  new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await chat(model, options).invoke(messages)] }))
    .addEdge(START, 'agent')
    .addEdge('agent', END)
    .compile();
const question = { messages: [new HumanMessage('Where?')] };

/** It is not at its end when it is left, however fast the machine is. */
const unending = RunnableLambda.from(async function* () {
  yield 'b';
  await new Promise(() => undefined);
});
const map = () => RunnableMap.from({ a: chat('plain'), b: unending });

const lambda = () =>
  RunnableLambda.from(async function* () {
    for (const step of [1, 2, 3]) yield await Promise.resolve(step);
  });

type Signalled = (options: { signal: AbortSignal }, onSent: () => void) => Promise<unknown>;

/** Aborts what waits for an answer that never comes. */
function aborted(action: Signalled) {
  return async (): Promise<unknown> => {
    const controller = new AbortController();
    return action({ signal: controller.signal }, () => setTimeout(() => controller.abort(), 100));
  };
}

async function all(stream: AsyncIterable<unknown>, onPiece: () => void = () => undefined): Promise<string> {
  const pieces: unknown[] = [];
  for await (const piece of stream) {
    pieces.push(piece);
    onPiece();
  }
  return `${pieces.length} pieces`;
}

/** Aborts when the first piece is there, and nothing is asked for. */
function abortedBetween(open: (options: { signal: AbortSignal }) => Promise<AsyncIterable<unknown>>) {
  return async (): Promise<unknown> => {
    const controller = new AbortController();
    return all(await open({ signal: controller.signal }), () => controller.abort());
  };
}

async function firstOf(stream: AsyncIterable<unknown>): Promise<string> {
  for await (const piece of stream) return typeof piece;
  return 'nothing';
}

async function cancelled(stream: ReadableStream): Promise<string> {
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  return 'cancelled';
}

const SCENARIOS: Readonly<Record<string, () => Promise<unknown>>> = {
  'model, aborted before': () => chat('plain').invoke('Who?', { signal: AbortSignal.abort() }),
  'model, aborted': aborted((options, onSent) => chat('silent', { onSent }).invoke('Who?', options)),
  'chain, aborted': aborted((options, onSent) => chain('silent', { onSent }).invoke(topic, options)),
  'graph, aborted': aborted((options, onSent) => graph('silent', { onSent }).invoke(question, options)),
  'model, stream, aborted': aborted(async (options, onPiece) =>
    all(await chat('endless').stream('Who?', options), onPiece),
  ),
  'chain, stream, aborted': aborted(async (options, onPiece) =>
    all(await chain('endless').stream(topic, options), onPiece),
  ),
  'graph, stream, aborted': aborted(async (options, onSent) =>
    all(await graph('silent', { onSent }).stream(question, options)),
  ),
  'lambda, stream, aborted': aborted((options, onCall) =>
    RunnableLambda.from(async () => new Promise(onCall)).stream('Who?', options),
  ),
  'model, stream, aborted between': abortedBetween((options) => chat('plain').stream('Who?', options)),
  'chain, stream, aborted between': abortedBetween((options) => chain('plain').stream(topic, options)),
  'model, stream, reader': async () => cancelled(await chat('plain').stream('Who?')),
  'chain, stream, reader': async () => cancelled(await chain('plain').stream(topic)),
  'graph, stream, reader': async () => cancelled(await graph('endless').stream(question, { streamMode: 'messages' })),
  'map, stream, reader': async () => cancelled(await map().stream('Who?')),
  'chain, stream, pipe': async () =>
    cancelled((await chain('plain').stream(topic)).pipeThrough(new TransformStream<string, string>())),
  'chain, stream, branches': async () => {
    const branches = (await chain('plain').stream(topic)).tee();
    return Promise.all(branches.map(cancelled));
  },
  'chain, stream, cancel': async () => (await chain('plain').stream(topic)).cancel(),
  'graph, stream, break': async () => firstOf(await graph('endless').stream(question, { streamMode: 'messages' })),
  'map, stream, break': async () => firstOf(await map().stream('Who?')),
  'lambda, stream, break': async () => firstOf(await lambda().stream('Who?')),
  'chain, events, break': async () => {
    for await (const { event } of chain('plain').streamEvents(topic, { version: 'v2' }))
      if (event === 'on_chat_model_stream') return event;
    return 'nothing';
  },
  'chain, stream': async () => all(await chain('plain').stream(topic)),
  'model, 400': () => chat('status-400', { maxRetries: 2 }).invoke('Who?'),
  'model, 429': () => chat('status-429', { maxRetries: 2 }).invoke('Who?'),
  'model, 429 once': async () => (await chat('once-429', { maxRetries: 2 }).invoke('Who?')).content,
  'model, 500': () => chat('status-500', { maxRetries: 1 }).invoke('Who?'),
  'model, 500 twice': async () => (await chat('twice-500', { maxRetries: 2 }).invoke('Who?')).content,
  'model, stream, 400': async () => all(await chat('status-400', { maxRetries: 2 }).stream('Who?')),
  'model, stream, 429 once': async () => all(await chat('once-429', { maxRetries: 2 }).stream('Who?')),
  'model, stream, 500': async () => all(await chat('status-500', { maxRetries: 1 }).stream('Who?')),
  'chain, stream, error within': async () => all(await chain('failing').stream(topic)),
  'chain, stream, torn': async () => all(await chain('torn').stream(topic)),
};

async function seen(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    const { name, message, constructor: type } = error as Error;
    return [type.name, name, message];
  }
}

// Side by side, as those who try again wait for seconds.
void Promise.all(
  Object.entries(SCENARIOS).map(async ([name, scenario]) => [name, await seen(traced(scenario, { name, op: false }))]),
).then((lines) => console.log(lines.map((line) => JSON.stringify(line)).join('\n')));
