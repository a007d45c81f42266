import type { DatabaseSync } from '../driver.ts';
import { iterate } from '../read/iterate.ts';
import { boundText, numberOf, textOf, textOfBlob } from '../read/text.ts';

/** Traces looked up at once. */
const MAX_TRACES = 1000;

/** Calls whose traces are looked up first. */
const OLDEST_CALLS = 10_000;

export interface OldTrace {
  readonly traceId: string;
  readonly callCount: number;
}

export function projectsWithCalls(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      'SELECT CAST(name AS BLOB) AS name FROM project p WHERE EXISTS (SELECT 1 FROM calls c WHERE c.project = p.pk)',
    )
    .all();
  return rows.map(({ name }) => textOfBlob(name) ?? '');
}

/**
 * Some of the traces in which nothing has happened since. They are looked for among the oldest calls, so that the removal
 * of many takes no longer for each of them; all are looked at when these are of traces that go on.
 */
export function oldTraces(database: DatabaseSync, projectId: string, before: number): OldTrace[] {
  const statement = database.prepare(OLD_TRACES);
  const among = (callCount: number) => statement.all(boundText(projectId), before, callCount, before, MAX_TRACES);
  const found = among(OLDEST_CALLS);
  const rows = found.length > 0 ? found : among(ALL);
  return rows.map((row) => ({ traceId: textOf(row['trace_id']) ?? '', callCount: numberOf(row['call_count']) ?? 0 }));
}

/** Goes from the newest trace back for as long as they fit. */
export function timeForBytes(database: DatabaseSync, projectId: string, bytes: number): number | undefined {
  let taken = 0;
  for (const row of iterate(database.prepare(SIZES), boundText(projectId))) {
    taken += numberOf(row['bytes']) ?? 0;
    if (taken > bytes) return (numberOf(row['last']) ?? 0) + 1;
  }
  return undefined;
}

/** As a limit. */
const ALL = -1;

const PROJECT = '(SELECT pk FROM project WHERE name = CAST(? AS TEXT))';
const LAST = 'max(max(started_at, coalesce(ended_at, started_at)))';

/** Calls that began later cannot be old, which the index on time tells. */
const OLD_TRACES = `
WITH wanted(project) AS (SELECT ${PROJECT})
SELECT trace_id, count(*) AS call_count FROM wanted CROSS JOIN calls c
WHERE c.project = wanted.project AND started_at IS NOT NULL AND spoor_go_on(c.pk) AND trace_id IN (
  SELECT o.trace_id FROM wanted CROSS JOIN calls o WHERE o.project = wanted.project AND o.started_at < ? AND spoor_go_on(o.pk)
  ORDER BY o.started_at LIMIT ?)
GROUP BY trace_id HAVING ${LAST} < ? LIMIT ?`;

/** The lengths stand before the texts, so that long ones are not read. */
const SIZES = `
SELECT ${LAST} AS last, sum(octet_length(s.attributes) + octet_length(s.inputs) + coalesce(octet_length(s.otel_dump), 0)
  + coalesce(octet_length(e.output), 0) + coalesce(octet_length(e.summary), 0)) AS bytes
FROM calls c JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk
WHERE c.project = ${PROJECT} AND c.started_at IS NOT NULL AND spoor_go_on(c.pk)
GROUP BY c.trace_id ORDER BY last DESC`;
