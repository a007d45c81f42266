import type { FoundService } from './discovery.ts';
import type { JsonValue } from '../protocol/values/canonical-json.ts';
import { TracingError } from '../protocol/error.ts';
import { formatTableRef } from '../protocol/ref.ts';
import type { Reader } from '../reader/reader.ts';
import type { TableAddress, TableService } from '../tracing/record/tracer.ts';

/** Rows and bytes that one update of a table may hold, well below the limits of a request. */
const MAX_ROWS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

type TableRows = Awaited<ReturnType<TableService['query']>>;
type Update = Parameters<Reader['tables']['update']>[1];

/** Reads tables of the service and adds to them. */
export function createTableService(findService: () => FoundService | undefined): TableService {
  async function ask<Answer>(table: TableAddress, question: (reader: Reader) => Promise<Answer>): Promise<Answer> {
    const ref = formatTableRef(table.projectId, table.digest);
    const service = findService();
    if (service?.apiKey === undefined) throw unavailable(ref, 'no service with a key is known');
    const { createReader } = await import('../reader/create-reader.ts');
    try {
      return await question(createReader({ ...service, apiKey: service.apiKey, project: table.projectId }));
    } catch (error) {
      // To somebody who reads a table it is one whether the service is unknown or away.
      const isAway = error instanceof TracingError && error.code === 'network_error';
      throw isAway ? unavailable(ref, error.message, error) : error;
    }
  }

  return {
    // The service answers JSON.
    query: (table, request) =>
      ask(table, async (reader) => (await reader.tables.query(table.digest, request)) as TableRows),
    append: (table, rows) =>
      ask(table, async (reader) => {
        let { digest } = table;
        for (const updates of updatesOf(rows)) digest = (await reader.tables.update(digest, updates)).digest;
        return digest;
      }),
  };
}

function* updatesOf(rows: readonly JsonValue[]): Generator<Update> {
  let updates: Update = [];
  let bytes = 0;
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    if (updates.length === MAX_ROWS || (updates.length > 0 && bytes + size > MAX_BYTES)) {
      yield updates;
      [updates, bytes] = [[], 0];
    }
    // A copied row is an object.
    updates.push({ append: { row: row as Record<string, unknown> } });
    bytes += size;
  }
  if (updates.length > 0) yield updates;
}

function unavailable(ref: string, reason: string, cause?: unknown): TracingError {
  return new TracingError('unavailable', `Cannot read "${ref}": ${reason}`, { cause });
}
