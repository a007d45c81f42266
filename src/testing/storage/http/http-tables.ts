import { strict as assert } from 'node:assert';
import { canonicalJson, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { SortItem } from '../../../protocol/query.ts';
import type { TableChange, TableRow } from '../../../protocol/table.ts';
import type { Reader } from '../../../reader/reader.ts';
import type { TablePlan } from '../../../storage/contract/plan.ts';
import type { DerivedTable, NewTable, StoredRow, TableStore } from '../../../storage/contract/tables.ts';

/** The tables of a service seen as those of a storage. */
export function tablesOf(reader: Reader): TableStore {
  return {
    async create(table) {
      const { project_id, digest: expected_digest } = table;
      await reader.tables.create({ project_id, rows: rowsOf(table), expected_digest });
    },
    async derive({ project_id, base_digest, digest, pieces }) {
      const count = await reader.tables.count(base_digest, { project_id });
      const made = await reader.tables.update(base_digest, updatesOf(pieces, count), { project_id });
      assert.equal(made.digest, digest);
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

/** The changes that make of a table with so many rows what it is to be, from its beginning to its end. */
function updatesOf(pieces: DerivedTable['pieces'], count: number): TableChange[] {
  const updates: TableChange[] = [];
  let [index, place] = [0, 0];
  const popUntil = (end: number) => {
    for (; place < end; place++) updates.push({ pop: { index } });
  };
  for (const piece of pieces) {
    if ('from' in piece) {
      popUntil(piece.from);
      index += piece.count;
      place += piece.count;
    } else {
      // The kit makes rows of objects only.
      const row = parseJson(piece.val) as Record<string, unknown>;
      updates.push({ insert: { index: index++, row } });
    }
  }
  popUntil(count);
  return updates;
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
