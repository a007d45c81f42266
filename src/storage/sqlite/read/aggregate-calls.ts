import { parseJson } from '../../../protocol/values/json.ts';
import type { AggregatePlan, CallAggregate, FacetField, ModelUsage } from '../../contract/overviews.ts';
import { bind, join, raw, type Sql, sql } from '../../sql/sql.ts';
import { exceptionTypeOf } from '../../values/overviews/call-outline.ts';
import { MAX_LOOKED_AT } from '../../values/overviews/call-preview.ts';
import { CallTally } from '../../values/overviews/call-tally.ts';
import { mainModelOf, usagesOf } from '../../values/overviews/call-usage.ts';
import type { Parents } from '../../values/overviews/usage-tally.ts';
import type { DatabaseSync, Row } from '../driver.ts';
import { sqliteDialect } from './dialect.ts';
import { iterateSql } from './iterate.ts';
import { shortAttributes, shortSummary } from './short-bodies.ts';
import { numberOf, textOf, textOfBlob } from './text.ts';

/** Adds up the calls of keys; inside a transaction, so that it is one moment. */
export function aggregateCalls(
  database: DatabaseSync,
  projectId: string,
  keys: Sql,
  plan: AggregatePlan,
): CallAggregate {
  const tally = new CallTally(plan);
  const fields = (plan.facets ?? []).map(({ field }) => field);
  for (const row of iterateSql(database, printRows(keys, fields))) tally.add(talliedRow(row, fields));
  const questions = tally.usage.ask();
  for (let asked = questions.next(); asked.done !== true;) {
    asked = questions.next(parentsOf(database, projectId, asked.value));
  }
  return tally.finish();
}

function printRows(keys: Sql, fields: readonly FacetField[]): Sql {
  const columns = fields.map((field, index) => sql`, ${columnOf(field)} AS ${raw(`facet${index}`)}`);
  return sql`SELECT c.id, c.parent_id, c.started_at, c.ended_at, c.exception IS NOT NULL AS is_error,
  ${raw(shortAttributes)} AS attributes, ${raw(shortSummary)} AS summary${join(columns, '')}
FROM (${keys}) k CROSS JOIN calls c ON c.pk = k.pk JOIN op o ON o.pk = c.op JOIN body_start s ON s.pk = c.pk
LEFT JOIN body_end e ON e.pk = c.pk WHERE spoor_go_on(c.pk)`;
}

function columnOf(field: FacetField): Sql {
  switch (field.kind) {
    case 'text':
      return sql`CAST(${sqliteDialect.text(field.column)} AS BLOB)`;
    case 'json':
      return sql`CAST(${sqliteDialect.jsonText(sqliteDialect.json(field))} AS BLOB)`;
    case 'exceptionType':
      return sql`substr(CAST(c.exception AS BLOB), 1, ${bind(4 * MAX_LOOKED_AT)})`;
    case 'model':
      return raw('NULL');
  }
}

function talliedRow(row: Row, fields: readonly FacetField[]) {
  const usages = usagesOfRow(row);
  return {
    id: textOf(row['id']) ?? '',
    parentId: textOf(row['parent_id']),
    startedAt: numberOf(row['started_at']) ?? 0,
    endedAt: numberOf(row['ended_at']),
    isError: row['is_error'] === 1,
    usages,
    values: fields.map(({ kind }, index) => {
      if (kind === 'model') return mainModelOf(usages);
      const text = textOfBlob(row[`facet${index}`]);
      return kind === 'exceptionType' ? exceptionTypeOf(text) : text;
    }),
  };
}

function usagesOfRow(row: Row): ModelUsage[] {
  const summary = textOf(row['summary']);
  if (summary === null || !summary.includes('"usage"')) return [];
  return usagesOf(parseJson(textOf(row['attributes']) ?? 'null'), parseJson(summary));
}

function parentsOf(database: DatabaseSync, projectId: string, ids: readonly string[]): Parents {
  const rows = iterateSql(
    database,
    sql`SELECT id, parent_id FROM calls
WHERE project = (SELECT pk FROM project WHERE name = ${sqliteDialect.bindText(projectId)}) AND started_at IS NOT NULL
  AND id IN (SELECT value FROM json_each(${bind(JSON.stringify(ids))}))`,
  );
  return new Map(Array.from(rows, (row) => [textOf(row['id']) ?? '', textOf(row['parent_id'])]));
}
