// Makes the storage in which LangChain keeps what runs, as LangGraph does.
import '@langchain/core/context';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Runnable, type RunnableConfig, RunnableLambda, RunnableMap } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { IterableReadableStream } from '@langchain/core/utils/stream';
import { withContext } from 'spoor';
import { SpoorCallbackHandler } from 'spoor/langchain';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { frameOfRun } from '../../src/integrations/langchain/langchain-runs.ts';
import { bindSources, bindStreams } from '../../src/integrations/langchain/langchain-streams.ts';
import { type Recording, startRecording, treeOf } from '../tracing/recording.ts';

for (const { prototype } of [Runnable, RunnableLambda, RunnableMap]) bindStreams(prototype);
bindSources(IterableReadableStream);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});
afterEach(() => {
  vi.useRealTimers();
  recording.stop();
});

/** Knows of which runs it was told. */
class NotingHandler extends SpoorCallbackHandler {
  readonly ids: string[] = [];

  override handleChainStart(...told: Parameters<SpoorCallbackHandler['handleChainStart']>): void {
    this.ids.push(told[2]);
    super.handleChainStart(...told);
  }

  override handleChatModelStart(...told: Parameters<SpoorCallbackHandler['handleChatModelStart']>): void {
    this.ids.push(told[2]);
    super.handleChatModelStart(...told);
  }

  /** What is still kept of them. */
  get open(): readonly string[] {
    return this.ids.filter((id) => frameOfRun(id) !== undefined);
  }
}

const model = (responses = ['Hi there']) => new FakeListChatModel({ responses });
const chain = () => RunnableLambda.from((text: string) => text).pipe(model());

async function firstOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const piece of stream) return piece;
  return undefined;
}

async function allOf<Piece>(stream: AsyncIterable<Piece>): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

function later(): { readonly promise: Promise<string>; readonly resolve: (text: string) => void } {
  let resolve: (text: string) => void = () => undefined;
  const promise = new Promise<string>((done) => (resolve = done));
  return { promise, resolve };
}

