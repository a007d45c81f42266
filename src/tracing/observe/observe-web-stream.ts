import type { ReadableStreamReadResult, ReadableWritablePair, StreamPipeOptions } from 'node:stream/web';
import { types } from 'node:util';
import { below, coverMethod } from './cover.ts';
import { coverSteps } from './observe-generator.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { type ChunkSink, StreamRecording, withAdd } from './stream-recording.ts';

/**
 * Ends the call when a web stream was read, cancelled or failed. The stream stays the object it is: its methods are
 * covered by own ones, which watch what the user reads and never read by themselves. Answers `false` when the stream
 * cannot be observed.
 */
export function observeWebStream(call: RecordedCall, options: UntypedOptions, stream: ReadableStream): boolean {
  return canWatch(stream) && watchWebStream(stream, new StreamRecording(call, options, stream));
}

/** A stream that somebody reads already goes past us. */
export function canWatch(stream: ReadableStream): boolean {
  return !stream.locked && Object.isExtensible(stream);
}

/** Readers of a stream that were not let go yet. */
type OpenReaders = Set<ReadableStreamDefaultReader>;

export function watchWebStream(stream: ReadableStream, sink: ChunkSink): boolean {
  const readers: OpenReaders = new Set();
  const isCovered = coverMethod(stream, 'getReader', (getReader) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const reader = Reflect.apply(getReader, this, args) as ReadableStreamDefaultReader;
      readers.add(reader);
      coverReader(reader, readers, sink);
      return reader;
    };
  });
  if (!isCovered) return false;
  for (const name of ['values', Symbol.asyncIterator]) coverIteration(stream, name, readers, sink);
  // Of a stream that somebody reads this is refused, and nothing ends.
  coverCancel(stream, () => stream.locked, sink);
  coverMethod(stream, 'tee', (tee) => coveredTee(tee, sink));
  if (stream instanceof ReadableStream) coverPipes(stream);
  return true;
}

function coverReader(reader: ReadableStreamDefaultReader, readers: OpenReaders, sink: ChunkSink): void {
  coverMethod(reader, 'releaseLock', (releaseLock) => {
    return function (this: unknown): unknown {
      readers.delete(reader);
      return Reflect.apply(releaseLock, this, []);
    };
  });
  coverCancel(reader, () => !readers.has(reader), sink);
  // A source may fail while nobody asks for a chunk. Streams that others have written do not always say so.
  const { closed }: { readonly closed?: Promise<unknown> } = reader;
  if (types.isPromise(closed)) closed.catch((error: unknown) => void (readers.has(reader) && sink.fail(error)));
  coverMethod(reader, 'read', (read) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const reading = below(sink.call, read, this, args);
      if (!types.isPromise(reading)) return reading;
      return (reading as Promise<ReadableStreamReadResult<unknown>>).then(
        (result) => {
          if (result.done) sink.end('end');
          else sink.add(result.value);
          return result;
        },
        (error: unknown) => {
          // A reader that was let go refuses its reads, and the stream goes on with the next one.
          if (readers.has(reader)) sink.fail(error);
          throw error;
        },
      );
    };
  });
}

function coverIteration(stream: ReadableStream, name: PropertyKey, readers: OpenReaders, sink: ChunkSink): void {
  // An iterator that a library has put there reads by a reader, where its chunks went past us already.
  const rest = withAdd(sink, (chunk) => void (readers.size === 0 && sink.add(chunk)));
  coverMethod(stream, name, (values) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const iterator = Reflect.apply(values, this, args) as object;
      coverSteps(iterator, rest);
      return iterator;
    };
  });
}

function coverCancel(target: object, isRefused: () => boolean, sink: ChunkSink): void {
  coverMethod(target, 'cancel', (cancel) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const changesNothing = isRefused();
      const result = below(sink.call, cancel, this, args);
      if (!changesNothing) sink.end('cancel');
      return result;
    };
  });
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
  let isOpen = true;
  return {
    call: sink.call,
    add(chunk) {
      chunks += 1;
      if (chunks <= shared.chunks) return;
      shared.chunks = chunks;
      sink.add(chunk);
    },
    end(reason, returned) {
      if (isOpen) shared.open -= 1;
      isOpen = false;
      if (reason === 'end' || shared.open === 0) sink.end(reason, returned);
    },
    fail: (error) => sink.fail(error),
  };
}

/**
 * The runtime pipes without any method that could be covered, so that a pipe reads by a reader, which is covered. Each
 * chunk is read when the target wants it and handed on as it is; errors, cancellation and their order stay.
 */
function coverPipes(stream: ReadableStream): void {
  coverMethod(stream, 'pipeTo', (pipeTo) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const [target, options] = args as [WritableStream, StreamPipeOptions?];
      if (this !== stream || !canPipe(stream, target, options)) return Reflect.apply(pipeTo, this, args);
      return pipe(stream, target, options);
    };
  });
  coverMethod(stream, 'pipeThrough', (pipeThrough) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const [pair, options] = args as [ReadableWritablePair, StreamPipeOptions?];
      if (this !== stream || !isPair(pair) || !canPipe(stream, pair.writable, options)) {
        return Reflect.apply(pipeThrough, this, args);
      }
      // The user learns of a failure on the other side of the pair.
      pipe(stream, pair.writable, options).catch(() => undefined);
      return pair.readable;
    };
  });
}

/** A pipe that the runtime refuses, it shall refuse by itself; a source that stays readable needs all of its chunks. */
function canPipe(stream: ReadableStream, target: unknown, options: StreamPipeOptions | undefined): boolean {
  if (stream.locked || !(target instanceof WritableStream) || target.locked) return false;
  if (options === undefined || options === null) return true;
  const { preventCancel, signal } = options;
  return !preventCancel && (signal === undefined || signal instanceof AbortSignal);
}

function isPair(pair: unknown): pair is ReadableWritablePair {
  return typeof pair === 'object' && pair !== null && 'readable' in pair && pair.readable instanceof ReadableStream;
}

async function pipe(stream: ReadableStream, target: WritableStream, options?: StreamPipeOptions): Promise<void> {
  const reader = stream.getReader() as ReadableStreamDefaultReader;
  try {
    await readBy(reader).pipeTo(target, options);
  } finally {
    reader.releaseLock();
  }
}

/** A stream of what a reader reads, without a buffer of its own. */
function readBy(reader: ReadableStreamDefaultReader): ReadableStream {
  let reading: Promise<unknown> = Promise.resolve();
  return new ReadableStream(
    {
      start(controller) {
        // A source may fail while nobody wants a chunk. What was read before goes on first.
        reader.closed.catch((error: unknown) => reading.then(() => controller.error(error)));
      },
      async pull(controller) {
        const next = reader.read();
        reading = next.then(
          () => undefined,
          () => undefined,
        );
        const { done, value } = await next;
        if (!done) controller.enqueue(value);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
