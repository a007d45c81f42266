import type { EndFact } from '../../contract/calls.ts';
import { bind, raw, sql } from '../../sql/sql.ts';
import { type CallRecord, emptyRecord, withFact, withName } from '../../values/call-record.ts';
import type { Connection } from '../connection.ts';
import { printCallsOfKeys } from '../read/select-calls.ts';
import { bindTexts } from '../statement.ts';
import { endOfRow, recordOfRow, WHOLE_COLUMNS, type WholeRow } from './call-rows.ts';
import { inParts } from './in-parts.ts';

/** The state of a call as a writer knows it. */
export interface CallState {
  readonly projectId: string;
  readonly id: string;
  /** Of a call that has not started there are only halves. */
  record: CallRecord;
  /** Of the stored row; 0 where there is none. */
  version: bigint;
  /** Trace and time are those of the stored start; absent where there is none. */
  stored?: { readonly traceId: string; readonly startedAt: number; readonly parentId: string | null };
  /** Kinds of the halves that are stored. */
  halves: readonly ('end' | 'name')[];
  isDirty: boolean;
  /** By an update in the group at hand. */
  isRenamed?: boolean;
}

/** The stored states of calls of one project. Bodies are read for those that are to change only. */
export async function readStates(connection: Connection, projectId: string, wanted: WantedCalls): Promise<CallState[]> {
  const ids = [...wanted.ids];
  const [keys, halves] = await Promise.all([
    readKeys(connection, projectId, ids),
    readHalves(connection, projectId, ids),
  ]);
  const changed = [...keys.values()].filter((key) => wanted.isToChange(key));
  const rows = await readRows(connection, projectId, changed);
  return ids.map((id) => stateOf(projectId, id, keys.get(id), { rows, halves, wanted }));
}

export interface WantedCalls {
  readonly ids: ReadonlySet<string>;
  /** Will the row of this call be written anew? */
  isToChange(key: KeyRow): boolean;
  /** The record of that version, where it is in memory. */
  known(key: KeyRow): CallRecord | undefined;
}

export interface KeyRow {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly started_at: number;
  readonly ver: string;
  readonly is_gone: number;
}

interface Found {
  readonly rows: ReadonlyMap<string, WholeRow>;
  readonly halves: ReadonlyMap<string, readonly HalfRow[]>;
  readonly wanted: WantedCalls;
}

function stateOf(projectId: string, id: string, key: KeyRow | undefined, found: Found): CallState {
  const base = { projectId, id, halves: [], isDirty: false };
  if (key === undefined) return { ...base, ...pendingState(projectId, id, found.halves.get(id) ?? []) };
  const stored = { traceId: key.trace_id, startedAt: key.started_at, parentId: key.parent_id };
  const version = BigInt(key.ver);
  if (key.is_gone === 1) return { ...base, stored, version, record: { ...emptyRecord(id), isDeleted: true } };
  const known = found.wanted.known(key);
  if (known !== undefined) return { ...base, stored, version, record: known };
  const row = found.rows.get(id);
  if (row === undefined) return { ...base, stored, version, record: emptyRecord(id) };
  // A row is written before its key.
  const newest = BigInt(row.ver) > version ? BigInt(row.ver) : version;
  return { ...base, stored, version: newest, record: recordOfRow(projectId, row) };
}

function pendingState(projectId: string, id: string, halves: readonly HalfRow[]) {
  let record = emptyRecord(id);
  for (const half of halves) record = withHalf(projectId, record, half);
  return { record, version: 0n, halves: halves.map(({ kind }) => kind) };
}

/** A half as the fact that it was. */
export function withHalf(projectId: string, record: CallRecord, half: HalfRow): CallRecord {
  if (half.kind === 'name') return withName(record, 'update', half.display_name);
  return withFact(record, { ...endOfHalf(projectId, half), display_name: half.display_name }, '');
}

export function endOfHalf(projectId: string, half: HalfRow): EndFact {
  return endOfRow(projectId, half.ended_at, half);
}

async function readKeys(
  connection: Connection,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, KeyRow>> {
  const rows = await inParts(ids, (part) =>
    connection.all<KeyRow>(
      sql`SELECT id, trace_id, parent_id, started_at, toString(k.ver) AS ver, is_gone FROM call_keys AS k FINAL
        WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(part)}`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function readRows(
  connection: Connection,
  projectId: string,
  keys: readonly KeyRow[],
): Promise<Map<string, WholeRow>> {
  const rows = await inParts(keys, (part) => {
    return connection.all<WholeRow>(printCallsOfKeys(projectId, part, WHOLE_COLUMNS));
  });
  return new Map(rows.map((row) => [row.id, row]));
}

export interface HalfRow {
  readonly id: string;
  readonly kind: 'end' | 'name';
  readonly ended_at: number;
  readonly exception: string;
  readonly output: string;
  readonly summary: string;
  readonly output_refs: readonly string[];
  readonly revision: number;
  readonly run_step_end: number | null;
  readonly display_name: string | null;
}

export const HALF_COLUMNS =
  'id, kind, ended_at, exception, output, summary, output_refs, revision, run_step_end, display_name';

async function readHalves(
  connection: Connection,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, readonly HalfRow[]>> {
  const rows = await inParts(ids, (part) =>
    connection.all<HalfRow>(
      sql`SELECT ${raw(HALF_COLUMNS)} FROM call_halves FINAL
        WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(part)} ORDER BY kind`,
    ),
  );
  const halves = new Map<string, HalfRow[]>();
  for (const row of rows) halves.set(row.id, [...(halves.get(row.id) ?? []), row]);
  return halves;
}
