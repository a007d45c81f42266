import { startHash } from '../protocol/values/digest.ts';
import type { TableRecord } from '../protocol/record.ts';
import { formatTableRef } from '../protocol/ref.ts';
import { reportProblem, type TableAddress, type Tracer } from '../tracing/record/tracer.ts';
import { type CopiedRow, copyRow, type StoredRow } from './dataset-row.ts';
import { currentDestination, type Destination } from './destination.ts';
import { rememberTable } from './table-memory.ts';

interface Written {
  /** `undefined` when another wrote it, or nobody. */
  readonly tracer?: Tracer | undefined;
  readonly projectId: string;
  readonly digest: string;
  readonly count: number;
}

/** Rows in the memory of this process. Each is copied once: when it is first read or published. */
export class LocalRows {
  #given: readonly object[];
  readonly #stored: StoredRow[] = [];
  #copied: readonly CopiedRow[] = [];
  /** Over the digests of the stored rows: that of the table, which is not made anew for each row that is added. */
  readonly #hash = startHash();
  #written: Written | undefined;

  /** `stored` rows, of a table that was written before, come before the `given` ones. */
  constructor(
    given: readonly object[],
    stored?: { readonly rows: readonly StoredRow[]; readonly table: TableAddress },
  ) {
    this.#given = [...given];
    if (stored === undefined) return;
    this.#store(stored.rows);
    this.#written = { ...stored.table, count: stored.rows.length };
  }

  add(rows: readonly object[]): void {
    this.#given = [...this.#given, ...rows];
  }

  /** Copies of rows that were given since it was last asked. */
  takeCopied(destination: Destination): readonly CopiedRow[] {
    this.#copyGiven(destination);
    const copied = this.#copied;
    this.#copied = [];
    return copied;
  }

  /** Hands the table to the sink of `destination`, unless it has it; answers its digest. */
  write(destination: Destination): string {
    const { tracer, projectId } = destination;
    this.#copyGiven(destination);
    const rows = [...this.#stored];
    const before = this.#written?.projectId === projectId ? this.#written : undefined;
    if (before?.tracer === tracer && before?.count === rows.length) return before.digest;
    const digest = this.#hash.copy().digest('hex');
    rememberTable(formatTableRef(projectId, digest), rows);
    const isLonger = before !== undefined && before.count < rows.length;
    const base = isLonger && { base: { digest: before.digest, count: before.count } };
    if (tracer) writeTable(tracer, this.#record({ projectId, digest, ...base }));
    this.#written = { tracer, projectId, digest, count: rows.length };
    return digest;
  }

  /** The rows there are when reading begins. */
  async *read(): AsyncGenerator<StoredRow, void> {
    this.#copyGiven(currentDestination());
    yield* this.#stored.slice();
  }

  async find(digest: string): Promise<StoredRow | undefined> {
    this.#copyGiven(currentDestination());
    return this.#stored.find((row) => row.digest === digest);
  }

  /** Its lists are made when it is sent: many versions of a table may wait, which share their rows. */
  #record(table: Omit<TableRecord, 'rows' | 'rowDigests'>): TableRecord {
    const stored = this.#stored;
    const count = stored.length;
    return {
      ...table,
      get rows() {
        return stored.slice(0, count).map(({ val }) => val);
      },
      get rowDigests() {
        return stored.slice(0, count).map(({ digest }) => digest);
      },
    };
  }

  #copyGiven(destination: Destination): void {
    const given = this.#given;
    this.#given = [];
    const copied = given.map((row) => copyRow(row, destination));
    this.#copied = [...this.#copied, ...copied];
    this.#store(copied.map(({ digest, val, bytes }) => ({ digest, val, bytes })));
  }

  #store(rows: readonly StoredRow[]): void {
    for (const row of rows) this.#stored.push(row);
    this.#hash.update(rows.map(({ digest }) => digest).join(''));
  }
}

function writeTable(tracer: Tracer, table: TableRecord): void {
  try {
    tracer.sink.writeTable(table);
  } catch (error) {
    reportProblem('publish', 'Cannot publish the rows of a dataset', error, tracer);
  }
}
