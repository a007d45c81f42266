import { formatCallRef } from '../../../protocol/ref.ts';
import type { Removed } from '../../contract/retention.ts';
import type { DatabaseSync, Row, SqliteValue, Statement } from '../driver.ts';
import type { TouchedSegments } from '../columns/kept-columns.ts';
import type { Names } from './names.ts';
import { boundText, numberOf, textOf } from '../read/text.ts';

/** Ends without a start that are removed at a time. */
const MAX_HALVES = 500;

export interface RemoveRequest {
  readonly projectId: string;
  readonly traceIds: readonly string[];
  readonly before: number;
}

/** Removes calls with all that hangs on them; runs inside the transaction of the writer. */
export class OldTraces {
  readonly #names: Names;
  readonly #segments: TouchedSegments;
  readonly #selectChildren: Statement;
  readonly #selectLast: Statement;
  readonly #selectCalls: Statement;
  readonly #selectHalves: Statement;
  readonly #deleteFeedback: Statement;
  readonly #deleteByKey: readonly Statement[];

  constructor(database: DatabaseSync, names: Names, segments: TouchedSegments) {
    this.#names = names;
    this.#segments = segments;
    this.#selectChildren = database.prepare('SELECT pk FROM calls WHERE project = ? AND parent_id = ?');
    this.#selectLast = database.prepare(SELECT_LAST);
    this.#selectCalls = database.prepare('SELECT pk, id FROM calls WHERE project = ? AND trace_id = ?');
    this.#selectHalves = database.prepare(
      'SELECT pk, id FROM calls WHERE project = ? AND started_at IS NULL AND ended_at < ? LIMIT ?',
    );
    this.#deleteFeedback = database.prepare('DELETE FROM feedback WHERE project = ? AND svc_ref = CAST(? AS TEXT)');
    const tables = ['body_start WHERE pk', 'body_end WHERE pk', 'ref WHERE call', 'calls WHERE pk'];
    this.#deleteByKey = tables.map((table) => database.prepare(`DELETE FROM ${table} = ?`));
  }

  /** Something may have happened in a trace since it was found to be old; then it stays. */
  remove({ projectId, traceIds, before }: RemoveRequest): Removed {
    const project = this.#names.project(projectId);
    const removed = { traces: 0, calls: 0 };
    for (const traceId of traceIds) {
      const last = numberOf(this.#selectLast.get(project, traceId)?.['last']);
      if (last === null || last >= before) continue;
      removed.traces += 1;
      removed.calls += this.#removeCalls(projectId, this.#selectCalls.all(project, traceId));
    }
    return removed;
  }

  removeHalves(projectId: string, before: number): Removed {
    const rows = this.#selectHalves.all(this.#names.project(projectId), before, MAX_HALVES);
    return { traces: 0, calls: this.#removeCalls(projectId, rows) };
  }

  #removeCalls(projectId: string, rows: readonly Row[]): number {
    const project = this.#names.project(projectId);
    for (const { pk, id } of rows) {
      this.#deleteFeedback.run(project, boundText(formatCallRef(projectId, textOf(id) ?? '')));
      for (const statement of this.#deleteByKey) statement.run(pk ?? null);
      this.#touch(project, pk, id);
    }
    return rows.length;
  }

  /** Calls of other traces may be below: their segments have the number of this one. */
  #touch(project: number, key: SqliteValue | undefined, id: SqliteValue | undefined): void {
    this.#segments.add(numberOf(key) ?? 0);
    for (const { pk } of this.#selectChildren.all(project, id ?? null)) this.#segments.add(numberOf(pk) ?? 0);
  }
}

const SELECT_LAST = `
SELECT max(max(started_at, coalesce(ended_at, started_at))) AS last FROM calls
WHERE project = ? AND trace_id = ? AND started_at IS NOT NULL`;

/** Less than this part of the file is kept free for what comes next. */
const FREE_PART = 0.1;
const PAGES_AT_ONCE = 256;

/** Moves the end of the file into pages that are free; false when there are too few to be worth it, or none can be moved. */
export function giveBack(database: DatabaseSync): boolean {
  const read = (name: string) => numberOf(database.prepare(`PRAGMA ${name}`).get()?.[name]) ?? 0;
  const freePages = read('freelist_count');
  if (freePages <= read('page_count') * FREE_PART) return false;
  database.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
  return read('freelist_count') < freePages;
}
