import { types } from 'node:util';
import type { UntypedOptions } from './op-spec.ts';
import type { RecordedCall } from './recorded-call.ts';
import { registry } from './registry.ts';
import { StreamRecording } from './stream-recording.ts';

type Step = 'next' | 'return' | 'throw';

const STEPS: readonly Step[] = ['next', 'return', 'throw'];

/**
 * Ends the call when the generator is finished, left or fails. The generator stays the object it is: only its three
 * methods are covered by own ones, which forward what they get at once and run the body below the call.
 */
export function observeGenerator(call: RecordedCall, options: UntypedOptions, generator: object): void {
  coverSteps(generator, new StreamRecording(call, options, generator));
}

/**
 * The same for an object that hands out async iterators, such as the stream of a provider's library. Answers `false`
 * when the object cannot be observed.
 */
export function observeIterable(call: RecordedCall, options: UntypedOptions, iterable: object): boolean {
  const original: unknown = Reflect.get(iterable, Symbol.asyncIterator);
  const recording = new StreamRecording(call, options, iterable);
  return cover(iterable, Symbol.asyncIterator, function (this: unknown, ...args: unknown[]): unknown {
    const iterator: unknown = registry.context.run(call, Reflect.apply, original as Function, this, args);
    if (typeof iterator === 'object' && iterator !== null) coverSteps(iterator, recording);
    return iterator;
  });
}

function coverSteps(iterator: object, recording: StreamRecording): void {
  for (const step of STEPS) {
    const original: unknown = Reflect.get(iterator, step);
    if (typeof original !== 'function') continue;
    cover(iterator, step, function (this: unknown, ...args: unknown[]): unknown {
      return take(recording, step, original, this, args);
    });
  }
}

function cover(target: object, key: PropertyKey, value: Function): boolean {
  return Reflect.defineProperty(target, key, { value, configurable: true, writable: true, enumerable: false });
}

function take(recording: StreamRecording, step: Step, original: Function, self: unknown, args: unknown[]): unknown {
  let result: unknown;
  try {
    result = registry.context.run(recording.call, Reflect.apply, original, self, args);
  } catch (error) {
    recording.fail(error);
    throw error;
  }
  if (!types.isPromise(result)) return record(recording, step, result);
  return result.then(
    (settled) => record(recording, step, settled),
    (error: unknown) => {
      recording.fail(error);
      throw error;
    },
  );
}

function record(recording: StreamRecording, step: Step, result: unknown): unknown {
  // What is no result at all is the business of whoever reads it.
  if (typeof result !== 'object' || result === null) return result;
  const { done, value } = result as IteratorResult<unknown>;
  if (done !== true) recording.add(value);
  else recording.end(step === 'return' ? 'break' : 'end', step === 'return' ? undefined : value);
  return result;
}
