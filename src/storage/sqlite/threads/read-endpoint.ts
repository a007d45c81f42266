import { TracingError } from '../../../protocol/error.ts';
import type { Interrupt } from './interrupt.ts';
import { type Answer, errorData, type Message } from './messages.ts';
import { isStream, isWrite, type PackedChunk, type ReadRequest, type StreamRequest } from './requests.ts';
import { letGoOfBodies } from '../read/functions.ts';
import type { StatementReader } from './statements.ts';
import { openRows, type RowStream } from './row-stream.ts';

interface OpenStream {
  readonly reader: StatementReader;
  readonly rows: RowStream;
}

/**
 * Answers reads in the order they come. A stream has a connection of its own with an open transaction, so
 * that it stays one snapshot while other reads see what is written meanwhile; between chunks it costs
 * nothing but that connection.
 */
export class ReadEndpoint {
  readonly #openReader: () => StatementReader;
  readonly #answer: (answer: Answer) => void;
  readonly #reader: StatementReader;
  readonly #interrupt: Interrupt;
  /** All of them are kept: a driver may let go of a closed connection only when its statements are collected. */
  readonly #idle: StatementReader[] = [];
  readonly #streams = new Map<number, OpenStream>();
  #isClosed = false;

  constructor(openReader: () => StatementReader, answer: (answer: Answer) => void, interrupt: Interrupt) {
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
    } finally {
      letGoOfBodies();
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of this.#streams.keys()) this.#finish(stream);
    for (const reader of [this.#reader, ...this.#idle]) reader.close();
  }

  #read(id: number, request: ReadRequest): unknown {
    if (isStream(request)) return this.#open(id, request);
    switch (request.op) {
      case 'next':
        return this.#next(request.stream);
      case 'cancel':
        return this.#finish(request.stream);
      default:
        return this.#reader.answer(request);
    }
  }

  /** A stream has the number of the request that opened it. */
  #open(id: number, request: StreamRequest): PackedChunk {
    const reader = this.#idle.pop() ?? this.#openReader();
    try {
      this.#streams.set(id, { reader, rows: openRows(reader, request) });
    } catch (error) {
      this.#idle.push(reader);
      throw error;
    }
    return this.#next(id);
  }

  #next(id: number): PackedChunk {
    const stream = this.#streams.get(id);
    if (stream === undefined) throw new TracingError('unavailable', 'Cannot go on with the read: it is not open');
    try {
      const { isDone, ...chunk } = stream.rows.takePacked();
      if (isDone) this.#finish(id);
      return isDone ? chunk : { ...chunk, stream: id };
    } catch (error) {
      this.#finish(id);
      throw error;
    }
  }

  #finish(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.rows.leave();
    stream.reader.end();
    if (this.#isClosed) stream.reader.close();
    else this.#idle.push(stream.reader);
  }
}
