import { opNameOf } from '../../protocol/ref.ts';
import { type Watch, whenForgotten } from './abandoned.ts';
import { askOption } from '../record/ask-option.ts';
import { type Captured, captureAgain, startWalk } from '../capture/capture.ts';
import { maskOf } from '../capture/capture-call.ts';
import { clock } from '../record/clock.ts';
import { captureOutput, endCall, failCall } from '../record/end-call.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall, StreamEndReason } from '../record/recorded-call.ts';
import { reportProblem } from '../record/tracer.ts';
import type { Walk } from '../capture/walk.ts';

/** Half of these at the beginning and half at the end are kept of a long stream. */
const MAX_KEPT_CHUNKS = 10_000;
const MAX_KEPT_BYTES = 1024 * 1024;

/** Takes what passes through a stream while the user reads it. The first end counts. */
export interface ChunkSink {
  readonly call: RecordedCall;
  add(chunk: unknown): void;
  /** `returned` is the return value of a generator. */
  end(reason: StreamEndReason, returned?: unknown): void;
  fail(error: unknown): void;
}

/** A sink that does something else with the chunks. */
export function withAdd(sink: ChunkSink, add: ChunkSink['add']): ChunkSink {
  return {
    call: sink.call,
    add,
    end: (reason, returned) => sink.end(reason, returned),
    fail: (error) => sink.fail(error),
  };
}

interface Kept {
  readonly chunk: unknown;
  readonly bytes: number;
}

/**
 * Collects what a generator or stream yields while the user reads it, and ends the call when he is done. Without an
 * `aggregate` option chunks are copied as they pass; with one they are kept as they are, for it to see.
 */
export class StreamRecording implements ChunkSink {
  readonly #call: RecordedCall;
  readonly #options: UntypedOptions;
  readonly #watch: Watch;
  #head: unknown[] = [];
  #headBytes = 0;
  #tail: Kept[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #chunks = 0;
  #firstChunkMs: number | null = null;
  #walk: Walk | undefined;

  constructor(call: RecordedCall, options: UntypedOptions, source: object) {
    this.#call = call;
    this.#options = options;
    this.#watch = whenForgotten(source, () => this.end('abandoned'));
  }

  get call(): RecordedCall {
    return this.#call;
  }

  add(chunk: unknown): void {
    if (this.#call.hasEnded) return;
    try {
      this.#chunks += 1;
      this.#firstChunkMs ??= Math.floor((clock.now() - this.#call.startedAt) / 1000);
      if (this.#options.output === false && this.#options.usage === undefined) return;
      this.#keep(this.#copy(chunk));
    } catch (error) {
      const { tracer, opName } = this.#call;
      reportProblem('stream_chunk', `Cannot record a chunk of "${opNameOf(opName)}"`, error, tracer);
    }
  }

  end(reason: StreamEndReason, returned?: unknown): void {
    if (this.#call.hasEnded) return;
    this.#close(reason);
    const output = this.#output(returned);
    endCall(this.#call, this.#options, output, this.#ready(output));
    this.#letGo();
  }

  fail(error: unknown): void {
    if (this.#call.hasEnded) return;
    this.#close('error');
    const output = this.#output(undefined);
    failCall(this.#call, error, captureOutput(this.#call, this.#options, output, this.#ready(output)));
    this.#letGo();
  }

  /** A stream that was read may be kept for long, and this with it. */
  #letGo(): void {
    this.#head = [];
    this.#tail = [];
    this.#walk = undefined;
  }

  /** Chunks were copied as they passed, so a list of them needs no second walk, which would cut it again. */
  #ready(output: unknown): Captured | undefined {
    if (this.#options.aggregate !== undefined) return undefined;
    return { value: output, bytes: this.#headBytes + this.#tailBytes };
  }

  #close(reason: StreamEndReason): void {
    this.#watch.stop();
    this.#call.stream = { chunks: this.#chunks, first_chunk_ms: this.#firstChunkMs, reason };
  }

  #copy(chunk: unknown): Captured {
    const captured = captureAgain((this.#walk ??= this.#startWalk()), chunk);
    if (this.#options.aggregate === undefined) return captured;
    // Bytes are recorded as a short tag, but it is the bytes themselves that wait for `aggregate`.
    return { value: chunk, bytes: Math.max(captured.bytes, ArrayBuffer.isView(chunk) ? chunk.byteLength : 0) };
  }

  #startWalk(): Walk {
    const { tracer, scope } = this.#call;
    return startWalk('output', maskOf(tracer, scope), tracer.limits);
  }

  #keep({ value, bytes }: Captured): void {
    const isHead = this.#tail.length === 0 && this.#head.length < MAX_KEPT_CHUNKS / 2;
    if (isHead && this.#headBytes + bytes <= MAX_KEPT_BYTES / 2) {
      this.#head.push(value);
      this.#headBytes += bytes;
      return;
    }
    this.#tail.push({ chunk: value, bytes });
    this.#tailBytes += bytes;
    this.#trimTail();
  }

  #trimTail(): void {
    while (this.#tail.length - this.#tailStart > MAX_KEPT_CHUNKS / 2 || this.#tailBytes > MAX_KEPT_BYTES / 2) {
      this.#tailBytes -= this.#tail[this.#tailStart]?.bytes ?? 0;
      this.#tailStart += 1;
    }
    // Dropping from the front one by one would move the whole list each time.
    if (this.#tailStart > MAX_KEPT_CHUNKS) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
  }

  #output(returned: unknown): unknown {
    const tail = this.#tail.slice(this.#tailStart).map(({ chunk }) => chunk);
    const left = this.#chunks - this.#head.length - tail.length;
    const { aggregate } = this.#options;
    if (aggregate !== undefined) {
      return askOption(this.#call, 'aggregate', aggregate, [[...this.#head, ...tail]], undefined);
    }
    const yielded =
      left > 0 ? [...this.#head, `…[${left} more of ${this.#chunks} chunks]`, ...tail] : [...this.#head, ...tail];
    return returned === undefined ? yielded : { yielded, returned: this.#copy(returned).value };
  }
}
