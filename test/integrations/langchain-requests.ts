import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { HumanMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda, RunnableMap } from '@langchain/core/runnables';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import type { Asked, MakeRequest } from './request-program.ts';

/** Where the program asks, and who listens. */
export interface Place {
  readonly url: string;
  readonly callbacks?: BaseCallbackHandler[];
}

const modelAt = ({ url }: Place, { model }: Asked, options: { readonly useResponsesApi?: boolean } = {}) =>
  new ChatOpenAI({
    model,
    apiKey: 'sk-test',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1`, logLevel: 'off' },
    ...options,
  });

const optionsOf = ({ callbacks }: Place, { signal }: Asked) => ({ signal, ...(callbacks && { callbacks }) });

const chainAt = (place: Place, asked: Asked) =>
  ChatPromptTemplate.fromTemplate('Tell of {topic}').pipe(modelAt(place, asked)).pipe(new StringOutputParser());

const graphAt = (place: Place, asked: Asked) =>
  new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await modelAt(place, asked).invoke(messages)] }))
    .addEdge(START, 'agent')
    .addEdge('agent', END)
    .compile();

const ANSWER = { type: 'object', title: 'answer', properties: { text: { type: 'string' } } };
const TOPIC = { topic: 'foxes' };

/** All ways in which runs of LangChain make requests. */
export const REQUESTS: Readonly<Record<string, MakeRequest<Place>>> = {
  model: async (place, asked) => (await modelAt(place, asked).invoke('Who?', optionsOf(place, asked))).content,
  'model, stream': async (place, asked) => {
    const pieces = await modelAt(place, asked).stream('Who?', optionsOf(place, asked));
    return asked.read(pieces.pipeThrough(contents()));
  },
  'model, batch': async (place, asked) => {
    const answers = await modelAt(place, asked).batch(['Who?', 'Where?'], optionsOf(place, asked));
    return answers.map(({ content }) => content);
  },
  'model, structured': async (place, asked) =>
    modelAt(place, asked)
      .withStructuredOutput(ANSWER, { method: 'jsonSchema' })
      .invoke('Who?', optionsOf(place, asked)),
  'model, responses': async (place, asked) =>
    (await modelAt(place, asked, { useResponsesApi: true }).invoke('Who?', optionsOf(place, asked))).content,
  'model, responses, stream': async (place, asked) => {
    const pieces = await modelAt(place, asked, { useResponsesApi: true }).stream('Who?', optionsOf(place, asked));
    return asked.read(pieces.pipeThrough(contents()));
  },
  chain: async (place, asked) => chainAt(place, asked).invoke(TOPIC, optionsOf(place, asked)),
  'chain, stream': async (place, asked) =>
    asked.read(await chainAt(place, asked).stream(TOPIC, optionsOf(place, asked))),
  map: async (place, asked) => {
    const both = RunnableMap.from({ a: chainAt(place, asked), b: RunnableLambda.from(async () => 'b') });
    return both.invoke(TOPIC, optionsOf(place, asked));
  },
  graph: async (place, asked) => {
    const state = { messages: [new HumanMessage('Where?')] };
    const { messages } = await graphAt(place, asked).invoke(state, optionsOf(place, asked));
    return messages.map(({ content }) => content);
  },
  'graph, stream': async (place, asked) => {
    const state = { messages: [new HumanMessage('Where?')] };
    const steps = await graphAt(place, asked).stream(state, optionsOf(place, asked));
    let nodes = 0;
    for await (const step of steps) nodes += Object.keys(step).length;
    return nodes;
  },
};

function contents(): TransformStream<{ readonly content: unknown }, unknown> {
  return new TransformStream({
    transform: ({ content }, controller) => controller.enqueue(content),
  });
}
