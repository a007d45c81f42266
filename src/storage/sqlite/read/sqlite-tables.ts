import type { TablePlan } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { NewTable, StoredRow, TableStats, TableStore } from '../../contract/tables.ts';
import { digestsIn, type JoinedDigests } from '../../packed/joined-digests.ts';
import type { Reads } from '../threads/reads.ts';
import type { WriteClient } from '../write/write-client.ts';

/** More rows than fit in a chunk are asked for in vain. */
const MAX_CHUNK_ROWS = 200;

/** Tables, as requests to the threads. Answers have the type that `reader.ts` gives them. */
export class SqliteTables implements TableStore {
  readonly #writes: WriteClient;
  readonly #reads: Reads;

  constructor(writes: WriteClient, reads: Reads) {
    this.#writes = writes;
    this.#reads = reads;
  }

  async create(table: NewTable): Promise<void> {
    await this.#writes.send({ op: 'createTable', table });
  }

  async getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined> {
    const joined = await this.getJoinedDigests(projectId, digest);
    return joined === undefined ? undefined : [...digestsIn(joined)];
  }

  async getJoinedDigests(projectId: string, digest: string): Promise<JoinedDigests | undefined> {
    return await this.#reads.send({ op: 'getTable', projectId, digest }, {});
  }

  /** A table never changes, so its chunks can be read by separate requests. */
  async *query(plan: TablePlan, { deadlineMs, signal }: ReadOptions = {}): AsyncGenerator<StoredRow[]> {
    const { projectId, digest } = plan;
    let positions = await this.#reads.send({ op: 'tablePositions', plan }, { deadlineMs, signal });
    while (positions.length > 0) {
      const first = positions.slice(0, MAX_CHUNK_ROWS);
      const request = { op: 'tableRows', projectId, digest, positions: first } as const;
      const rows = await this.#reads.send(request, { signal });
      yield rows;
      positions = positions.subarray(rows.length);
    }
  }

  async stats(projectId: string, digests: readonly string[]): Promise<TableStats[]> {
    return await this.#reads.send({ op: 'tableStats', projectId, digests }, {});
  }
}
