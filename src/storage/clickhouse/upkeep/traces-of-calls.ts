import type { ReadOptions } from '../../contract/reads.ts';
import { bind, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { bindTexts } from '../statement.ts';
import { inParts } from '../write/in-parts.ts';

/** The calls whose traces are wanted. */
interface SomeCalls {
  readonly projectId: string;
  readonly ids: readonly string[];
}

/** Milliseconds in which what was written meanwhile is read while nobody writes: all who do so wait for it. */
export const ALONE_MS = 5000;

/** The traces of calls that are there. */
export async function tracesOfCalls(
  connection: Connection,
  { projectId, ids }: SomeCalls,
  options: ReadOptions,
): Promise<ReadonlySet<string>> {
  const rows = await inParts(ids, (part) => {
    return connection.all<{ trace_id: string }>(
      sql`SELECT DISTINCT trace_id FROM call_keys FINAL WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(part)}`,
      options,
    );
  });
  return new Set(rows.map((row) => row.trace_id));
}
