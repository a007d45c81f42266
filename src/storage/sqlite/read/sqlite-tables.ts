import type { TablePlan } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { DerivedTable, NewTable, StoredRow, TableStats, TableStore } from '../../contract/tables.ts';
import { type DigestPortion, listDigests } from '../../packed/digest-portions.ts';
import type { Reads } from '../threads/reads.ts';
import type { WriteClient } from '../threads/write-client.ts';

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

  async derive(table: DerivedTable): Promise<void> {
    await this.#writes.send({ op: 'deriveTable', table });
  }

  async getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined> {
    const list = await listDigests(async (from) => await this.getDigestPortion(projectId, digest, from));
    if (list === undefined) return undefined;
    const digests: string[] = [];
    for await (const portion of list.portions) digests.push(...portion);
    return digests;
  }

  async getDigestPortion(projectId: string, digest: string, from: number): Promise<DigestPortion | undefined> {
    return await this.#reads.send({ op: 'rowDigests', projectId, digest, from }, {});
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
