import type { CallPlan, CallSelection } from '../../contract/plan.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { CallFact, CallReader, CallWriter, StoredCall, WrittenCall } from '../../contract/calls.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { Chunk, PackedChunk } from '../threads/messages.ts';
import { unpackCalls } from '../../packed/packed-calls.ts';
import { sentCount, sentKeys } from './planned-statement.ts';
import type { Reads } from '../threads/reads.ts';
import type { WriteSide } from '../write/write-client.ts';

/** Calls, as requests to the threads. Answers have the type that `reader.ts` and `writer.ts` give them. */
export class SqliteCalls implements CallWriter, CallReader {
  readonly #writes: WriteSide;
  readonly #reads: Reads;
  readonly #dialect: Dialect;

  constructor(writes: WriteSide, reads: Reads, dialect: Dialect) {
    this.#writes = writes;
    this.#reads = reads;
    this.#dialect = dialect;
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    if (facts.length === 0) return [];
    const traces = (await this.#writes.send({ op: 'writeCalls', facts })) as string[];
    return facts.map(({ id }, index) => ({ id, trace_id: traces[index] ?? '' }));
  }

  async rename(projectId: string, callId: string, displayName: string): Promise<void> {
    await this.#writes.send({ op: 'rename', projectId, callId, displayName });
  }

  async delete(projectId: string, callIds: readonly string[], deletedAt: number): Promise<number> {
    return (await this.#writes.send({ op: 'delete', projectId, callIds, deletedAt })) as number;
  }

  async get(projectId: string, id: string): Promise<StoredCall | undefined> {
    return (await this.#reads.send({ op: 'getCall', projectId, id }, {})) as StoredCall | undefined;
  }

  async *query(plan: CallPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredCall[]> {
    const keys = sentKeys(plan, this.#dialect);
    const request = { op: 'open', projectId: plan.projectId, keys, bodies: [...plan.bodies] } as const;
    const { signal } = options;
    const left = new AbortController();
    const whileRead = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
    const { result, channel } = await this.#reads.open(request, options);
    let chunk = chunkOf(result);
    try {
      for (;;) {
        const { rows, stream } = chunk;
        // The thread reads on while these are on their way to the reader. The deadline is over with the first chunk;
        // whoever goes away meanwhile ends the scan for the next one.
        const next = stream === undefined ? undefined : channel.send({ op: 'next', stream }, { signal: whileRead });
        next?.catch(() => undefined);
        if (rows.length > 0) yield rows;
        if (next === undefined) return;
        signal?.throwIfAborted();
        chunk = chunkOf(await next);
      }
    } finally {
      if (chunk.stream !== undefined) {
        left.abort();
        // A thread that has ended has given the stream up itself.
        void channel.send({ op: 'cancel', stream: chunk.stream }).catch(() => undefined);
      }
    }
  }

  async count(selection: CallSelection, limit?: number, options: ReadOptions = {}): Promise<number> {
    const count = sentCount(selection, limit, this.#dialect);
    return (await this.#reads.send({ op: 'count', count }, options)) as number;
  }
}

/** Calls that came from another thread are packed. */
function chunkOf(result: unknown): Chunk<StoredCall> {
  const chunk = result as Chunk<StoredCall> | PackedChunk;
  if ('rows' in chunk) return chunk;
  const { calls, ...rest } = chunk;
  return { rows: unpackCalls(calls), ...rest };
}
