import { types } from 'node:util';
import { below, cover, coverMethod } from './cover.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { type ChunkSink, StreamRecording } from './stream-recording.ts';

type Step = 'next' | 'return' | 'throw';

const STEPS: readonly Step[] = ['next', 'return', 'throw'];

/**
 * Ends the call when the generator is finished, left or fails. The generator stays the object it is: only its three
 * methods are covered by own ones, which forward what they get at once and run the body below the call. Answers `false`
 * when the generator cannot be observed.
 */
export function observeGenerator(call: RecordedCall, options: UntypedOptions, generator: object): boolean {
  if (!Object.isExtensible(generator)) return false;
  coverSteps(generator, new StreamRecording(call, options, generator));
  return true;
}

/**
 * The same for an object that hands out async iterators, such as the stream of a provider's library. Answers `false`
 * when the object cannot be observed.
 */
export function observeIterable(call: RecordedCall, options: UntypedOptions, iterable: object): boolean {
  const original: unknown = Reflect.get(iterable, Symbol.asyncIterator);
  const recording = new StreamRecording(call, options, iterable);
  // An iterator mostly hands out itself, as often as it is asked.
  const covered = new WeakSet<object>();
  return cover(iterable, Symbol.asyncIterator, function (this: unknown, ...args: unknown[]): unknown {
    const iterator: unknown = below(call, original as Function, this, args);
    if (typeof iterator !== 'object' || iterator === null || covered.has(iterator)) return iterator;
    covered.add(iterator);
    coverSteps(iterator, recording);
    return iterator;
  });
}

export function coverSteps(iterator: object, sink: ChunkSink): void {
  for (const step of STEPS) {
    // Made once, as a stream has hundreds of steps.
    const settled = (result: unknown) => record(sink, step, result);
    const failed = (error: unknown) => {
      sink.fail(error);
      throw error;
    };
    coverMethod(iterator, step, (original) => {
      return function (this: unknown, ...args: unknown[]): unknown {
        const result = take(sink, original, this, args);
        return types.isPromise(result) ? result.then(settled, failed) : settled(result);
      };
    });
  }
}

function take(sink: ChunkSink, original: Function, self: unknown, args: unknown[]): unknown {
  try {
    return below(sink.call, original, self, args);
  } catch (error) {
    sink.fail(error);
    throw error;
  }
}

function record(sink: ChunkSink, step: Step, result: unknown): unknown {
  // What is no result at all is the business of whoever reads it.
  if (typeof result !== 'object' || result === null) return result;
  try {
    const { done, value } = result as IteratorResult<unknown>;
    if (done !== true) sink.add(value);
    else sink.end(step === 'return' ? 'break' : 'end', step === 'return' ? undefined : value);
  } catch (error) {
    // A result that cannot be read: whoever reads it gets the same error.
    sink.fail(error);
  }
  return result;
}
