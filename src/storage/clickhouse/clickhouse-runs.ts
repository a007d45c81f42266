import type { ReadOptions } from '../contract/reads.ts';
import type { RunFacts, RunPlan, RunStore, RunSums, RunSumsPlan, StoredRun } from '../contract/runs.ts';
import { bind, join, raw, type Sql, sql } from '../sql/sql.ts';
import { selectionOfRuns, sumRuns } from '../values/overviews/sum-runs.ts';
import type { Connection } from './connection.ts';
import type { CallReads } from './read/call-reads.ts';
import type { ClickhouseCalls } from './clickhouse-calls.ts';
import { sumRunsByColumns } from './read/sum-runs.ts';
import { bindTexts } from './statement.ts';
import { ENTRY_TIME, NO_TIME, rowOfWords } from './write/run-rows.ts';
import { TogetherInserts } from './write/together-inserts.ts';

/** Rows of runs, some of which the calls have written, put together when they are read. */
export class ClickhouseRuns implements RunStore {
  readonly #connection: Connection;
  readonly #calls: ClickhouseCalls;
  readonly #reads: CallReads;
  readonly #words: TogetherInserts;

  constructor(connection: Connection, calls: ClickhouseCalls, reads: CallReads) {
    this.#connection = connection;
    this.#calls = calls;
    this.#reads = reads;
    this.#words = new TogetherInserts(connection, 'process_runs');
  }

  /** A row, whatever is known: nothing is read, so that services need not know of each other. */
  async note(run: RunFacts): Promise<void> {
    await this.#words.insert(rowOfWords(run));
  }

  async list(plan: RunPlan, options?: ReadOptions): Promise<StoredRun[]> {
    const rows = await this.#connection.all<RunRow>(printRuns(plan), options);
    return rows.map((row) => storedRun(plan.projectId, row));
  }

  async sums(plan: RunSumsPlan, options: ReadOptions = {}): Promise<RunSums[]> {
    const { printed, evaluated } = await this.#reads.plan(selectionOfRuns(plan), options);
    if (evaluated.length > 0) return await sumRuns(this.#calls, plan, options);
    return await sumRunsByColumns(this.#connection, printed, options);
  }
}

interface RunRow {
  readonly id: string;
  readonly entry_op: string;
  readonly first_at: number;
  readonly last_at: number;
  readonly began_at: number;
  readonly number: number;
  readonly host_name: string;
  readonly package_version: string;
  readonly checked_out: string;
  readonly changed: number;
}

/**
 * Rows of a run may not have been merged yet. What ended before the first call that is left has none: nobody removes rows of runs, and
 * those are left out before the others are put together. One row with such a time is enough for a run to have it.
 */
function printRuns({ projectId, ids, entryOp, after, limit }: RunPlan): Sql {
  const named = ids === undefined ? sql`` : sql` AND id IN ${bindTexts(ids)}`;
  const ofProject = sql`project_id = ${bind(projectId)}${named}`;
  const going = sql`SELECT id FROM process_runs WHERE ${ofProject} AND last >= (
    SELECT intDiv(started_at, 60000000) * 60000000 FROM calls WHERE project_id = ${bind(projectId)}
    ORDER BY project_id, intDiv(started_at, 60000000) LIMIT 1)`;
  const conditions = [
    sql`first_at < ${raw(NO_TIME)}`,
    ...(entryOp === undefined ? [] : [sql`entry_op = ${bind(entryOp)}`]),
    ...(after === undefined ? [] : [sql`(first_at, id) < (${bind(after.first_at)}, ${bind(after.id)})`]),
  ];
  return sql`SELECT id, substring(min(entry), ${raw(String(ENTRY_TIME + 1))}) AS entry_op, min(first) AS first_at,
    max(last) AS last_at, min(started_at) AS began_at, max(pid) AS number, max(host) AS host_name,
    max(version) AS package_version, max(git_commit) AS checked_out, max(is_dirty) AS changed
    FROM process_runs WHERE ${ofProject} AND id IN (${going})
    GROUP BY id HAVING ${join(conditions, ' AND ')} ORDER BY first_at DESC, id DESC LIMIT ${bind(limit)}`;
}

function storedRun(projectId: string, row: RunRow): StoredRun {
  return {
    project_id: projectId,
    id: row.id,
    entry_op: row.entry_op,
    first_at: row.first_at,
    last_at: row.last_at,
    started_at: row.began_at < Number(NO_TIME) ? row.began_at : null,
    pid: row.number || null,
    host: row.host_name || null,
    version: row.package_version || null,
    commit: row.checked_out || null,
    is_dirty: row.changed === 0 ? null : row.changed === 2,
  };
}
