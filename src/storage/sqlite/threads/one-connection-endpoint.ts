import { type Answer, errorData, type Message } from './messages.ts';
import { type Chunk, isStream, isWrite, type ReadRequest, type StreamRequest } from './requests.ts';
import { letGoOfBodies } from '../read/functions.ts';
import type { StatementReader } from './statements.ts';
import { openRows } from './row-stream.ts';
import type { Writer } from '../write/writer.ts';

/** Writes and reads on one connection. Streams are read whole when they begin, so that they stay one snapshot. */
export class OneConnectionEndpoint {
  readonly #writer: Writer;
  readonly #reader: StatementReader;
  readonly #answer: (answer: Answer) => void;
  readonly #streams = new Map<number, Iterator<Chunk<unknown>>>();

  constructor(writer: Writer, reader: StatementReader, answer: (answer: Answer) => void) {
    this.#writer = writer;
    this.#reader = reader;
    this.#answer = answer;
  }

  receive({ id, request }: Message): void {
    try {
      this.#answer({ id, result: isWrite(request) ? this.#write(request) : this.#read(id, request) });
    } catch (error) {
      this.#answer({ id, error: errorData(error) });
    } finally {
      letGoOfBodies();
    }
  }

  close(): void {
    this.#writer.close();
  }

  #write(request: Parameters<Writer['writeGroup']>[0][number]): unknown {
    const [outcome] = this.#writer.writeGroup([request]);
    if (outcome !== undefined && 'error' in outcome) throw outcome.error;
    if (request.op === 'delete') while (this.#writer.purge());
    return outcome?.result;
  }

  #read(id: number, request: ReadRequest): unknown {
    if (isStream(request)) return this.#open(id, request);
    switch (request.op) {
      case 'next':
        return this.#next(request.stream);
      case 'cancel':
        return this.#streams.delete(request.stream);
      default:
        return this.#reader.answer(request);
    }
  }

  #open(id: number, request: StreamRequest): Chunk<unknown> {
    this.#streams.set(id, this.#chunks(id, request).values());
    return this.#next(id);
  }

  #chunks(id: number, request: StreamRequest): Chunk<unknown>[] {
    const stream = openRows(this.#reader, request);
    const chunks: Chunk<unknown>[] = [];
    try {
      for (;;) {
        const { rows, isDone } = stream.take();
        chunks.push(isDone ? { rows } : { rows, stream: id });
        if (isDone) return chunks;
      }
    } finally {
      this.#reader.end();
    }
  }

  #next(id: number): Chunk<unknown> {
    const { rows, stream } = this.#streams.get(id)?.next().value ?? { rows: [] };
    if (stream !== undefined) return { rows, stream };
    this.#streams.delete(id);
    return { rows };
  }
}
