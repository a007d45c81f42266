import { types } from 'node:util';
import { clearTimeout, setTimeout } from '../../host/timers.ts';
import { coverMethod, currentFrame, registry, whenForgotten } from '../../tracing/instrument.ts';
import { coverOnce } from '../api/cover-once.ts';
import { guarded } from '../api/covered-method.ts';
import { failRunsOf, frameOfRun, leaveRunsAtWork, leaveRunsOf } from './langchain-runs.ts';
import { catching, type Streamed, streamsAt } from './langchain-streamed.ts';

/** How long the step that is under way when a stream is left may go on before its calls end without it. */
const MAX_LAST_STEP_MS = 1000;

/**
 * Ends the runs of a chain or graph whose stream the program leaves or aborts, of which LangChain tells nothing. Answers
 * `false` when the class has no streams.
 */
export function bindStreams(prototype: object): boolean {
  return coverOnce(prototype, 'stream', (stream) => {
    return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const outer = currentFrame();
      const streamed: Streamed = { isWatched: false, isLeft: false };
      try {
        const result: unknown = await registry.context.run(
          catching(outer, streamed),
          Reflect.apply,
          stream,
          this,
          args,
        );
        if (typeof result === 'object' && result !== null) whenForgotten(result, () => forget(streamed));
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

/** Of what such a stream is made of only the first is what the program reads. */
function watchSource(source: unknown): void {
  const streamed = streamsAt(currentFrame()).at(-1);
  if (streamed === undefined || streamed.isWatched || !isOfLangChain(source)) return;
  streamed.isWatched = true;
  coverMethod(source, 'next', (next) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      return settling({
        step: () => Reflect.apply(next, this, args) as unknown,
        failed: (error) => fail(streamed, error),
      });
    };
  });
  coverMethod(source, 'return', (original) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      streamed.isLeft = true;
      const timer = guard(() => setTimeout(() => guard(() => leaveRunsAtWork(streamed)), MAX_LAST_STEP_MS).unref());
      const left = () => {
        clearTimeout(timer);
        leave(streamed);
      };
      return settling({ step: () => Reflect.apply(original, this, args) as unknown, ended: left, failed: left });
    };
  });
}

/**
 * Its wrapper around the generator of a run. What else comes here is of the program, or of `streamEvents`, which LangChain
 * ends by itself.
 */
function isOfLangChain(source: unknown): source is object {
  if (typeof source !== 'object' || source === null) return false;
  const isAlike = Object.hasOwn(source, 'setup') && Object.hasOwn(source, 'firstResultUsed');
  return isAlike && source.constructor.name === 'AsyncGeneratorWithSetup';
}

interface Step {
  readonly step: () => unknown;
  readonly ended?: () => void;
  readonly failed: (error: unknown) => void;
}

/** Takes a step: what answers at once still does. */
function settling({ step, ended, failed }: Step): unknown {
  const end = (value: unknown): unknown => {
    ended?.();
    return value;
  };
  const rethrow = (error: unknown): never => {
    failed(error);
    throw error;
  };
  let result: unknown;
  try {
    result = step();
  } catch (error) {
    return rethrow(error);
  }
  return types.isPromise(result) ? result.then(end, rethrow) : end(result);
}

function leave(streamed: Streamed): void {
  guard(() => leaveRunsOf(streamed));
}

/** Runs that are still at work when a stream has come to its end go on, and end by themselves. */
function forget(streamed: Streamed): void {
  guard(() => isOpen(streamed) && leaveRunsOf(streamed));
}

/**
 * A signal stops a stream without a word to those who read for it. Where the run itself has ended, what is left below may
 * still be at work; a graph that is left stops itself by a signal, and then comes to its end.
 */
function fail(streamed: Streamed, error: unknown): void {
  guard(() => isOpen(streamed) && !streamed.isLeft && failRunsOf(streamed, error));
}

function isOpen({ rootId }: Streamed): boolean {
  return frameOfRun(rootId) !== undefined;
}

function guard<Result>(action: () => Result): Result | undefined {
  return guarded({ library: '@langchain/core', opName: 'stream' }, action);
}
