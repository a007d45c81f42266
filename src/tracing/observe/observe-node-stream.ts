import type { Readable } from 'node:stream';
import { below, cover, coverMethod } from './cover.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { type ChunkSink, StreamRecording } from './stream-recording.ts';
import { isError } from '../capture/thrown.ts';

/** Where a stream does its own work, which belongs to the call that made the stream. */
const WORK = ['_read', '_transform', '_flush'] as const;

/**
 * Ends the call when a stream of Node was read, destroyed or failed. Every way to read one emits what was read, so
 * that watching what it emits is enough, and never makes it flow. Answers `false` when there is nothing to observe.
 */
export function observeNodeStream(call: RecordedCall, options: UntypedOptions, stream: Readable): boolean {
  if (stream.readableEnded || stream.destroyed || !Object.isExtensible(stream)) return false;
  const sink: ChunkSink = new StreamRecording(call, options, stream);
  const isCovered = coverMethod(stream, 'emit', (emit) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      note(sink, args[0], args[1]);
      return Reflect.apply(emit, this, args);
    };
  });
  if (isCovered) for (const work of WORK) coverWork(stream, work, call);
  return isCovered;
}

/**
 * Something to read, but no connection: those live on when what was asked of them has been answered. Nor a hash or a
 * cipher, which are streams too, but fed by hand.
 */
export function isReadable(value: object): value is Readable {
  const { pipe, read, emit, update, _write, _transform } = value as Partial<
    Record<'pipe' | 'read' | 'emit' | 'update' | '_write' | '_transform', unknown>
  >;
  if (![pipe, read, emit].every((method) => typeof method === 'function')) return false;
  if (typeof update === 'function') return false;
  return typeof _write !== 'function' || typeof _transform === 'function';
}

function note(sink: ChunkSink, event: unknown, value: unknown): void {
  if (event === 'data') sink.add(value);
  else if (event === 'end') sink.end('end');
  else if (event === 'error' && isAbort(value)) sink.end('cancel');
  else if (event === 'error') sink.fail(value);
  else if (event === 'close') sink.end('cancel');
}

/** The error that a stream is destroyed with when its reader leaves early or takes the work back. */
function isAbort(error: unknown): boolean {
  try {
    return isError(error) && error.name === 'AbortError';
  } catch {
    return false;
  }
}

function coverWork(stream: Readable, name: string, call: RecordedCall): void {
  const original: unknown = Reflect.get(stream, name);
  if (typeof original !== 'function') return;
  cover(stream, name, function (this: unknown, ...args: unknown[]): unknown {
    return below(call, original, this, args);
  });
}
