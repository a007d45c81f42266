import { types } from 'node:util';
import { coverMethod } from '../tracing/cover.ts';
import { whenForgotten } from '../tracing/abandoned.ts';
import type { CallCatcher, Frame } from '../tracing/frame.ts';
import { currentFrame } from '../tracing/outermost.ts';
import type { RecordedCall } from '../tracing/recorded-call.ts';
import { registry } from '../tracing/registry.ts';
import { coverOnce } from './cover-once.ts';
import { guarded } from './covered-method.ts';
import { failRunsBelow, leaveRunsBelow } from './langchain-runs.ts';

/** What a program is given to read. */
interface Streamed {
  /** The first call that began, of the chain, graph or model itself. */
  call?: RecordedCall;
  isLeft: boolean;
}

/** What runs while a stream is made, by where that is noted. */
const streams = new WeakMap<CallCatcher, Streamed>();

/**
 * Ends the runs of a chain or graph whose stream the program leaves or aborts, of which LangChain tells nothing. Answers
 * `false` when the class has no streams.
 */
export function bindStreams(prototype: object): boolean {
  return coverOnce(prototype, 'stream', (stream) => {
    return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const outer = currentFrame();
      const streamed: Streamed = { isLeft: false };
      try {
        const result: unknown = await registry.context.run(
          catching(outer, streamed),
          Reflect.apply,
          stream,
          this,
          args,
        );
        if (typeof result === 'object' && result !== null) whenForgotten(result, () => leave(streamed));
        return result;
      } catch (error) {
        fail(streamed, error);
        throw error;
      }
    };
  });
}

/**
 * Watches what such streams read from: whoever reads them, by a loop, a reader, a pipe or a branch, takes its steps. Answers
 * `false` when the class of streams makes none of it.
 */
export function bindSources(streamClass: object): boolean {
  return coverOnce(streamClass, 'fromAsyncGenerator', (make) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      guard(() => watchSource(args[0]));
      return Reflect.apply(make, this, args);
    };
  });
}

/** The same place, where the first call that begins is noted; whoever waits for it outside gets it, too. */
function catching(outer: Frame | undefined, streamed: Streamed): Frame {
  const catcher: CallCatcher = {
    get caught() {
      return streamed.call;
    },
    set caught(call) {
      if (call === undefined) return;
      streamed.call = call;
      if (outer?.catcher !== undefined) outer.catcher.caught ??= call;
    },
  };
  streams.set(catcher, streamed);
  return { call: outer?.call, scope: outer?.scope, catcher };
}

/** A generator of the runtime is one of `streamEvents`, which LangChain ends by itself. */
function watchSource(source: unknown): void {
  const catcher = currentFrame()?.catcher;
  const streamed = catcher === undefined ? undefined : streams.get(catcher);
  if (streamed === undefined || typeof source !== 'object' || source === null || types.isGeneratorObject(source))
    return;
  coverMethod(source, 'next', (next) => {
    return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      try {
        return (await Reflect.apply(next, this, args)) as unknown;
      } catch (error) {
        fail(streamed, error);
        throw error;
      }
    };
  });
  coverMethod(source, 'return', (original) => {
    return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      streamed.isLeft = true;
      try {
        return (await Reflect.apply(original, this, args)) as unknown;
      } finally {
        leave(streamed);
      }
    };
  });
}

function leave({ call }: Streamed): void {
  guard(() => call !== undefined && leaveRunsBelow(call));
}

/**
 * A signal stops a stream without a word to those who read for it. Where the run itself has ended, what is left below may
 * still be at work; a graph that is left stops itself by a signal, and then comes to its end.
 */
function fail({ call, isLeft }: Streamed, error: unknown): void {
  guard(() => call !== undefined && !call.hasEnded && !isLeft && failRunsBelow(call, error));
}

function guard(action: () => unknown): void {
  guarded({ library: '@langchain/core', opName: 'stream' }, action);
}
