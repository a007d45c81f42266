import type { ReadOptions } from '../../contract/reads.ts';
import type { RunSums } from '../../contract/runs.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { type PrintedSelection, printRows, printSelection } from './select-calls.ts';
import { readUsageOfTrees, USE_SUMS, type UseSums, USES, USES_KEY, usageOfSums } from './usage-of-calls.ts';

interface SumsRow extends UseSums {
  readonly id: string;
  readonly count: number;
  readonly errors: number;
  readonly running: number;
}

/** Adds up the calls of runs in the database, all runs in one pass. */
export async function sumRunsByColumns(
  connection: Connection,
  selection: PrintedSelection,
  options: ReadOptions,
): Promise<RunSums[]> {
  const from = printSelection(selection);
  const asked = { connection, projectId: selection.projectId, options };
  const [rows, usageOfTrees] = await Promise.all([
    connection.all<SumsRow>(
      sql`SELECT run AS id, sum(calls) AS count, sum(failed) AS errors, sum(open) AS running, ${raw(USE_SUMS)}
      FROM (
        SELECT c.process_run AS run, count() AS calls, countIf(c.exception != '') AS failed,
          countIf(c.ended_at IS NULL) AS open, min(c.started_at) AS first, max(c.started_at) AS last, ${raw(USES)}
        FROM ${from} GROUP BY run, ${raw(USES_KEY)})
      GROUP BY run`,
      options,
    ),
    readUsageOfTrees(asked, { calls: from, rows: printRows(selection) }, 'c.process_run'),
  ]);
  return rows.map(({ id, count, errors, running, ...uses }) => {
    // Of calls that have come since the rows were read there may be none yet.
    const usage = usageOfTrees === undefined ? usageOfSums(uses) : usageOfTrees(id);
    return { id, count, errors, running, ...usage };
  });
}
