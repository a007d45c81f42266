import type { Run, RunsListResponse } from '../../protocol/page/run.ts';
import type { Reader } from '../../reader/reader.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { printJson } from '../output/json.ts';
import { runLines } from '../output/run-lines.ts';
import { remark } from '../output/say.ts';

export interface RunsOptions extends ServiceOptions {
  readonly limit: number;
  /** Name of the op of their first call. */
  readonly op?: string;
  /** Id of a call of the run. */
  readonly call?: string;
  /** Id of the run that all others are to come before. */
  readonly before?: string;
  readonly json?: true;
}

/** Lists runs of programs, the one that began last first. */
export async function printRuns(options: RunsOptions): Promise<void> {
  const connection = connect(options);
  const rows = await newestRuns(connection.reader, options);
  if (options.json) return printJson(rows);
  if (rows.length === 0) remark(await nothingFound('runs', connection));
  else process.stdout.write(`${runLines(rows).join('\n')}\n`);
}

async function newestRuns(reader: Reader, { limit, op, call, before }: RunsOptions): Promise<Run[]> {
  const rows: Run[] = [];
  let cursor: string | null = null;
  do {
    const page: RunsListResponse = await reader.page.runs({
      limit: limit - rows.length,
      ...(op !== undefined && { entry_op: op }),
      ...(call !== undefined && { call_id: call }),
      ...(before !== undefined && { before }),
      ...(cursor !== null && { cursor }),
    });
    rows.push(...page.runs);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < limit);
  return rows;
}
