import { digestTable } from '../protocol/digest.ts';
import type { TableRecord } from '../protocol/record.ts';
import { formatTableRef } from '../protocol/ref.ts';
import { reportProblem, type Tracer } from '../tracing/tracer.ts';
import { type CopiedRow, copyRow, type StoredRow } from './dataset-row.ts';
import { currentDestination, type Destination } from './destination.ts';
import { rememberTable } from './table-memory.ts';

interface Written {
  readonly tracer: Tracer | undefined;
  readonly projectId: string;
  readonly digest: string;
  readonly count: number;
}

/** Rows in the memory of this process. Each is copied once: when it is first read or published. */
export class LocalRows {
  #given: readonly object[];
  readonly #stored: StoredRow[];
  #written: Written | undefined;

  /** `stored` rows come before the `given` ones. */
  constructor(given: readonly object[], stored: readonly StoredRow[] = []) {
    this.#given = [...given];
    this.#stored = [...stored];
  }

  add(rows: readonly object[]): void {
    this.#given = [...this.#given, ...rows];
  }

  /** All rows, and those of them that were copied just now. */
  copyGiven(destination: Destination): { readonly rows: readonly StoredRow[]; readonly copied: readonly CopiedRow[] } {
    const given = this.#given;
    this.#given = [];
    const copied = given.map((row) => copyRow(row, destination));
    for (const { digest, val, bytes } of copied) this.#stored.push({ digest, val, bytes });
    return { rows: this.#stored, copied };
  }

  /** Hands the table to the sink of `destination`, unless it has it; answers its digest. */
  write(destination: Destination): string {
    const { tracer, projectId } = destination;
    const rows = [...this.#stored];
    const before = this.#written;
    const isSame = before?.tracer === tracer && before?.projectId === projectId;
    if (before && isSame && before.count === rows.length) return before.digest;
    const rowDigests = rows.map(({ digest }) => digest);
    const digest = digestTable(rowDigests);
    rememberTable(formatTableRef(projectId, digest), rows);
    const base = before && isSame && { base: { digest: before.digest, count: before.count } };
    if (tracer) writeTable(tracer, { projectId, digest, rowDigests, rows: rows.map(({ val }) => val), ...base });
    this.#written = { tracer, projectId, digest, count: rows.length };
    return digest;
  }

  /** The rows there are when reading begins. */
  async *read(): AsyncGenerator<StoredRow, void> {
    yield* this.copyGiven(currentDestination()).rows.slice();
  }

  async find(digest: string): Promise<StoredRow | undefined> {
    return this.copyGiven(currentDestination()).rows.find((row) => row.digest === digest);
  }
}

function writeTable(tracer: Tracer, table: TableRecord): void {
  try {
    tracer.sink.writeTable(table);
  } catch (error) {
    reportProblem('publish', 'Cannot publish the rows of a dataset', error, tracer);
  }
}
