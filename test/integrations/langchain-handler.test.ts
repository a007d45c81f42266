// Makes the storage in which LangChain keeps what runs, as LangGraph does.
import '@langchain/core/context';
import { HumanMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { FakeListChatModel, FakeStreamingLLM } from '@langchain/core/utils/testing';
import { trace, traced, withContext } from 'spoor';
import { SpoorCallbackHandler } from 'spoor/langchain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { type Recording, startRecording, treeOf } from '../tracing/recording.ts';

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const handlers = () => ({ callbacks: [new SpoorCallbackHandler()] });
const model = (responses = ['Hi there']) => new FakeListChatModel({ responses });

test('a chain that is given the handler is recorded, below what runs', async () => {
  const chain = RunnableLambda.from((text: string) => [new HumanMessage(text)]).pipe(model());
  const answer = await trace('outer', () => chain.invoke('foxes', handlers()));
  expect(answer.content).toBe('Hi there');
  expect(treeOf(recording)).toEqual([
    'outer(langchain.RunnableSequence(langchain.RunnableLambda, langchain.FakeListChatModel))',
  ]);
  expect(recording.call('langchain.FakeListChatModel').start.inputs).toMatchObject({
    messages: [{ type: 'human', content: 'foxes' }],
  });
  expect(recording.problems).toEqual([]);
});

test('two handlers record a run once', async () => {
  await model().invoke('Hello', { callbacks: [new SpoorCallbackHandler(), new SpoorCallbackHandler()] });
  expect(treeOf(recording)).toEqual(['langchain.FakeListChatModel']);
});

test('a function that a tool calls is below it, also where only the handler is there', async () => {
  const lookUp = traced((city: string) => `${city}: rain`, { name: 'lookUp', op: false });
  const weather = tool(({ city }) => lookUp(city), {
    name: 'weather',
    description: 'Weather',
    schema: z.object({ city: z.string() }),
  });
  await Promise.all(['Oslo', 'Bergen'].map((city) => weather.invoke({ city }, handlers())));
  expect(treeOf(recording)).toEqual(['langchain.weather(lookUp)', 'langchain.weather(lookUp)']);
});

test('a stream tells its first token and its chunks', async () => {
  const llm = new FakeStreamingLLM({ responses: ['Hello'] });
  let text = '';
  for await (const piece of await llm.stream('Hi', handlers())) text += piece;
  expect(text).toBe('Hello');
  const { end } = recording.call('langchain.FakeStreamingLLM');
  expect(end?.output).toBe('Hello');
  expect(end?.summary?.['stream']).toMatchObject({ chunks: 5, reason: 'end' });
});

test('an error is that of the run and of those above', async () => {
  const breaks = RunnableLambda.from((): string => {
    throw new RangeError('Too far');
  }).withConfig({ runName: 'breaks' });
  await expect(breaks.pipe(model()).invoke('x', handlers())).rejects.toThrow('Too far');
  expect(recording.call('langchain.breaks').end?.exception).toContain('RangeError: Too far');
  expect(recording.call('langchain.RunnableSequence').end?.exception).toContain('Too far');
});

test('a chain that is not sampled leaves nothing of what is below it', async () => {
  const asked: string[] = [];
  recording.stop();
  recording = startRecording({
    sample: ({ opName }) => {
      asked.push(opName);
      return false;
    },
  });
  const inner = traced((text: string) => `${text}!`, { name: 'inner', op: false });
  const chain = RunnableLambda.from((text: string) => inner(text)).pipe(model());
  expect((await chain.invoke('foxes', handlers())).content).toBe('Hi there');
  expect(recording.calls()).toEqual([]);
  expect(asked).toEqual(['langchain.RunnableSequence']);
});

test('what a graph throws to wait is no error', () => {
  const handler = new SpoorCallbackHandler();
  handler.handleChainStart({ id: ['node'] }, {}, 'run-1');
  handler.handleChainError(Object.assign(new Error('[]'), { name: 'GraphInterrupt', is_bubble_up: true }), 'run-1');
  const { end } = recording.call('langchain.node');
  expect([end?.exception, end?.output]).toEqual([undefined, { interrupted: 'GraphInterrupt' }]);
});

test('runs that LangChain hides are not shown, what is below them is', () => {
  const handler = new SpoorCallbackHandler();
  handler.handleChainStart({ id: ['graph'] }, {}, 'run-1');
  handler.handleChainStart({ id: ['write'] }, {}, 'run-2', 'run-1', ['langsmith:hidden']);
  handler.handleToolStart({ id: ['tool'] }, '{"a":1}', 'run-3', 'run-2');
  for (const id of ['run-3', 'run-2', 'run-1']) handler.handleChainEnd({}, id);
  expect(treeOf(recording)).toEqual(['langchain.graph(langchain.tool)']);
});

test('nothing is recorded where recording is off, and what cannot be read breaks nothing', async () => {
  await withContext({ enabled: false }, () => model().invoke('Hello', handlers()));
  expect(recording.calls()).toEqual([]);
  const handler = new SpoorCallbackHandler();
  const hostile = new Proxy({}, { get: () => expect.fail('asked'), getPrototypeOf: () => expect.fail('asked') });
  handler.handleChainStart(hostile, hostile, 'run-1');
  handler.handleChatModelStart(undefined, hostile as unknown[][], 'run-2');
  handler.handleLLMEnd(undefined, 'run-2');
  handler.handleToolEnd('late', 'never-begun');
  expect(recording.problems.map(({ kind }) => kind)).toEqual(['capture-changed']);
});