function reasonsByName(): Record<string, unknown> {
  const entries = recording.calls().map(({ start, end }) => {
    const { reason } = (end?.summary?.['stream'] ?? {}) as { readonly reason?: string };
    return [start.op_name.replace('langchain.', ''), end === undefined ? 'open' : (reason ?? 'ok')];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

describe('streams that are not recorded', () => {
  const UNRECORDED: Readonly<Record<string, (action: () => Promise<void>) => Promise<void>>> = {
    'not sampled': async (action) => {
      recording.stop();
      recording = startRecording({ sample: 0 });
      return action();
    },
    'switched off': async (action) => withContext({ enabled: false }, action),
  };

  test.each(Object.entries(UNRECORDED))('%s: nothing is kept of those that are left', async (_name, within) => {
    const handler = new NotingHandler();
    await within(async () => {
      for (let round = 0; round < 5; round++) await firstOf(await chain().stream('x', { callbacks: [handler] }));
    });
    expect(handler.ids).toHaveLength(15);
    expect(handler.open).toEqual([]);
    expect(recording.calls()).toEqual([]);
  });

  test('what runs after a stream was left inside is not recorded either', async () => {
    recording.stop();
    recording = startRecording({ sample: ({ opName }) => opName !== 'langchain.RunnableSequence' });
    const handler = new NotingHandler();
    const outer = RunnableLambda.from(async (text: string, config: RunnableConfig) => {
      await firstOf(await chain().stream(text, config));
      return (await model().invoke(text, config)).content;
    }).pipe(RunnableLambda.from((text: unknown) => text));
    const pieces = await allOf(await outer.stream('x', { callbacks: [handler] }));
    expect(pieces).toEqual(['Hi there']);
    expect(handler.open).toEqual([]);
    expect(recording.calls()).toEqual([]);
  });

  test('nothing is kept of those that are aborted', async () => {
    recording.stop();
    recording = startRecording({ sample: 0 });
    const handler = new NotingHandler();
    const controller = new AbortController();
    const read = async () => {
      const stream = await chain().stream('x', { callbacks: [handler], signal: controller.signal });
      for await (const piece of stream) {
        expect(piece).toBeDefined();
        controller.abort();
      }
    };
    await expect(read()).rejects.toThrow(/abort/i);
    expect(handler.open).toEqual([]);
  });
});

test('a stream that is left inside of a run ends there', async () => {
  const handler = new NotingHandler();
  const outer = RunnableLambda.from(async (text: string, config: RunnableConfig) => {
    await firstOf(await chain().withConfig({ runName: 'inner' }).stream(text, config));
    return recording.call('langchain.inner').end !== undefined;
  });
  expect(await outer.invoke('x', { callbacks: [handler] })).toBe(true);
  expect(handler.open).toEqual([]);
});

test('work that goes on when its stream was read and forgotten is not ended', async () => {
  const { promise: answer, resolve } = later();
  const slow = RunnableLambda.from(async () => answer).withConfig({ runName: 'slow' });
  let work: Promise<unknown> | undefined;
  const starts = RunnableLambda.from((text: string, config: RunnableConfig) => {
    work = slow.invoke(text, config);
    return text;
  });
  const finalized = vi.fn<() => void>();
  const registry = new FinalizationRegistry(finalized);
  await (async () => {
    const stream = await starts.stream('x', { callbacks: [new SpoorCallbackHandler()] });
    registry.register(stream, undefined);
    for await (const piece of stream) expect(piece).toBe('x');
  })();
  await vi.waitFor(() => {
    collectGarbage();
    expect(finalized).toHaveBeenCalled();
  }, 10_000);
  resolve('late');
  await work;
  expect(reasonsByName()).toEqual({ RunnableLambda: 'ok', slow: 'ok' });
  expect(recording.call('langchain.slow').end?.output).toEqual({ output: 'late' });
});

describe('sources', () => {
  /** Hands its own iterators to the class of LangChain while it is streamed. */
  class Wrapping extends Runnable<string, unknown> {
    override lc_namespace = ['tests'];
    readonly #onMade: () => void;

    constructor(onMade: () => void) {
      super();
      this.#onMade = onMade;
    }

    override async invoke(text: string): Promise<string> {
      return Promise.resolve(text);
    }

    override async *_streamIterator(text: string): AsyncGenerator {
      this.#onMade();
      yield* await chain().stream(text, { callbacks: [new SpoorCallbackHandler()] });
    }
  }

  test('an iterator of the program stays as it is', async () => {
    const own = { next: () => ({ done: false, value: 1 }), return: () => ({ done: true, value: undefined }) };
    const { next, return: left } = own;
    const wrapping = new Wrapping(() => {
      IterableReadableStream.fromAsyncGenerator(own as unknown as AsyncGenerator<number>);
    });
    await allOf(await wrapping.stream('x'));
    expect(own.next).toBe(next);
    expect(own.return).toBe(left);
    expect(own.next()).toEqual({ done: false, value: 1 });
  });

  test('another stream that is left meanwhile does not end the calls of the outer one', async () => {
    const streams: AsyncIterable<unknown>[] = [];
    async function* numbers(): AsyncGenerator<number> {
      yield await Promise.resolve(1);
      yield 2;
    }
    const wrapping = new Wrapping(() => {
      const source = { generator: numbers() };
      const own = { next: () => source.generator.next(), return: () => source.generator.return(undefined) };
      streams.push(IterableReadableStream.fromAsyncGenerator(own as unknown as AsyncGenerator<number>));
    });
    const stream = await wrapping.stream('x');
    for (const other of streams) await firstOf(other);
    expect(Object.values(reasonsByName())).toContain('open');
    await allOf(stream);
    expect(Object.values(reasonsByName())).not.toContain('break');
  });
});

test('a stream that is left while its work hangs ends after a while, and what still begins hangs below', async () => {
  const { promise: answer, resolve } = later();
  const isAsked = vi.fn<() => void>();
  const handler = new NotingHandler();
  const late = RunnableLambda.from((text: string) => text).withConfig({ runName: 'late' });
  const hangs = RunnableLambda.from(async function* (text: string, config: RunnableConfig) {
    yield text;
    isAsked();
    yield await late.invoke(await answer, config);
  }).withConfig({ runName: 'hangs' });
  const reader = (await hangs.stream('x', { callbacks: [handler] })).getReader();
  await reader.read();
  void reader.read();
  while (isAsked.mock.calls.length === 0) await Promise.resolve();
  const left = reader.cancel();
  expect(reasonsByName()).toEqual({ hangs: 'open' });
  // A second as it is: timers of tests hold up none of ours.
  await vi.waitFor(() => expect(reasonsByName()).toEqual({ hangs: 'break' }), { timeout: 20_000 });
  resolve('late');
  await left;
  expect(treeOf(recording)).toEqual(['langchain.hangs(langchain.late)']);
  expect(reasonsByName()).toEqual({ hangs: 'break', late: 'ok' });
  expect(handler.open).toEqual([]);
});
