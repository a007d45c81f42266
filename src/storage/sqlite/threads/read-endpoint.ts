import { TracingError } from '../../../protocol/error.ts';
import type { StoredCall } from '../../contract/calls.ts';
import type { Interrupt } from './interrupt.ts';
import { type Answer, errorData, isWrite, type Message, type PackedChunk, type ReadRequest } from './messages.ts';
import { packCalls } from '../../packed/packed-calls.ts';
import { statementOf } from '../read/planned-statement.ts';
import type { CallsQuery, Reader } from '../read/statements.ts';

/** A chunk is bounded by these. */
const MAX_CHUNK_ROWS = 200;
const MAX_CHUNK_BYTES = 256 * 1024;

interface OpenStream {
  readonly reader: Reader;
  readonly calls: Iterator<StoredCall, unknown>;
}

/**
 * Answers reads in the order they come. A stream has a connection of its own with an open transaction, so
 * that it stays one snapshot while other reads see what is written meanwhile; between chunks it costs
 * nothing but that connection.
 */
export class ReadDesk {
  readonly #openReader: () => Reader;
  readonly #answer: (answer: Answer) => void;
  readonly #reader: Reader;
  readonly #interrupt: Interrupt;
  /** All of them are kept: a driver may let go of a closed connection only when its statements are collected. */
  readonly #idle: Reader[] = [];
  readonly #streams = new Map<number, OpenStream>();
  #isClosed = false;

  constructor(openReader: () => Reader, answer: (answer: Answer) => void, interrupt: Interrupt) {
    this.#interrupt = interrupt;
    this.#openReader = openReader;
    this.#answer = answer;
    this.#reader = openReader();
  }

  receive({ id, request }: Message): void {
    try {
      if (isWrite(request)) throw new TypeError(`A reader cannot carry out ${request.op}`);
      this.#interrupt.begin(id);
      this.#answer({ id, result: this.#read(id, request) });
    } catch (error) {
      this.#answer({ id, error: errorData(error) });
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of this.#streams.keys()) this.#finish(stream);
    for (const reader of [this.#reader, ...this.#idle]) reader.close();
  }

  #read(id: number, request: ReadRequest): unknown {
    switch (request.op) {
      case 'open':
        return this.#open(id, { ...request, keys: statementOf(request.keys) });
      case 'next':
        return this.#next(request.stream);
      case 'cancel':
        return this.#finish(request.stream);
      default:
        return this.#reader.answer(request);
    }
  }

  /** A stream has the number of the request that opened it. */
  #open(id: number, query: CallsQuery): PackedChunk {
    const reader = this.#idle.pop() ?? this.#openReader();
    reader.begin(query);
    this.#streams.set(id, { reader, calls: reader.calls(query) });
    return this.#next(id);
  }

  #next(id: number): PackedChunk {
    const stream = this.#streams.get(id);
    if (stream === undefined) throw new TracingError('unavailable', 'Cannot go on with the read: it is not open');
    try {
      const { rows, isDone } = takeChunk(stream.calls);
      if (isDone) this.#finish(id);
      const calls = packCalls(rows);
      return isDone ? { calls } : { calls, stream: id };
    } catch (error) {
      this.#finish(id);
      throw error;
    }
  }

  #finish(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.calls.return?.();
    stream.reader.end();
    if (this.#isClosed) stream.reader.close();
    else this.#idle.push(stream.reader);
  }
}

export function takeChunk(calls: Iterator<StoredCall, unknown>): { rows: StoredCall[]; isDone: boolean } {
  const rows: StoredCall[] = [];
  let bytes = 0;
  while (rows.length < MAX_CHUNK_ROWS && bytes < MAX_CHUNK_BYTES) {
    const next = calls.next();
    if (next.done === true) return { rows, isDone: true };
    rows.push(next.value);
    bytes += callBytes(next.value);
  }
  return { rows, isDone: false };
}

function callBytes({ attributes, inputs, output, summary, otel_dump: dump, exception }: StoredCall): number {
  const texts = [attributes, inputs, output, summary, dump, exception];
  return texts.reduce((bytes, text) => bytes + (text?.length ?? 0), 500);
}
