import type { TableUpdateRequest } from '../../protocol/table.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../protocol/values/json.ts';
import type { Reader } from '../../reader/reader.ts';
import type { ImportPlace } from './import-place.ts';

export interface Rows {
  /** Of the whole table. */
  readonly digest: string;
  /** Place of the first of these rows in it. */
  readonly from: number;
  readonly rows: readonly Record<string, JsonValue>[];
}

const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Stores rows of a table: the first ones as a table of their own, further ones behind those that are there. */
export async function storeRows(
  reader: Reader,
  project: string,
  { digest, from, rows }: Rows,
  before: ImportPlace['table'],
): Promise<NonNullable<ImportPlace['table']>> {
  let current = from === 0 ? undefined : before?.current;
  if (from > 0 && before?.digest !== digest)
    throw new Error(`Cannot go on with table ${digest}: its beginning is missing`);
  for (const group of groupsOf(rows)) {
    current =
      current === undefined ? await create(reader, project, group) : await append(reader, project, current, group);
  }
  return { digest, current: current ?? digest };
}

async function create(reader: Reader, project_id: string, rows: Rows['rows']): Promise<string> {
  return (await reader.tables.create({ project_id, rows: [...rows] })).digest;
}

async function append(reader: Reader, project_id: string, base: string, rows: Rows['rows']): Promise<string> {
  const updates: TableUpdateRequest['updates'] = rows.map((row) => ({ append: { row } }));
  return (await reader.tables.update(base, updates, { project_id })).digest;
}

/** Groups of rows that a request has room for. */
function* groupsOf(rows: Rows['rows']): Generator<Rows['rows']> {
  let group: Rows['rows'][number][] = [];
  let characters = 0;
  for (const row of rows) {
    const length = stringifyJson(row).length;
    if (group.length > 0 && characters + length > MAX_CHARACTERS) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push(row);
    characters += length;
  }
  if (group.length > 0) yield group;
}
