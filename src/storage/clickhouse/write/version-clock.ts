import { bind, raw, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { bindTexts } from '../statement.ts';
import { grouped } from './grouped.ts';
import { inParts } from './in-parts.ts';

let lastTime = 0;

/** Microseconds since 1970, later than all that were given or seen before. */
export function nextTime(): number {
  lastTime = Math.max(lastTime + 1, Date.now() * 1000);
  return lastTime;
}

/** Rows from now on are newer than those that another service wrote at such a time, by a clock that is ahead of ours. */
export function sawTime(time: number): void {
  lastTime = Math.max(lastTime, time);
}

interface Named {
  readonly project_id: string;
  readonly id: string;
}

/** A version above all that records of these names have had, also those that are gone. */
export async function versionAbove(
  connection: Connection,
  table: 'call_halves' | 'costs' | 'views' | 'feedback',
  records: readonly Named[],
): Promise<number> {
  for (const [projectId, ofProject] of grouped(records, ({ project_id: project }) => project)) {
    const found = await inParts(ofProject, async (part) => {
      return await connection.all<{ ver: number }>(
        sql`SELECT max(ver) AS ver FROM ${raw(table)} WHERE project_id = ${bind(projectId)}
          AND id IN ${bindTexts(part.map(({ id }) => id))}`,
      );
    });
    for (const { ver } of found) sawTime(ver);
  }
  return nextTime();
}
