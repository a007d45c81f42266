import { ChatAnthropic } from '@langchain/anthropic';
import { Document } from '@langchain/core/documents';
import { HumanMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { BaseRetriever } from '@langchain/core/retrievers';
import { RunnableLambda, RunnableMap } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { traced } from 'spoor';
import { z } from 'zod/v4';

/*
 * A program that uses LangChain and LangGraph, and knows of Spoor only that one function is traced. It prints what it sees.
 */

const lookUp = traced(async (what: string) => Promise.resolve(`${what}: found`), { name: 'lookUp' });

const configuration = { baseURL: `${process.env['PROVIDER'] ?? ''}/v1` };
const chat = (model: string) => new ChatOpenAI({ model, apiKey: 'sk-test', configuration, maxRetries: 0 });
const claude = new ChatAnthropic({
  model: 'plain',
  apiKey: 'sk-ant-test',
  anthropicApiUrl: process.env['ANTHROPIC'] ?? '',
  maxRetries: 0,
});

const weather = tool(async ({ city }) => lookUp(city), {
  name: 'weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
});

const breaks = tool(
  async (): Promise<string> => {
    await Promise.resolve();
    throw new TypeError('The sensor broke');
  },
  { name: 'breaks', description: 'Breaks', schema: z.object({}) },
);

class Archive extends BaseRetriever {
  override lc_namespace = ['tests'];

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    return [new Document({ pageContent: await lookUp(query), metadata: { page: 1 } })];
  }
}

const say = (...what: unknown[]): void => console.log(JSON.stringify(what));

async function failing(name: string, promise: Promise<unknown>): Promise<void> {
  try {
    say(name, await promise);
  } catch (error) {
    const { name: kind, message } = error as Error;
    say(name, kind, message);
  }
}

async function chains(): Promise<void> {
  const prompt = ChatPromptTemplate.fromTemplate('Tell of {topic}');
  const chain = prompt.pipe(chat('plain')).pipe(new StringOutputParser());
  say(await chain.invoke({ topic: 'foxes' }));
  let text = '';
  for await (const piece of await chain.stream({ topic: 'streams' })) text += piece;
  say(text);
  say((await claude.invoke('Hello')).content);
  let pieces = 0;
  for await (const piece of await claude.stream('Hello')) pieces += piece.content.length > 0 ? 1 : 0;
  say(pieces > 0);
  for await (const piece of await chat('plain').stream('Left early')) {
    say(typeof piece.content);
    break;
  }
  for await (const piece of await chain.stream({ topic: 'what is left' })) {
    say(typeof piece);
    break;
  }
  await failing('refused', chat('status-400').invoke('No'));
}

async function parts(): Promise<void> {
  say(await weather.invoke({ city: 'Oslo' }));
  say(await Promise.all(['Bergen', 'Bodø'].map((city) => weather.invoke({ city }))));
  await failing('broken', breaks.invoke({}));
  say(await new Archive().invoke('foxes'));
  const double = RunnableLambda.from(async (x: number) => `${await lookUp(String(x))}!`).withConfig({
    runName: 'double',
  });
  say(await RunnableMap.from({ a: double, b: double }).invoke(2));
  say(await traced(async () => weather.invoke({ city: 'Rome' }), { name: 'around' })());
}

async function graph(): Promise<void> {
  const model = chat('tools').bindTools([weather]);
  const state = Annotation.Root({ ...MessagesAnnotation.spec });
  const app = new StateGraph(state)
    .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode([weather]))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', () => 'tools', ['tools'])
    .addEdge('tools', END)
    .compile();
  const { messages } = await app.invoke({ messages: [new HumanMessage('Where?')] });
  say(messages.map(({ content }) => content));
}

const RUNS: Readonly<Record<string, () => Promise<void>>> = { chains, parts, graph };

void RUNS[process.argv[2] ?? '']?.();
