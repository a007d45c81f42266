import { isObject } from '../../protocol/values/parsed-object.ts';
import {
  below,
  canWatch,
  type ChunkSink,
  coverMethod,
  coverSteps,
  type RecordedCall,
  type StreamEndReason,
  StreamRecording,
  watchWebStream,
} from '../../tracing/instrument.ts';
import type { Fold } from './fold.ts';
import { memberOf } from './json-object.ts';

/** The stream of the libraries of OpenAI and Anthropic: all ways to read it begin with its `iterator`. */
export interface EventStream {
  iterator: () => AsyncIterator<unknown>;
  readonly controller: AbortController;
}

export interface GeneratorWatch {
  readonly call: RecordedCall;
  readonly fold: Fold;
  /** The last look at what came, before the call ends. */
  onEnd(value: unknown): void;
  /** The failure according to what came, though the stream ended well. */
  failureOf(value: unknown): Error | undefined;
  /** Has the event come that ends each stream? Without it the program has left; unknown where there is none. */
  readonly isWhole?: () => boolean;
  /** Runs what may fail on an event of an unknown shape. */
  readonly guard: (action: () => void) => void;
}

export interface EventStreamWatch extends GeneratorWatch {
  /** The event as the program sees it; `undefined` leaves it out. Without, the events are handed on as they are. */
  readonly show: ((event: unknown) => unknown) | undefined;
}

/** Longer streams are counted to their end, but put together no further: a program may let one run for days. */
const MAX_FOLDED_EVENTS = 100_000;

export function isEventStream(value: unknown): value is EventStream {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return false;
  const { iterator, controller } = value as Partial<EventStream>;
  return typeof iterator === 'function' && controller instanceof AbortController;
}

/** The stream stays the object it is, and nothing is read of it before the program reads. */
export function watchEventStream(stream: EventStream, watch: EventStreamWatch): void {
  const original = stream.iterator;
  const sink = foldingSink(stream, watch, stream.controller.signal);
  let reader: object | undefined;
  const iterator = function (this: unknown): AsyncIterator<unknown> {
    const events = below(watch.call, original, this, []) as AsyncIterator<unknown>;
    coverMethod(events, 'next', (next) => {
      return function (this: unknown, ...args: unknown[]): unknown {
        reader ??= events;
        return Reflect.apply(next, this, args);
      };
    });
    coverSteps(
      events,
      sinkOf(sink, () => reader === undefined || reader === events),
    );
    return watch.show === undefined
      ? events
      : passingOnLeaving(shown(events, watch.show), events, () => reader !== undefined);
  };
  stream.iterator = Object.defineProperty(iterator, 'name', { value: original.name, configurable: true });
  if (Object.hasOwn(stream, Symbol.asyncIterator)) coverLeaving(stream, sink, () => reader !== undefined);
}

/** A cover of the library over the iterator does not tell it that it is left before it is read. */
function coverLeaving(stream: EventStream, sink: ChunkSink, isRead: () => boolean): void {
  coverMethod(stream, Symbol.asyncIterator, (iterate) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const events: unknown = Reflect.apply(iterate, this, args);
      if (!isObject(events)) return events;
      coverMethod(events, 'return', (leave) => {
        return function (this: unknown, ...values: unknown[]): unknown {
          if (!isRead()) sink.end('break');
          return Reflect.apply(leave, this, values);
        };
      });
      coverMethod(events, 'throw', (fail) => {
        return function (this: unknown, ...values: unknown[]): unknown {
          if (!isRead()) sink.fail(values[0]);
          return Reflect.apply(fail, this, values);
        };
      });
      return events;
    };
  });
}

/** A stream belongs to the first who reads it. What becomes of the others, who fail at once, is not what becomes of it. */
function sinkOf(sink: ChunkSink, isReader: () => boolean): ChunkSink {
  return {
    call: sink.call,
    add: (event) => sink.add(event),
    end(reason) {
      if (isReader()) sink.end(reason);
    },
    fail(error) {
      if (isReader()) sink.fail(error);
    },
  };
}

export function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return false;
  return typeof (value as Partial<AsyncGenerator>).next === 'function' && Object.isExtensible(value);
}

/** The same for a library whose streams are generators. */
export function watchGenerator(generator: AsyncGenerator, watch: GeneratorWatch): void {
  coverSteps(generator, foldingSink(generator, watch, undefined));
}

/** The same for a stream of the web. Answers `false` when it cannot be observed. */
export function watchReadable(stream: ReadableStream, watch: GeneratorWatch, signal?: AbortSignal): boolean {
  return canWatch(stream) && watchWebStream(stream, foldingSink(stream, watch, signal));
}

function foldingSink(stream: object, watch: GeneratorWatch, signal: AbortSignal | undefined): ChunkSink {
  const { call, fold, guard } = watch;
  const recording = new StreamRecording(call, { aggregate: () => fold.value() }, stream);
  let events = 0;
  const finish = (): Error | undefined => {
    let failure: Error | undefined;
    guard(() => {
      const value = fold.value();
      failure = watch.failureOf(value);
      watch.onEnd(value);
    });
    return failure;
  };
  return {
    call,
    add(event) {
      events += 1;
      if (events <= MAX_FOLDED_EVENTS || isSummary(event)) guard(() => fold.add(event));
      recording.add(undefined);
    },
    end(reason) {
      if (call.hasEnded) return;
      const failure = finish();
      if (failure !== undefined) recording.fail(failure);
      else recording.end(reasonOf(reason, watch, signal));
    },
    fail(error) {
      if (call.hasEnded) return;
      finish();
      recording.fail(error);
    },
  };
}

/** Libraries end a stream that the program has aborted or left as if it had been read to its end. */
function reasonOf(
  reason: StreamEndReason,
  { isWhole }: GeneratorWatch,
  signal: AbortSignal | undefined,
): StreamEndReason {
  if (reason !== 'end') return reason;
  if (signal?.aborted === true) return 'cancel';
  return isWhole?.() === false ? 'break' : 'end';
}

/** These tell of the whole. */
function isSummary(event: unknown): boolean {
  return ['usage', 'usageMetadata', 'response'].some((key) => memberOf(event, key) !== undefined);
}

/** A generator that was never begun does not tell `events` that it is left. */
function passingOnLeaving(
  generator: AsyncGenerator<unknown, void, undefined>,
  events: AsyncIterator<unknown>,
  isRead: () => boolean,
): AsyncGenerator<unknown, void, undefined> {
  for (const step of ['return', 'throw'] as const) {
    coverMethod(generator, step, (original) => {
      return function (this: unknown, ...args: [unknown?]): unknown {
        // What is wrong with it is told by the generator.
        if (!isRead()) events[step]?.(...args).catch(() => undefined);
        return Reflect.apply(original, this, args);
      };
    });
  }
  return generator;
}

/** A generator as the library makes one, so that reading and leaving it does the same. */
async function* shown(
  events: AsyncIterator<unknown>,
  show: (event: unknown) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  for await (const event of { [Symbol.asyncIterator]: () => events }) {
    const seen = isObject(event) ? show(event) : event;
    if (seen !== undefined) yield seen;
  }
}
