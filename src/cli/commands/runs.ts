import type { Run, RunsListResponse } from '../../protocol/page/run.ts';
import { firstOf } from '../../reader/first-of.ts';
import type { Reader } from '../../reader/reader.ts';
import type { FoundTrace } from '../find-trace.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { namedTrace } from '../named-trace.ts';
import { nothingFound } from '../nothing-found.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { runLines } from '../output/run-lines.ts';
import { remark } from '../output/say.ts';

export interface RunsOptions extends ServiceOptions {
  readonly limit: number;
  /** Name of the op of their first call. */
  readonly op?: string;
  /** A call of the run, or a trace whose first call is one, as `namedTrace` takes them. */
  readonly call?: string;
  /** Id of the run that all others are to come before. */
  readonly before?: string;
  readonly json?: true;
}

/** Lists runs of programs, the one that began last first. */
export async function printRuns(options: RunsOptions): Promise<void> {
  const found = options.call === undefined ? undefined : await namedTrace(options.call, options);
  const connection = found ?? connect(options);
  const call = found && (await callOf(found));
  const rows = await newestRuns(connection.reader, { ...options, ...(call !== undefined && { call }) });
  const { before } = options;
  if (rows.length === 0 && before !== undefined && !(await isRun(connection.reader, before)))
    throw new Error(`There is no run "${toLine(before, 60)}" in project ${toLine(connection.project)}`);
  if (options.json) return printJson(rows);
  if (rows.length === 0) remark(await nothingFound('runs', connection));
  else process.stdout.write(`${runLines(rows).join('\n')}\n`);
}

/** Id of the call that is named, or of the first one of a trace. */
async function callOf({ reader, target: { traceId, callId } }: FoundTrace): Promise<string | undefined> {
  if (callId !== undefined) return callId;
  const asked = { filter: { trace_ids: [traceId] }, limit: 1, columns: ['parent_id'] };
  return (await firstOf(reader.calls.query(asked)))?.id;
}

async function isRun(reader: Reader, id: string): Promise<boolean> {
  return (await reader.page.runs({ ids: [id], sums: false })).runs.length > 0;
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
