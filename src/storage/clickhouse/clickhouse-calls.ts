import type { CallFact, CallReader, CallWriter as Writer, StoredCall, WrittenCall } from '../contract/calls.ts';
import type { CallPlan, CallSelection } from '../contract/plan.ts';
import type { ReadOptions } from '../contract/reads.ts';
import { bind, sql } from '../sql/sql.ts';
import type { Connection } from './connection.ts';
import type { CallReads } from './read/call-reads.ts';
import { callColumns, type CallRow, storedCall } from './read/call-columns.ts';
import { printCallsOfPage } from './read/select-calls.ts';
import type { CallWriter } from './write/call-writer.ts';

const ALL_BODIES: CallPlan['bodies'] = new Set(['attributes', 'inputs', 'output', 'summary']);

export class ClickhouseCalls implements Writer, CallReader {
  readonly #connection: Connection;
  readonly #writer: CallWriter;
  readonly #reads: CallReads;

  constructor(connection: Connection, writer: CallWriter, reads: CallReads) {
    this.#connection = connection;
    this.#writer = writer;
    this.#reads = reads;
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    return await this.#writer.write(facts);
  }

  async rename(projectId: string, callId: string, displayName: string): Promise<void> {
    await this.#writer.rename(projectId, callId, displayName);
  }

  async delete(projectId: string, callIds: readonly string[]): Promise<number> {
    return await this.#writer.delete(projectId, callIds);
  }

  /** The key tells where the row is. */
  async get(projectId: string, id: string): Promise<StoredCall | undefined> {
    const [key] = await this.#connection.all<{ started_at: number }>(
      sql`SELECT started_at FROM call_keys FINAL WHERE project_id = ${bind(projectId)} AND id = ${bind(id)} AND is_gone = 0`,
    );
    if (key === undefined) return undefined;
    const place = { id, started_at: key.started_at };
    const [row] = await this.#connection.all<CallRow>(printCallsOfPage(projectId, [place], callColumns(ALL_BODIES)));
    return row && storedCall(projectId, row);
  }

  query(plan: CallPlan, options: ReadOptions = {}): AsyncIterable<readonly StoredCall[]> {
    return this.#reads.query(plan, options);
  }

  async count(selection: CallSelection, limit?: number, options: ReadOptions = {}): Promise<number> {
    return await this.#reads.count(selection, limit, options);
  }
}
