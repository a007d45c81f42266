import { digestTable } from '../protocol/values/digest.ts';
import { TracingError } from '../protocol/error.ts';
import { formatTableRef } from '../protocol/ref.ts';
import { activeTracer, type TableAddress, type TableService } from '../tracing/record/tracer.ts';
import { registry } from '../tracing/propagation/registry.ts';
import type { StoredRow } from './dataset-row.ts';

/** Rows that a service answers at once. */
const PAGE_ROWS = 1000;

/** Rows of a table that the service has, read as they are needed. */
export class ServedRows {
  readonly table: TableAddress;

  constructor(table: TableAddress) {
    this.table = table;
  }

  async *read(): AsyncGenerator<Pick<StoredRow, 'digest' | 'val'>, void> {
    const service = this.#service();
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const rows = await service.query(this.table, { offset, limit: PAGE_ROWS });
      // A table that nobody wrote has no rows either.
      if (offset === 0 && rows.length === 0 && this.table.digest !== digestTable([])) throw this.#notFound();
      yield* rows;
      if (rows.length < PAGE_ROWS) return;
    }
  }

  async find(digest: string): Promise<Pick<StoredRow, 'digest' | 'val'> | undefined> {
    const [row] = await this.#service().query(this.table, { filter: { row_digests: [digest] }, limit: 1 });
    return row;
  }

  /** The table that has these rows too. */
  async append(rows: readonly StoredRow[]): Promise<ServedRows> {
    const values = rows.map(({ val }) => val);
    return new ServedRows({ ...this.table, digest: await this.#service().append(this.table, values) });
  }

  #service(): TableService {
    activeTracer();
    const service = registry.tracer?.tables;
    if (service !== undefined) return service;
    throw new TracingError('unavailable', `Cannot read "${this.#ref()}": no service is known`);
  }

  #notFound(): TracingError {
    return new TracingError('not_found', `Cannot read "${this.#ref()}": it does not exist`);
  }

  #ref(): string {
    return formatTableRef(this.table.projectId, this.table.digest);
  }
}
