import type { StoredCall } from '../../contract/calls.ts';
import { type Answer, type Chunk, errorData, isWrite, type Message, type ReadRequest } from './messages.ts';
import { statementOf } from '../read/planned-statement.ts';
import { takeChunk } from './read-endpoint.ts';
import type { CallsQuery, Reader } from '../read/statements.ts';
import type { Writer } from '../write/writer.ts';

/** Writes and reads on one connection. Streams are read whole when they begin, so that they stay one snapshot. */
export class OneConnectionDesk {
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #answer: (answer: Answer) => void;
  readonly #streams = new Map<number, Iterator<StoredCall, unknown>>();

  constructor(writer: Writer, reader: Reader, answer: (answer: Answer) => void) {
    this.#writer = writer;
    this.#reader = reader;
    this.#answer = answer;
  }

  receive({ id, request }: Message): void {
    try {
      this.#answer({ id, result: isWrite(request) ? this.#write(request) : this.#read(id, request) });
    } catch (error) {
      this.#answer({ id, error: errorData(error) });
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
    switch (request.op) {
      case 'open':
        return this.#open(id, { ...request, keys: statementOf(request.keys) });
      case 'next':
        return this.#next(request.stream);
      case 'cancel':
        return this.#streams.delete(request.stream);
      default:
        return this.#reader.answer(request);
    }
  }

  #open(id: number, query: CallsQuery): Chunk<StoredCall> {
    this.#streams.set(id, [...this.#reader.calls(query)].values());
    return this.#next(id);
  }

  #next(id: number): Chunk<StoredCall> {
    const { rows, isDone } = takeChunk(this.#streams.get(id) ?? [].values());
    if (!isDone) return { rows, stream: id };
    this.#streams.delete(id);
    return { rows };
  }
}
