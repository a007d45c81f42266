import type { CallPlan, CallSelection } from '../../contract/plan.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { CallFact, CallReader, CallWriter, StoredCall, WrittenCall } from '../../contract/calls.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import { unpackCalls } from '../../packed/packed-calls.ts';
import { sentCount, sentKeys } from './planned-statement.ts';
import { readStream } from './read-stream.ts';
import type { Reads } from '../threads/reads.ts';
import type { WriteClient } from '../threads/write-client.ts';

/** Calls, as requests to the threads. Answers have the type that `reader.ts` and `writer.ts` give them. */
export class SqliteCalls implements CallWriter, CallReader {
  readonly #writes: WriteClient;
  readonly #reads: Reads;
  readonly #dialect: Dialect;

  constructor(writes: WriteClient, reads: Reads, dialect: Dialect) {
    this.#writes = writes;
    this.#reads = reads;
    this.#dialect = dialect;
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    if (facts.length === 0) return [];
    const traces = await this.#writes.send({ op: 'writeCalls', facts });
    return facts.map(({ id }, index) => ({ id, trace_id: traces[index] ?? '' }));
  }

  async rename(projectId: string, callId: string, displayName: string): Promise<void> {
    await this.#writes.send({ op: 'rename', projectId, callId, displayName });
  }

  async delete(projectId: string, callIds: readonly string[], deletedAt: number): Promise<number> {
    return await this.#writes.send({ op: 'delete', projectId, callIds, deletedAt });
  }

  async get(projectId: string, id: string): Promise<StoredCall | undefined> {
    return await this.#reads.send({ op: 'getCall', projectId, id }, {});
  }

  async *query(plan: CallPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredCall[]> {
    const keys = sentKeys(plan, this.#dialect);
    const request = { op: 'open', projectId: plan.projectId, keys, bodies: [...plan.bodies] } as const;
    yield* readStream(this.#reads, request, unpackCalls, options);
  }

  async count(selection: CallSelection, limit?: number, options: ReadOptions = {}): Promise<number> {
    const count = sentCount(selection, limit, this.#dialect);
    return await this.#reads.send({ op: 'count', count }, options);
  }
}
