import { isReadable, observeNodeStream } from './observe-node-stream.ts';
import { canWatch, watchWebStream } from './observe-web-stream.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { type ChunkSink, StreamRecording, withAdd } from './stream-recording.ts';

/** The parts of a `Response` that all implementations have. */
interface ResponseLike {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
}

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|ndjson|jsonl|javascript)\b)/i;

/**
 * Ends the call when the body of a response was read: by `text()` and its siblings or as a stream, which is the same
 * to us. A text is recorded as such, anything else by its size. Answers `false` when there is no body to wait for.
 */
export function observeResponse(call: RecordedCall, options: UntypedOptions, response: ResponseLike): boolean {
  const { status, body } = response;
  if (typeof body !== 'object' || body === null) return false;
  if (isReadable(body)) return observeNodeStream(call, options, body);
  if (!isWebStream(body) || !canWatch(body)) return false;
  const isText = TEXT.test(response.headers.get('content-type') ?? '');
  if (options.aggregate !== undefined) return watchWebStream(body, new StreamRecording(call, options, body));
  const sinkOf = (aggregate: (chunks: readonly unknown[]) => unknown) =>
    new StreamRecording(call, { ...options, aggregate }, body);
  return watchWebStream(body, isText ? decoding(status, sinkOf) : measuring(status, sinkOf));
}

export function isWebStream(value: object): value is ReadableStream {
  return ['getReader', 'tee', 'cancel'].every((method) => typeof Reflect.get(value, method) === 'function');
}

export function isResponse(value: object): value is ResponseLike {
  if (!('status' in value && 'headers' in value && 'body' in value && 'clone' in value)) return false;
  const { status, headers, clone } = value;
  return typeof status === 'number' && typeof clone === 'function' && typeof headers === 'object' && headers !== null;
}

type SinkOf = (aggregate: (chunks: readonly unknown[]) => unknown) => ChunkSink;

function decoding(status: number, sinkOf: SinkOf): ChunkSink {
  const decoder = new TextDecoder();
  const sink = sinkOf((chunks) => ({ status, body: chunks.join('') }));
  return withAdd(sink, (chunk) =>
    sink.add(chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : chunk),
  );
}

/** Counts by itself: of very many chunks a recording keeps only some. */
function measuring(status: number, sinkOf: SinkOf): ChunkSink {
  let bytes = 0;
  const sink = sinkOf(() => ({ status, bytes }));
  return withAdd(sink, (chunk) => {
    if (ArrayBuffer.isView(chunk)) bytes += chunk.byteLength;
    sink.add(undefined);
  });
}
