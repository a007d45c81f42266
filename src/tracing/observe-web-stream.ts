import type { ReadableStreamReadResult, ReadableWritablePair, StreamPipeOptions } from 'node:stream/web';
import { below, cover, coverMethod } from './cover.ts';
import { coverSteps } from './observe-generator.ts';
import type { UntypedOptions } from './op-spec.ts';
import type { RecordedCall } from './recorded-call.ts';
import { type ChunkSink, StreamRecording } from './stream-recording.ts';

/**
 * Ends the call when a web stream was read, cancelled or failed. The stream stays the object it is: its methods are
 * covered by own ones, which watch what the user reads and never read by themselves. Answers `false` when the stream
 * cannot be observed.
 */
export function observeWebStream(call: RecordedCall, options: UntypedOptions, stream: ReadableStream): boolean {
  return canWatch(stream) && watchWebStream(stream, new StreamRecording(call, options, stream));
}

/** What somebody reads already goes past us. */
export function canWatch(stream: ReadableStream): boolean {
  return !stream.locked && Object.isExtensible(stream);
}

export function watchWebStream(stream: ReadableStream, sink: ChunkSink): boolean {
  const isCovered = coverMethod(stream, 'getReader', (getReader) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const reader = Reflect.apply(getReader, this, args) as ReadableStreamDefaultReader;
      coverReader(reader, sink);
      return reader;
    };
  });
  if (!isCovered) return false;
  for (const name of ['values', Symbol.asyncIterator]) coverIteration(stream, name, sink);
  coverMethod(stream, 'cancel', (cancel) => coveredCancel(cancel, sink));
  coverMethod(stream, 'tee', (tee) => coveredTee(tee, sink));
  coverPipes(stream, sink);
  return true;
}

function coverReader(reader: ReadableStreamDefaultReader, sink: ChunkSink): void {
  let isReleased = false;
  coverMethod(reader, 'releaseLock', (releaseLock) => {
    return function (this: unknown): unknown {
      isReleased = true;
      return Reflect.apply(releaseLock, this, []);
    };
  });
  coverMethod(reader, 'cancel', (cancel) => coveredCancel(cancel, sink));
  coverMethod(reader, 'read', (read) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const reading = below(sink.call, read, this, args) as Promise<ReadableStreamReadResult<unknown>>;
      return reading.then(
        (result) => {
          if (result.done) sink.end('end');
          else sink.add(result.value);
          return result;
        },
        (error: unknown) => {
          // A reader that was let go refuses its reads, and the stream goes on with the next one.
          if (!isReleased) sink.fail(error);
          throw error;
        },
      );
    };
  });
}

function coverIteration(stream: ReadableStream, name: PropertyKey, sink: ChunkSink): void {
  coverMethod(stream, name, (values) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const iterator = Reflect.apply(values, this, args) as object;
      coverSteps(iterator, sink);
      return iterator;
    };
  });
}

function coveredCancel(cancel: Function, sink: ChunkSink) {
  return function (this: unknown, ...args: unknown[]): unknown {
    // Of a stream that somebody reads this is refused, and nothing ends.
    const isRefused = this instanceof ReadableStream && this.locked;
    const result = below(sink.call, cancel, this, args);
    if (!isRefused) sink.end('cancel');
    return result;
  };
}

function coveredTee(tee: Function, sink: ChunkSink) {
  return function (this: unknown): unknown {
    const branches = Reflect.apply(tee, this, []) as [ReadableStream, ReadableStream];
    const shared = { chunks: 0, open: branches.length };
    for (const branch of branches) watchWebStream(branch, branchOf(sink, shared));
    return branches;
  };
}

/** Both branches see the same chunks: each counts once, and the call ends with the one that is done first. */
function branchOf(sink: ChunkSink, shared: { chunks: number; open: number }): ChunkSink {
  let chunks = 0;
  return {
    call: sink.call,
    add(chunk) {
      chunks += 1;
      if (chunks <= shared.chunks) return;
      shared.chunks = chunks;
      sink.add(chunk);
    },
    end(reason, returned) {
      shared.open -= 1;
      if (reason === 'end' || shared.open === 0) sink.end(reason, returned);
    },
    fail: (error) => sink.fail(error),
  };
}

/**
 * The runtime pipes without any method that could be covered, so that a pipe goes through a transform of ours, which
 * hands on each chunk as it is. It holds one chunk at most, and passes on back-pressure, errors and cancellation.
 */
function coverPipes(stream: ReadableStream, sink: ChunkSink): void {
  const pipeTo: unknown = Reflect.get(stream, 'pipeTo');
  const pipeThrough: unknown = Reflect.get(stream, 'pipeThrough');
  const getReader: unknown = Reflect.get(ReadableStream.prototype, 'getReader');
  if (typeof pipeTo !== 'function' || typeof pipeThrough !== 'function' || typeof getReader !== 'function') return;
  const tapped = (): ReadableStream => {
    const tap = tapInto(sink);
    const piping = Reflect.apply(pipeTo, stream, [tap.writable]) as Promise<void>;
    piping.catch(() => settleByState(stream, getReader, sink));
    return tap.readable;
  };
  cover(stream, 'pipeTo', function (this: unknown, ...args: unknown[]): unknown {
    const [target, options] = args as [WritableStream, StreamPipeOptions?];
    if (this !== stream || !canTap(stream, target, options)) return Reflect.apply(pipeTo, this, args);
    return tapped().pipeTo(target, options);
  });
  cover(stream, 'pipeThrough', function (this: unknown, ...args: unknown[]): unknown {
    const [pair, options] = args as [ReadableWritablePair, StreamPipeOptions?];
    const canBeTapped = this === stream && isPair(pair) && canTap(stream, pair.writable, options);
    return canBeTapped ? tapped().pipeThrough(pair, options) : Reflect.apply(pipeThrough, this, args);
  });
}

/** What the runtime refuses, it shall refuse by itself; a source that is to stay readable needs all of its chunks. */
function canTap(stream: ReadableStream, target: unknown, options: StreamPipeOptions | undefined): boolean {
  if (stream.locked || !(target instanceof WritableStream) || target.locked) return false;
  return options === undefined || (typeof options === 'object' && options?.preventCancel !== true);
}

function isPair(pair: unknown): pair is ReadableWritablePair {
  return typeof pair === 'object' && pair !== null && 'readable' in pair && pair.readable instanceof ReadableStream;
}

function tapInto(sink: ChunkSink): TransformStream {
  return new TransformStream({
    transform(chunk, controller) {
      sink.add(chunk);
      controller.enqueue(chunk);
    },
    flush() {
      sink.end('end');
    },
  });
}

/** A pipe that broke says with which error, but not on which side: a source that was cancelled is closed. */
function settleByState(stream: ReadableStream, getReader: Function, sink: ChunkSink): void {
  const reader = Reflect.apply(getReader, stream, []) as ReadableStreamDefaultReader;
  reader.closed
    .then(
      () => sink.end('cancel'),
      (error: unknown) => sink.fail(error),
    )
    .finally(() => reader.releaseLock());
}
