import { canonicalJson, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { SortItem } from '../../../protocol/query.ts';
import type { TableRow } from '../../../protocol/table.ts';
import type { Reader } from '../../../reader/reader.ts';
import type { TablePlan } from '../../../storage/contract/plan.ts';
import type { NewTable, StoredRow, TableStore } from '../../../storage/contract/tables.ts';

/** The tables of a service seen as those of a storage. */
export function tablesOf(reader: Reader): TableStore {
  return {
    async create(table) {
      const { project_id, digest: expected_digest } = table;
      await reader.tables.create({ project_id, rows: rowsOf(table), expected_digest });
    },
    async getRowDigests(project_id, digest) {
      if ((await reader.tables.stats([digest], { project_id })).length === 0) return undefined;
      return (await reader.tables.query(digest, { project_id })).map((row) => row.digest);
    },
    async *query(plan, { signal } = {}) {
      const rows = await reader.tables.query(plan.digest, requestOf(plan), { signal });
      if (rows.length > 0) yield rows.map(toStoredRow);
    },
    async stats(project_id, digests) {
      const tables = await reader.tables.stats(digests, { project_id, include_storage_size: true });
      return tables.map(({ digest, count, storage_size_bytes: bytes }) => {
        return { digest, count, size_bytes: bytes ?? Number.NaN };
      });
    },
  };
}

/** A service takes whole rows, so all of them have to be there. */
function rowsOf(table: NewTable): Record<string, unknown>[] {
  const rows = new Map(Array.from(table.rows, ({ digest, val }) => [digest, val]));
  // The kit makes rows of objects only.
  return table.row_digests.map((digest) => parseJson(rows.get(digest) ?? 'null') as Record<string, unknown>);
}

function requestOf({ projectId, rowDigests, sort, limit, offset }: TablePlan) {
  const sort_by = sort.map(({ path, isDescending }): SortItem => {
    const field = path.map((part) => part.replaceAll('.', '\\.')).join('.');
    return { field, direction: isDescending ? 'desc' : 'asc' };
  });
  const filter = { row_digests: rowDigests === undefined ? null : [...rowDigests] };
  return { project_id: projectId, filter, sort_by, limit: limit ?? null, offset };
}

function toStoredRow({ digest, val, original_index: index }: TableRow): StoredRow {
  // The value was read from JSON.
  return { digest, val: canonicalJson(val as JsonValue), original_index: index ?? Number.NaN };
}
